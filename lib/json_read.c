/*
 * json_read: checks the grammar and lays out the values. Strings, which are
 * most of a log, are not looked at here unless the scan (json_strings.h) finds
 * them suspicious.
 *
 * Functions take where something begins and return where it ends, or NULL
 * after fail().
 */
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "json.h"
#include "json_strings.h"
#include "utf8.h"

/* What is expected next. */
enum {
	VALUE, /* the text's only one */
	FIRST, /* a container's first value or member, or its end */
	AFTER, /* a comma and one more, or its end */
	DONE,
};

struct parser {
	struct json_reader *reader;
	const char *text, *end;
	struct json *next; /* where the next value goes */
	struct json *full; /* behind this there may be no room for a step */
	uint8_t state;
	char closes; /* the innermost open container; 0: none is open */
	struct json_error error;
	struct json_strings strings;
};

static const char *
fail(struct parser *r, const char *p, const char *why)
{
	r->error =
	    (struct json_error){ (size_t)(p - r->text), why, p == r->end };
	return NULL;
}

/* Something else stands at p than what was expected, or the text ends. */
static const char *
unexpected(struct parser *r, const char *p, const char *why, const char *at_end)
{
	return fail(r, p, p == r->end ? at_end : why);
}

static inline bool
is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static const char *
skip_spaces(const struct parser *r, const char *p)
{
	while (p < r->end && is_space(*p))
		p++;
	return p;
}

/* The same, at once where there is none: in most logs. */
static inline const char *
skip_space(const struct parser *r, const char *p)
{
	return p < r->end && (unsigned char)*p <= ' ' ? skip_spaces(r, p) : p;
}

/* ---- values ---- */

enum { STEP_MAX = 2 }; /* values that a step adds at most */

/* False if there are too many values already. */
static bool
make_room(struct json_reader *reader)
{
	size_t size = reader->size == 0 ? 256 : reader->size * 2;

	if (size > UINT32_MAX)
		return false;
	reader->values = realloc(reader->values, size * sizeof *reader->values);
	if (reader->values == NULL)
		diag_die("out of memory (%zu values in one text)", size);
	reader->size = size;
	return true;
}

static inline void
add(struct parser *r, enum json_type type, const char *from, const char *to)
{
	*r->next++ = (struct json){ .text = { from, (size_t)(to - from) },
		.span = 1,
		.type = (uint8_t)type };
}

/* What closes the innermost open container. */
static char
closing(const struct json_reader *reader)
{
	if (reader->depth == 0)
		return '\0';
	return reader->values[reader->open].type == JSON_OBJECT ? '}' : ']';
}

/* An open container's span tells which container it is in. */
static const char *
open_container(struct parser *r, const char *p)
{
	struct json_reader *reader = r->reader;
	uint32_t outer = reader->open;

	if (reader->depth == JSON_DEPTH_MAX)
		return fail(r, p, "nested too deeply");
	reader->open = (uint32_t)(r->next - reader->values);
	reader->depth++;
	add(r, *p == '{' ? JSON_OBJECT : JSON_ARRAY, p, p);
	r->next[-1].span = outer;
	r->closes = *p == '{' ? '}' : ']';
	r->state = FIRST;
	return p + 1;
}

static const char *
close_container(struct parser *r, const char *p)
{
	struct json_reader *reader = r->reader;
	struct json *v = &reader->values[reader->open];

	v->text.n = (size_t)(p + 1 - v->text.s);
	reader->open = v->span;
	v->span = (uint32_t)(r->next - v);
	reader->depth--;
	r->closes = closing(reader);
	r->state = reader->depth == 0 ? DONE : AFTER;
	return p + 1;
}

/* ---- strings ---- */

/* Looks at an escape. */
static const char *
escape(struct parser *r, const char *p)
{
	const char *back = p++;

	if (p < r->end && (*p == '\0' || strchr("u\"\\/bfnrt", *p) == NULL))
		return fail(r, back, "unknown escape in a string");
	if (p < r->end && *p++ != 'u')
		return p;
	for (int i = 0; i < 4; i++, p++) {
		if (p >= r->end)
			return fail(r, r->end, "text ends within a string");
		if (!json_is_hex(*p))
			return fail(
			    r, back, "\\u without four hexadecimal digits");
	}
	return p;
}

