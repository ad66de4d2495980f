/* Checks the tokens that the grammar does not read itself: strings that may be
 * invalid, numbers other than plain integers, and words. */
#include <string.h>

#include "base/utf8.h"
#include "json/parser.h"

/* ---- strings ---- */

static const char *
escape(struct json_parser *r, const char *p)
{
	const char *back = p++;

	if (p < r->end && (*p == '\0' || strchr("u\"\\/bfnrt", *p) == NULL))
		return json_fail(r, back, "unknown escape in a string");
	if (p < r->end && *p++ != 'u')
		return p;
	for (int i = 0; i < 4; i++, p++) {
		if (p >= r->end)
			return json_fail(
			    r, r->end, "text ends within a string");
		if (!json_is_hex(*p))
			return json_fail(
			    r, back, "\\u without four hexadecimal digits");
	}
	return p;
}

/* Checks one character, or an escape. */
static const char *
character(struct json_parser *r, const char *p)
{
	size_t left = (size_t)(r->end - p), n = utf8_length(p, left);

	if (*p == '\\')
		return escape(r, p);
	if ((unsigned char)*p < 0x20)
		return json_fail(
		    r, p, "unescaped control character in a string");
	if (n == 0 && utf8_is_cut(p, left))
		return json_fail(r, r->end, "text ends within a string");
	if (n == 0)
		return json_fail(r, p, JSON_BAD_UTF8);
	return p + n;
}

const char *
json_check_string(struct json_parser *r, const char *p)
{
	for (p++; p < r->end && *p != '"';) {
		p = character(r, p);
		if (p == NULL)
			return NULL;
	}
	if (p == r->end)
		return json_fail(r, p, "text ends within a string");
	return p + 1;
}

/* ---- numbers and words ---- */

static inline const char *
digits(struct json_parser *r, const char *p)
{
	const char *from = p;

	while (p < r->end && *p >= '0' && *p <= '9')
		p++;
	return p == from ? json_fail(r, p, "expected a digit") : p;
}

/* Reads the fraction and the exponent of a number. */
static const char *
fraction(struct json_parser *r, const char *p)
{
	if (*p == '.')
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
number(struct json_parser *r, const char *p)
{
	const char *from = *p == '-' ? p + 1 : p;

	p = digits(r, from);
	if (p == NULL)
		return NULL;
	if (p - from > 1 && *from == '0')
		return json_fail(r, from + 1, "number with a leading zero");
	if (p < r->end && (*p == '.' || (*p | 0x20) == 'e'))
		return fraction(r, p);
	return p;
}

static inline __attribute__((always_inline)) const char *
word(struct json_parser *r, const char *p, struct str word)
{
	struct str rest = { p, (size_t)(r->end - p) };

	if (str_starts(rest, word))
		return p + word.n;
	if (str_starts(word, rest))
		return json_fail(r, r->end, "text ends within a word");
	return json_fail(r, p, "expected a value");
}

const char *
json_scalar(struct json_parser *r, const char *p, struct json *v)
{
	enum json_type type = JSON_NUMBER;
	const char *end;

	if (p == r->end)
		return json_fail(r, p, "text ends where a value was expected");
	switch (*p) {
	case 'n':
		type = JSON_NULL;
		end = word(r, p, STR("null"));
		break;
	case 't':
		type = JSON_TRUE;
		end = word(r, p, STR("true"));
		break;
	case 'f':
		type = JSON_FALSE;
		end = word(r, p, STR("false"));
		break;
	default:
		if (*p != '-' && (*p < '0' || *p > '9'))
			return json_fail(r, p, "expected a value");
		end = number(r, p);
	}
	if (end == NULL)
		return NULL;
	if (end == r->end && r->reader->depth != 0) /* more digits may follow */
		return json_fail(
		    r, end, "text ends within a list or an object");
	*v = (struct json){ .text = { p, (size_t)(end - p) },
		.span = 1,
		.type = (uint8_t)type };
	return end;
}
