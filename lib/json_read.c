/* json_read: checks the text and lays out the values. */
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "json.h"

struct parser {
	struct json_reader *reader;
	const char *start, *p, *end;
	size_t n; /* values so far */
	struct json_error error;
};

static bool
fail(struct parser *r, const char *at, const char *why)
{
	r->error = (struct json_error){ .offset = (size_t)(at - r->start),
		.why = why,
		.cut = at == r->end };
	return false;
}

static struct json *
add(struct parser *r, enum json_type type)
{
	struct json_reader *reader = r->reader;

	if (r->n == reader->size) {
		size_t size = reader->size == 0 ? 1024 : reader->size * 2;
		struct json *more =
		    realloc(reader->values, size * sizeof *more);

		if (more == NULL)
			diag_die(
			    "out of memory (%zu values in one text)", size);
		reader->values = more;
		reader->size = size;
	}
	reader->values[r->n] = (struct json){
		.text = { r->p, 0 }, .span = 1, .type = (uint8_t)type
	};
	return &reader->values[r->n++];
}

static void
skip_space(struct parser *r)
{
	while (r->p < r->end &&
	    (*r->p == ' ' || *r->p == '\n' || *r->p == '\r' || *r->p == '\t'))
		r->p++;
}

static bool
is_digit(const struct parser *r)
{
	return r->p < r->end && *r->p >= '0' && *r->p <= '9';
}

static bool
digits(struct parser *r)
{
	if (!is_digit(r))
		return fail(r, r->p, "expected a digit");
	while (is_digit(r))
		r->p++;
	return true;
}

static bool
number(struct parser *r)
{
	struct json *v = add(r, JSON_NUMBER);

	if (*r->p == '-')
		r->p++;
	if (r->p < r->end && *r->p == '0')
		r->p++;
	else if (!digits(r))
		return false;
	if (is_digit(r))
		return fail(r, r->p, "number with a leading zero");
	if (r->p < r->end && *r->p == '.') {
		r->p++;
		if (!digits(r))
			return false;
	}
	if (r->p < r->end && (*r->p | 0x20) == 'e') {
		r->p++;
		if (r->p < r->end && (*r->p == '+' || *r->p == '-'))
			r->p++;
		if (!digits(r))
			return false;
	}
	v->text.n = (size_t)(r->p - v->text.s);
	return true;
}

static bool
literal(struct parser *r, enum json_type type, struct str word)
{
	struct json *v = add(r, type);

	for (size_t i = 0; i < word.n; i++, r->p++)
		if (r->p == r->end || *r->p != word.s[i])
			return fail(r, r->p, "expected null, true or false");
	v->text.n = word.n;
	return true;
}

static bool
escape(struct parser *r)
{
	const char *back = r->p++;

	if (r->p == r->end)
		return fail(r, r->p, "text ends within a string");
	if (*r->p != 'u') {
		if (*r->p == '\0' || strchr("\"\\/bfnrt", *r->p) == NULL)
			return fail(r, back, "unknown escape in a string");
		r->p++;
		return true;
	}
	r->p++;
	for (int i = 0; i < 4; i++, r->p++) {
		if (r->p == r->end)
			return fail(r, r->p, "text ends within a string");
		if (!((*r->p >= '0' && *r->p <= '9') ||
			((*r->p | 0x20) >= 'a' && (*r->p | 0x20) <= 'f')))
			return fail(r, back, "\\u without four hex digits");
	}
	return true;
}

