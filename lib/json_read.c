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
	bool in_object; /* the innermost open container is one */
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

static inline const char *
skip_space(const struct parser *r, const char *p)
{
	while (p < r->end && (unsigned char)*p <= ' ' &&
	    (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'))
		p++;
	return p;
}

/* ---- values ---- */

/* Makes room for two more values, which is what one step adds at most. */
static bool
make_room(struct json_reader *reader)
{
	size_t size = reader->size == 0 ? 256 : reader->size * 2;
	struct json *more;

	if (reader->size - reader->n >= 2)
		return true;
	if (size > UINT32_MAX)
		return false;
	more = realloc(reader->values, size * sizeof *more);
	if (more == NULL)
		diag_die("out of memory (%zu values in one text)", size);
	reader->values = more;
	reader->size = size;
	return true;
}

static inline void
add(struct parser *r, enum json_type type, const char *from, const char *to)
{
	r->reader->values[r->reader->n++] =
	    (struct json){ .text = { from, (size_t)(to - from) },
		    .span = 1,
		    .type = (uint8_t)type };
}

/* An open container's span tells which container it is in. */
static const char *
open_container(struct parser *r, const char *p)
{
	struct json_reader *reader = r->reader;

	if (reader->depth == JSON_DEPTH_MAX)
		return fail(r, p, "nested too deeply");
	r->in_object = *p == '{';
	add(r, r->in_object ? JSON_OBJECT : JSON_ARRAY, p, p);
	reader->values[reader->n - 1].span = reader->open;
	reader->open = (uint32_t)(reader->n - 1);
	reader->depth++;
	reader->state = FIRST;
	return p + 1;
}

static const char *
close_container(struct parser *r, const char *p)
{
	struct json_reader *reader = r->reader;
	struct json *v = &reader->values[reader->open];

	v->text.n = (size_t)(p + 1 - v->text.s);
	reader->open = v->span;
	v->span = (uint32_t)(reader->values + reader->n - v);
	reader->depth--;
	reader->state = reader->depth == 0 ? DONE : AFTER;
	r->in_object = reader->values[reader->open].type == JSON_OBJECT;
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
	struct json *v = &r->reader->values[r->reader->n++];
	const char *end = json_strings_end(&r->strings, p);

	if (end >= r->strings.bad && !check_string(r, p))
		return NULL;
	*v = (struct json){ .text = { p, (size_t)(end + 1 - p) },
		.span = 1,
		.type = JSON_STRING,
		.flags =
		    json_strings_escaped(&r->strings, end) ? JSON_ESCAPED : 0 };
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
	if (end == r->end && r->reader->depth > 0) /* it may go on */
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
	if (*p == '"')
		return string(r, p);
	if (*p == '{' || *p == '[')
		return open_container(r, p);
	return scalar(r, p);
}

/* A list's value, or an object's member. */
static inline const char *
element(struct parser *r, const char *p)
{
	if (!r->in_object)
		return value(r, p);
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
	return value(r, skip_space(r, p + 1));
}

static const char *
after(struct parser *r, const char *p)
{
	if (p < r->end && *p == ',')
		return element(r, skip_space(r, p + 1));
	if (p < r->end && *p == (r->in_object ? '}' : ']'))
		return close_container(r, p);
	if (r->in_object)
		return unexpected(r, p, "expected ',' or '}'",
		    "text ends where ',' or '}' was expected");
	return unexpected(r, p, "expected ',' or ']'",
	    "text ends where ',' or ']' was expected");
}

static const char *
first(struct parser *r, const char *p)
{
	if (p < r->end && *p == (r->in_object ? '}' : ']'))
		return close_container(r, p);
	return element(r, p);
}

/* One step from what the state expects. Where the text is cut in the midst of
 * it, it can be taken again. */
static const char *
step(struct parser *r, const char *p)
{
	struct json_reader *reader = r->reader;
	size_t n = reader->n;
	uint8_t state = reader->state;

	reader->at = (size_t)(p - r->text);
	p = skip_space(r, p);
	if (!make_room(reader))
		return fail(r, p, "more values than can be counted");
	reader->state = state == VALUE ? DONE : AFTER; /* unless a bracket */
	if (state == AFTER)
		p = after(r, p);
	else
		p = state == FIRST ? first(r, p) : value(r, p);
	if (p == NULL) {
		reader->n = n;
		reader->state = state;
	}
	return p;
}

static const struct json *
go_on(struct json_reader *reader, struct str text, size_t *end,
    struct json_error *error)
{
	struct parser r;
	const char *p = text.s + reader->at;

	r.reader = reader;
	r.text = reader->text = text.s;
	r.end = text.s + text.n;
	r.in_object = reader->depth > 0 &&
	    reader->values[reader->open].type == JSON_OBJECT;
	json_strings_start(&r.strings, reader->kernel, text, p);
	while (p != NULL && reader->state != DONE)
		p = step(&r, p);
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