/* Looks at a character, which may be an escape. */
static const char *
character(struct parser *r, const char *p)
{
	size_t left = (size_t)(r->end - p), n = utf8_length(p, left);

	if (*p == '\\')
		return escape(r, p);
	if ((unsigned char)*p < 0x20)
		return fail(r, p, "unescaped control character in a string");
	if (n == 0 && utf8_is_cut(p, left))
		return fail(r, r->end, "text ends within a string");
	if (n == 0)
		return fail(r, p, "invalid UTF-8");
	return p + n;
}

/* Looks at a suspicious string, character by character. */
static bool
check_string(struct parser *r, const char *p)
{
	for (p++; p < r->end && *p != '"';) {
		p = character(r, p);
		if (p == NULL)
			return false;
	}
	if (p == r->end)
		fail(r, p, "text ends within a string");
	return p < r->end;
}

static inline const char *
string(struct parser *r, const char *p)
{
	bool escaped = false;
	const char *end = json_strings_next(&r->strings, &escaped);

	if (end >= r->strings.bad && !check_string(r, p))
		return NULL;
	*r->next++ = (struct json){ .text = { p, (size_t)(end + 1 - p) },
		.span = 1,
		.type = JSON_STRING,
		.flags = escaped ? JSON_ESCAPED : 0 };
	return end + 1;
}

/* ---- numbers and words ---- */

static const char *
digits(struct parser *r, const char *p)
{
	if (p == r->end || *p < '0' || *p > '9')
		return fail(r, p, "expected a digit");
	while (p < r->end && *p >= '0' && *p <= '9')
		p++;
	return p;
}

static const char *
number_end(struct parser *r, const char *p)
{
	const char *from = *p == '-' ? p + 1 : p;

	p = digits(r, from);
	if (p != NULL && p - from > 1 && *from == '0')
		return fail(r, from + 1, "number with a leading zero");
	if (p != NULL && p < r->end && *p == '.')
		p = digits(r, p + 1);
	if (p != NULL && p < r->end && (*p | 0x20) == 'e') {
		p++;
		if (p < r->end && (*p == '+' || *p == '-'))
			p++;
		p = digits(r, p);
	}
	return p;
}

static const char *
word_end(struct parser *r, const char *p, struct str word)
{
	struct str rest = { p, (size_t)(r->end - p) };

	if (str_starts(rest, word))
		return p + word.n;
	if (str_starts(word, rest))
		return fail(r, r->end, "text ends within a word");
	return fail(r, p, "expected a value");
}

static const char *
scalar(struct parser *r, const char *p)
{
	enum json_type type = JSON_NUMBER;
	const char *end;

	switch (*p) {
	case 'n':
		type = JSON_NULL;
		end = word_end(r, p, STR("null"));
		break;
	case 't':
		type = JSON_TRUE;
		end = word_end(r, p, STR("true"));
		break;
	case 'f':
		type = JSON_FALSE;
		end = word_end(r, p, STR("false"));
		break;
	default:
		if (*p != '-' && (*p < '0' || *p > '9'))
			return fail(r, p, "expected a value");
		end = number_end(r, p);
	}
	if (end == NULL)
		return NULL;
	if (end == r->end && r->closes != 0) /* it may go on */
		return fail(r, end, "text ends within a list or an object");
	add(r, type, p, end);
	return end;
}

/* ---- the grammar ---- */

static inline const char *
value(struct parser *r, const char *p)
{
	if (p == r->end)
		return fail(r, p, "text ends where a value was expected");
	if (*p == '{' || *p == '[')
		return open_container(r, p);
	p = *p == '"' ? string(r, p) : scalar(r, p);
	if (p != NULL)
		r->state = r->closes == 0 ? DONE : AFTER;
	return p;
}

/* A member's name and the colon. */
static inline const char *
name(struct parser *r, const char *p)
{
	if (p == r->end || *p != '"')
		return unexpected(r, p, "expected a name in double quotes",
		    "text ends where a name was expected");
	p = string(r, p);
	if (p == NULL)
		return NULL;
	p = skip_space(r, p);
	if (p == r->end || *p != ':')
		return unexpected(r, p, "expected ':' after a name",
		    "text ends where ':' was expected");
	return skip_space(r, p + 1);
}