static bool
utf8(struct parser *r)
{
	const unsigned char *p = (const unsigned char *)r->p;
	size_t left = (size_t)(r->end - r->p);
	size_t need = p[0] < 0xc2 ? 0
	    : p[0] < 0xe0         ? 2
	    : p[0] < 0xf0         ? 3
	    : p[0] < 0xf5         ? 4
				  : 0;

	if (need == 0)
		return fail(r, r->p, "invalid UTF-8");
	for (size_t i = 1; i < need; i++) {
		if (i == left)
			return fail(r, r->end, "text ends within a string");
		if ((p[i] & 0xc0) != 0x80)
			return fail(r, r->p, "invalid UTF-8");
	}
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
	    (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
		return fail(r, r->p, "invalid UTF-8");
	r->p += need;
	return true;
}

static bool
string(struct parser *r)
{
	size_t at = r->n;
	uint8_t flags = 0;

	add(r, JSON_STRING);
	for (r->p++;;) {
		if (r->p == r->end)
			return fail(r, r->p, "text ends within a string");
		unsigned char c = (unsigned char)*r->p;
		if (c == '"')
			break;
		if (c == '\\') {
			flags = JSON_ESCAPED;
			if (!escape(r))
				return false;
		} else if (c < 0x20) {
			return fail(
			    r, r->p, "unescaped control character in a string");
		} else if (c >= 0x80) {
			if (!utf8(r))
				return false;
		} else {
			r->p++;
		}
	}
	r->p++;
	struct json *v = &r->reader->values[at];
	v->flags = flags;
	v->text.n = (size_t)(r->p - v->text.s);
	return true;
}

static bool
scalar(struct parser *r)
{
	switch (*r->p) {
	case '"':
		return string(r);
	case 'n':
		return literal(r, JSON_NULL, STR("null"));
	case 't':
		return literal(r, JSON_TRUE, STR("true"));
	case 'f':
		return literal(r, JSON_FALSE, STR("false"));
	default:
		if (*r->p == '-' || is_digit(r))
			return number(r);
		return fail(r, r->p, "expected a value");
	}
}

static bool
key(struct parser *r)
{
	skip_space(r);
	if (r->p == r->end || *r->p != '"')
		return fail(r, r->p, "expected a member's name");
	if (!string(r))
		return false;
	skip_space(r);
	if (r->p == r->end || *r->p != ':')
		return fail(r, r->p, "expected a colon");
	r->p++;
	skip_space(r);
	return true;
}

static void
finish(struct parser *r, size_t at)
{
	struct json *v = &r->reader->values[at];

	r->p++;
	v->text.n = (size_t)(r->p - v->text.s);
	v->span = (uint32_t)(r->n - at);
}

/*
 * The containers that are open are on a stack of indices, so that a deep text
 * costs no call stack. Each round reads one value, then closes what ends.
 */
static bool
value(struct parser *r)
{
	size_t open[JSON_DEPTH_MAX];
	size_t depth = 0;

	for (;;) {
		skip_space(r);
		if (r->p == r->end)
			return fail(
			    r, r->p, "text ends where a value was expected");
		bool object = *r->p == '{';
		if (object || *r->p == '[') {
			if (depth == JSON_DEPTH_MAX)
				return fail(r, r->p, "nested too deeply");
			open[depth++] = r->n;
			add(r, object ? JSON_OBJECT : JSON_ARRAY);
			r->p++;
			skip_space(r);
			if (r->p < r->end && *r->p == (object ? '}' : ']')) {
				finish(r, open[--depth]);
			} else {
				if (object && !key(r))
					return false;
				continue;
			}
		} else if (!scalar(r)) {
			return false;
		}
		for (; depth > 0; finish(r, open[--depth])) {
			object = r->reader->values[open[depth - 1]].type ==
			    JSON_OBJECT;
			skip_space(r);
			if (r->p < r->end && *r->p == ',') {
				r->p++;
				if (object && !key(r))
					return false;
				break;
			}
			if (r->p == r->end || *r->p != (object ? '}' : ']'))
				return fail(r, r->p,
				    object ? "expected ',' or '}'"
					   : "expected ',' or ']'");
		}
		if (depth == 0)
			return true;
	}
}

const struct json *
json_read(struct json_reader *reader, struct str text, size_t *end,
    struct json_error *error)
{
	struct parser r = { .reader = reader, .start = text.s, .p = text.s };
	bool good;

	r.end = text.s + text.n;
	good = value(&r);
	if (good && end != NULL) {
		*end = (size_t)(r.p - r.start);
	} else if (good) {
		skip_space(&r);
		good =
		    r.p == r.end || fail(&r, r.p, "more text after the value");
	}
	if (!good && error != NULL)
		*error = r.error;
	return good ? reader->values : NULL;
}

const struct json *
json_read_on(struct json_reader *reader, struct str text, size_t *end,
    struct json_error *error)
{
	return json_read(reader, text, end, error);
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
