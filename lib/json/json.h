/*
 * JSON text to read-only values. One pass checks the text (RFC 8259, UTF-8)
 * and lays the values out in one flat array, in the order of the text: a
 * container is followed by all that is in it, and a member's key by its value.
 * Nothing is decoded: a value knows where its source text lies.
 *
 * Accepted beyond the grammar's letter: duplicate keys (json_get finds the
 * last) and escapes of lone surrogates (json_text gives U+FFFD for them).
 *
 * Every getter takes NULL and values of another type and answers with an
 * empty answer, so a chain of look-ups needs one check, at its end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/ascii.h"
#include "base/str.h"

enum json_type {
	JSON_NULL = 1,
	JSON_FALSE,
	JSON_TRUE,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT,
};

enum {
	JSON_DEPTH_MAX = 1024,
	JSON_ESCAPED = 1, /* flag: a string that holds a backslash */
	JSON_PLAIN = 2,   /* flag: an unquoted YAML scalar, type unresolved */
};

struct json {
	struct str text; /* source, with quotes or brackets */
	uint32_t span;   /* how many values it is, itself and keys included */
	uint8_t type;    /* enum json_type */
	uint8_t flags;
};

struct json_error {
	size_t offset;   /* in bytes from the start of the text */
	const char *why; /* static text: "unescaped control character ..." */
	bool cut;        /* the text may be whole when more of it comes */
};

/* Reusable: holds the array that the last text was read into. Zeroed is
 * ready. */
struct json_reader {
	struct json *values;
	size_t size;
	/* What scans the text (json_kernel.h); chosen at the first use. */
	const struct json_kernel *kernel;
	/* May be set: bytes in which the texts lie, to be read there. It tells
	 * nothing, but saves copying the edges of each text. */
	struct str around;

	/* private: how far a text was read */
	const char *text;
	size_t n;      /* values */
	size_t at;     /* where the next step begins */
	uint32_t open; /* the innermost open container */
	uint16_t depth;
};

/*
 * Reads one value, with white space around it. The values live until the next
 * call with this reader and point into the text. If end is given, it tells
 * where the value (not the space after it) ended, and what follows is left
 * unread; without it anything but white space there is an error. NULL if the
 * text is not JSON, and *error says where and why.
 */
const struct json *json_read(struct json_reader *, struct str text, size_t *end,
    struct json_error *error);

/*
 * Reads a text again that was cut when this reader read it last, now that
 * more has come: the text is the same and more after it, wherever it lies
 * now. What was read is not read again.
 */
const struct json *json_read_on(struct json_reader *, struct str text,
    size_t *end, struct json_error *error);

/* A copy of the values that outlives the reader, in an arena. The text is not
 * copied. */
const struct json *json_keep(struct arena *, const struct json *);

void json_reader_free(struct json_reader *);

/* What may stand between tokens. */
static inline bool
json_is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Returns whether `c` is a hexadecimal digit, as in a \uXXXX escape. */
static inline bool
json_is_hex(char c)
{
	return ascii_hex((uint32_t)c) >= 0;
}

/* false for NULL */
static inline bool
json_is(const struct json *v, enum json_type type)
{
	return v != NULL && v->type == type;
}

const char *json_type_name(const struct json *); /* "a string", "nothing" */

/* The first value in a container (of an object: its first key), the one after
 * `child`, or NULL. After a key comes json_value(key), then the next key. */
static inline const struct json *
json_first(const struct json *container)
{
	return container == NULL || container->span == 1 ? NULL : container + 1;
}

static inline const struct json *
json_next(const struct json *container, const struct json *child)
{
	const struct json *next = child + child->span;

	return next < container + container->span ? next : NULL;
}

static inline const struct json *
json_value(const struct json *key)
{
	return key == NULL ? NULL : key + 1;
}

/* for (json_each(v, list)) and for (json_members(key, object)); the list and
 * the object are looked at once */
/* NOLINTBEGIN(bugprone-macro-parentheses): a declared name takes none */
#define json_each(v, list) \
	const struct json *v##_in = (list), \
			  *v = json_first( \
			      json_is(v##_in, JSON_ARRAY) ? v##_in : NULL); \
	v != NULL; \
	v = json_next(v##_in, v)
#define json_members(key, object) \
	const struct json *key##_in = (object), \
			  *key = json_first(json_is(key##_in, JSON_OBJECT) \
				  ? key##_in \
				  : NULL); \
	key != NULL; \
	key = json_next(key##_in, json_value(key))
/* NOLINTEND(bugprone-macro-parentheses) */

/* The value of the object's last member of that name. */
const struct json *json_get(const struct json *object, struct str name);
/* The same of n names in one pass: found[i] is the value of names[i], NULL
 * where there is no such member. Fastest where the members stand in the order
 * of the names. No name may hold a backslash. */
void json_pick(const struct json *object, const struct str *names, size_t n,
    const struct json **found);
/* Whether it is an object with such a member. */
bool json_has(const struct json *object, const char *name);
/* The same down a path of names: json_path(v, "message.usage"). No name may
 * hold a dot. */
const struct json *json_path(const struct json *, const char *names);
const struct json *json_at(const struct json *list, size_t index);
const struct json *json_last(const struct json *list);
size_t json_count(const struct json *container); /* elements or members */

/* A string's text, decoded, in the arena if it has escapes, else in place.
 * Absent (s is NULL) if the value is no string. */
struct str json_text(const struct json *, struct arena *);
/* A string's source between the quotes, escapes as they stand. */
static inline struct str
json_raw(const struct json *v)
{
	if (v == NULL || v->type != JSON_STRING)
		return (struct str){ 0 };
	return (struct str){ v->text.s + 1, v->text.n - 2 };
}

/* json_str_is for a string with escapes. */
bool json_escaped_is(const struct json *, struct str text);

/* Whether a key, decoded, is this text. */
static inline bool
json_key_is(const struct json *key, struct str text)
{
	if (key->flags & JSON_ESCAPED)
		return json_escaped_is(key, text);
	return key->text.n == text.n + 2 &&
	    str_same(key->text.s + 1, text.s, text.n);
}

/* The same of a string, or what is none. Needs no memory. */
static inline bool
json_str_is(const struct json *v, struct str text)
{
	return json_is(v, JSON_STRING) && json_key_is(v, text);
}

/* A number's value; NAN if the value is none. */
double json_double(const struct json *);
/* True if the value is a number without fraction that fits, in any spelling. */
bool json_int(const struct json *, int64_t *value);

/* Equality by value: numbers as doubles, strings decoded, lists in order,
 * objects as sets of members with the last of duplicates counting. */
bool json_equal(const struct json *, const struct json *);

/* A name or a text may also be a string literal: json_get(v, "id"). */
#define json_get(object, ...) json_get((object), AS_STR((__VA_ARGS__)))
#define json_key_is(key, ...) json_key_is((key), AS_STR((__VA_ARGS__)))
#define json_str_is(v, ...) json_str_is((v), AS_STR((__VA_ARGS__)))