static const char *
no_comma(struct parser *r, const char *p)
{
	if (r->closes == '}')
		return unexpected(r, p, "expected ',' or '}'",
		    "text ends where ',' or '}' was expected");
	return unexpected(r, p, "expected ',' or ']'",
	    "text ends where ',' or ']' was expected");
}

/* A value, or a member, and what must stand before it; or a closing bracket. */
static inline const char *
step(struct parser *r, const char *p)
{
	p = skip_space(r, p);
	if (r->state == AFTER && p < r->end && *p == ',')
		p = skip_space(r, p + 1);
	else if (r->state != VALUE && p < r->end && *p == r->closes)
		return close_container(r, p);
	else if (r->state == AFTER)
		return no_comma(r, p);
	if (r->closes == '}')
		p = name(r, p);
	return p == NULL ? NULL : value(r, p);
}

/* Goes on to the end of the value, or as far as there is room. */
static const char *
steps(struct parser *r, const char *p)
{
	const char *from = p;
	const struct json *next = r->next;

	while (p != NULL && r->state != DONE && r->next <= r->full) {
		from = p;
		next = r->next;
		p = step(r, p);
	}
	if (p != NULL) {
		from = p;
		next = r->next;
	}
	/* Where the text is cut in the midst of a step, the step can be taken
	 * again: it has left the state as it was. */
	r->reader->at = (size_t)(from - r->text);
	r->reader->n = (size_t)(next - r->reader->values);
	r->reader->state = r->state;
	return p;
}

/* Goes on to the end of the value. */
static const char *
read_on(struct parser *r, const char *p)
{
	/* cppcheck-suppress ctuuninitvar; go_on sets what is read */
	struct json_reader *reader = r->reader;

	while (p != NULL && r->state != DONE) {
		if (reader->size - reader->n < STEP_MAX && !make_room(reader))
			return fail(r, p, "more values than can be counted");
		r->next = reader->values + reader->n;
		r->full = reader->values + reader->size - STEP_MAX;
		p = steps(r, p);
	}
	return p;
}

static const struct json *
go_on(struct json_reader *reader, struct str text, size_t *end,
    struct json_error *error)
{
	const char *p;
	struct parser r;

	if (text.s == NULL)
		text.s = ""; /* of no bytes */
	p = text.s + reader->at;
	r.reader = reader;
	r.text = reader->text = text.s;
	r.end = text.s + text.n;
	r.state = reader->state;
	r.closes = closing(reader);
	json_strings_start(&r.strings, reader->kernel, text, p);
	p = read_on(&r, p);
	if (p != NULL && end != NULL) {
		*end = (size_t)(p - text.s);
	} else if (p != NULL) {
		p = skip_space(&r, p);
		if (p < r.end)
			p = fail(&r, p, "more text after the value");
	}
	if (p == NULL && error != NULL)
		*error = r.error;
	return p == NULL ? NULL : reader->values;
}

const struct json *
json_read(struct json_reader *reader, struct str text, size_t *end,
    struct json_error *error)
{
	if (reader->kernel == NULL)
		reader->kernel = json_kernel();
	reader->n = 0;
	reader->at = 0;
	reader->depth = 0;
	reader->open = 0;
	reader->state = VALUE;
	return go_on(reader, text, end, error);
}

const struct json *
json_read_on(struct json_reader *reader, struct str text, size_t *end,
    struct json_error *error)
{
	uintptr_t from = (uintptr_t)reader->text, to = (uintptr_t)text.s;

	for (size_t i = 0; from != to && i < reader->n; i++) {
		struct str *s = &reader->values[i].text;

		s->s = text.s + ((uintptr_t)s->s - from);
	}
	return go_on(reader, text, end, error);
}

const struct json *
json_keep(struct arena *a, const struct json *v)
{
	struct json *copy;

	if (v == NULL)
		return NULL;
	copy = arena_new_n(a, struct json, v->span);
	return memcpy(copy, v, v->span * sizeof *copy);
}

void
json_reader_free(struct json_reader *reader)
{
	free(reader->values);
	*reader = (struct json_reader){ 0 };
}
