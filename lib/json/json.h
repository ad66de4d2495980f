/*
 * Reads JSON text into read-only values. One pass checks the text (RFC 8259,
 * UTF-8) and lays the values out in one flat array, in the order of the text: a
 * container is followed by its contents, and a member's key by its value.
 * Nothing is decoded: each value points to its source text.
 *
 * Two things are accepted that a strict reader may refuse: duplicate keys
 * (json_get finds the last) and escapes of lone surrogates (json_text gives
 * U+FFFD for each).
 *
 * Every getter accepts NULL and values of another type, and then returns an
 * empty result (NULL, absent text, false), so that a chain of look-ups needs
 * only one check, at its end.
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
	JSON_LONE = 4,    /* flag: the outermost value of a text that may have
			   * an escape of a lone surrogate */
};

struct json {
	struct str text; /* source text, with quotes or brackets */
	uint32_t span;   /* number of values: itself, keys, contents */
	uint8_t type;    /* enum json_type */
	uint8_t flags;
};

struct json_error {
	size_t offset;   /* in bytes from the start of the text */
	const char *why; /* static text: "unescaped control character ..." */
	bool cut;        /* the text ended too early */
};

#define JSON_BAD_UTF8 "invalid UTF-8" /* `why`, of a byte in a string */

/* A reader that can be used again: it owns the array of values of the text that
 * was read last. A zeroed reader is ready for use. */
struct json_reader {
	struct json *values;
	size_t size;
	/* The kernel that scans the text (json/kernel.h); chosen at the first
	 * use. */
	const struct json_kernel *kernel;
	/* Optional: a larger piece of memory that contains the texts and may be
	 * read, too. It does not change the result, but saves copying the first
	 * and last block of each text. */
	struct str around;

	/* private: the state of an unfinished text */
	const char *text;
	size_t n;      /* number of values so far */
	size_t at;     /* offset at which the next step begins */
	uint32_t open; /* index of the innermost open container */
	uint16_t depth;
	bool lone;
};

/*
 * Reads one value, with white space around it. The values live until the next
 * call with this reader, and point into the text. If `end` is not NULL, the
 * offset where the value ends (without the space that follows) is stored in
 * *end, and the text after the value is not read; without `end`, anything but
 * white space after the value is an error. Returns NULL if the text is not
 * JSON; then *error has the place and the reason.
 */
const struct json *json_read(struct json_reader *, struct str text, size_t *end,
    struct json_error *error);

/*
 * Continues a text that ended too early (error->cut) in the last call with this
 * reader. `text` is that text with more bytes after it; it may lie at another
 * address. The part that was read before is not read again.
 */
const struct json *json_read_on(struct json_reader *, struct str text,
    size_t *end, struct json_error *error);

/* Returns the length of the escape at the start of the text. The escapes of a
 * pair of surrogates are one. */
size_t json_escape_length(struct str);

/* Returns a copy of the JSON text, in the arena, in which each escape of a lone
 * surrogate is that of U+FFFD. */
struct str json_mend_surrogates(struct arena *, struct str text);

/* Returns a copy of the values, in the arena, that outlives the reader. The
 * source text is not copied. */
const struct json *json_keep(struct arena *, const struct json *);

/* Returns the value that the text is, in the arena; NULL if the text is not JSON. The
 * text must live as long. */
const struct json *json_parse(struct arena *, struct str text);

void json_reader_free(struct json_reader *);

/* Returns whether `c` is white space that JSON allows between tokens. */
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

/* Returns whether the value is of this type; false for NULL. */
static inline bool
json_is(const struct json *v, enum json_type type)
{
	return v != NULL && v->type == type;
}

const char *json_type_name(const struct json *); /* "a string" */

/* json_first returns the first value in a container (in an object: the first
 * key); json_next returns the value after `child`. Both return NULL if there is
 * none. In an object, the walk goes from a key to json_value(key), and from
 * there to the next key. */
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

/* Loops: for (json_each(v, list)) and for (json_members(key, object)). The list
 * or object is evaluated once. */
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

/* Returns the value of the object's last member with this name. */
const struct json *json_get(const struct json *object, struct str name);
/* Finds n names in one pass: found[i] becomes the value of names[i], or NULL if
 * there is no such member. It is fastest where the members are in the order of
 * the names. No name may contain a backslash. */
void json_pick(const struct json *object, const struct str *names, size_t n,
    const struct json **found);
/* Returns whether the value is an object with such a member. */
bool json_has(const struct json *object, const char *name);
/* Follows a path of names: json_path(v, "message.usage"). No name may contain a
 * dot. */
const struct json *json_path(const struct json *, const char *names);
const struct json *json_at(const struct json *list, size_t index);
const struct json *json_last(const struct json *list);
size_t json_count(const struct json *container); /* elements or members */

/* Returns the decoded text of a string: in the arena if the string has escapes,
 * else a slice of the source. The text is absent (s is NULL) if the value is
 * not a string. */
struct str json_text(const struct json *, struct arena *);
/* Returns a string's source between the quotes; escapes are not decoded. */
static inline struct str
json_raw(const struct json *v)
{
	if (v == NULL || v->type != JSON_STRING)
		return (struct str){ 0 };
	return (struct str){ v->text.s + 1, v->text.n - 2 };
}

/* Like json_str_is, for a string with escapes. */
bool json_escaped_is(const struct json *, struct str text);

/* Returns whether a key's decoded text equals this text. */
static inline bool
json_key_is(const struct json *key, struct str text)
{
	if (key->flags & JSON_ESCAPED)
		return json_escaped_is(key, text);
	return key->text.n == text.n + 2 &&
	    str_same(key->text.s + 1, text.s, text.n);
}

/* Like json_key_is, for any value; false if the value is not a string. Needs no
 * memory. */
static inline bool
json_str_is(const struct json *v, struct str text)
{
	return json_is(v, JSON_STRING) && json_key_is(v, text);
}

/* Returns a number's value, or NAN if the value is not a number. */
double json_double(const struct json *);
/* Stores the value of a number and returns true if it has no fractional part
 * and fits, however it is spelled (1e2 is 100). */
bool json_int(const struct json *, int64_t *value);

/* Returns whether two values are equal: numbers are compared as doubles,
 * strings by their decoded text, lists in order, and objects as sets of
 * members, where the last of duplicate keys counts. */
bool json_equal(const struct json *, const struct json *);

/* A name or text argument may also be a string literal: json_get(v, "id"). */
#define json_get(object, ...) json_get((object), AS_STR((__VA_ARGS__)))
#define json_key_is(key, ...) json_key_is((key), AS_STR((__VA_ARGS__)))
#define json_str_is(v, ...) json_str_is((v), AS_STR((__VA_ARGS__)))
