/* Parses paths as RFC 9535 defines them: segments, selectors, names and
 * numbers. */
#include "emulate/jsonpath/parse.h"

#include <string.h>

#include "base/ascii.h"
#include "text/unicode.h"

/* The largest integer up to which a double holds each one exactly (RFC 9535,
 * 2.1). */
static const int64_t integer_max = ((int64_t)1 << 53) - 1;

bool
jsonpath_fail(struct path_parser *p, size_t at, const char *format, ...)
{
	va_list args;

	if (p->failed)
		return false;
	p->failed = true;
	p->wrong_at = at;
	va_start(args, format);
	p->why = str_vprintf(p->arena, format, args);
	va_end(args);
	return false;
}

char
jsonpath_peek(const struct path_parser *p)
{
	return (char)(p->at < p->text.n ? p->text.s[p->at] : '\0');
}

bool
jsonpath_take(struct path_parser *p, const char *what)
{
	if (!str_starts(str_from(p->text, p->at), str_of(what)))
		return false;
	p->at += strlen(what);
	return true;
}

void
jsonpath_skip_blanks(struct path_parser *p)
{
	while (p->at < p->text.n && strchr(" \t\n\r", p->text.s[p->at]) != NULL)
		p->at++;
}

struct regex *
jsonpath_keep_regex(struct path_parser *p, struct regex *regex)
{
	if (regex != NULL)
		*arena_push(p->arena, p->made->regexes, p->made->n_regexes) =
		    regex;
	return regex;
}

size_t
jsonpath_skip_digits(struct path_parser *p)
{
	size_t from = p->at;

	while (ascii_is_digit(jsonpath_peek(p)))
		p->at++;
	return p->at - from;
}

/* ---- names ---- */

static bool
is_name_first(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	    (unsigned char)c >= 0x80;
}

static bool
shorthand(struct path_parser *p, struct str *name)
{
	size_t from = p->at;

	if (!is_name_first(jsonpath_peek(p)))
		return jsonpath_fail(p, p->at,
		    "expected a name, '*' or '[' (a name with other "
		    "characters is written ['name'])");
	while (is_name_first(jsonpath_peek(p)) ||
	    (jsonpath_peek(p) >= '0' && jsonpath_peek(p) <= '9'))
		p->at++;
	*name = str_slice(p->text, from, p->at);
	return true;
}

static bool
hex_unit(struct path_parser *p, uint32_t *unit)
{
	*unit = 0;
	for (int i = 0; i < 4; i++, p->at++) {
		int digit = ascii_hex(jsonpath_peek(p));

		if (digit < 0)
			return jsonpath_fail(
			    p, p->at, "expected four hexadecimal digits");
		*unit = *unit * 16 + (uint32_t)digit;
	}
	return true;
}

/* Reads the digits of \uXXXX; a character beyond U+FFFF is written as a pair of
 * surrogates. */
static bool
unicode_escape(struct path_parser *p, uint32_t *character)
{
	size_t from = p->at;
	uint32_t low;

	if (!hex_unit(p, character))
		return false;
	if (*character < 0xd800 || *character > 0xdfff)
		return true;
	if (*character >= 0xdc00 || !jsonpath_take(p, "\\u"))
		return jsonpath_fail(p, from, "half of a pair of surrogates");
	if (!hex_unit(p, &low))
		return false;
	if (low < 0xdc00 || low > 0xdfff)
		return jsonpath_fail(p, from, "half of a pair of surrogates");
	*character = 0x10000 + ((*character - 0xd800) << 10) + (low - 0xdc00);
	return true;
}

static bool
escape(struct path_parser *p, char quote, uint32_t *character)
{
	static const char from[] = "bfnrt/\\", to[] = "\b\f\n\r\t/\\";
	char c = jsonpath_peek(p);
	const char *simple = c == '\0' ? NULL : strchr(from, c);

	p->at++;
	if (c == 'u')
		return unicode_escape(p, character);
	if (simple == NULL && c != quote)
		return jsonpath_fail(p, p->at - 2, "unknown escape");
	*character = (unsigned char)(simple == NULL ? c : to[simple - from]);
	return true;
}

bool
jsonpath_parse_text(struct path_parser *p, struct str *text)
{
	size_t from = p->at, n = 0;
	char quote = p->text.s[p->at++];
	char *copy = arena_alloc(p->arena, p->text.n - p->at + 1);

	for (;;) {
		char c = jsonpath_peek(p);
		uint32_t character;

		if (p->at >= p->text.n)
			return jsonpath_fail(p, from, "quotes without end");
		if ((unsigned char)c < 0x20)
			return jsonpath_fail(
			    p, p->at, "a control character needs an escape");
		p->at++;
		if (c == quote)
			break;
		if (c != '\\') {
			copy[n++] = c;
			continue;
		}
		if (!escape(p, quote, &character))
			return false;
		n += unicode_encode(character, copy + n);
	}
	*text = (struct str){ copy, n };
	return true;
}

/* ---- selectors ---- */

static bool
integer(struct path_parser *p, int64_t *value)
{
	size_t from = p->at;
	bool minus = jsonpath_take(p, "-");
	size_t digits = p->at;

	*value = 0;
	for (; jsonpath_peek(p) >= '0' && jsonpath_peek(p) <= '9'; p->at++)
		if (*value <= integer_max)
			*value = *value * 10 + (jsonpath_peek(p) - '0');
	if (p->at == digits)
		return jsonpath_fail(p, from, "expected an integer");
	if (p->text.s[digits] == '0' && (minus || p->at > digits + 1))
		return jsonpath_fail(p, from,
		    "an integer has no leading zero, and there is no -0");
	if (*value > integer_max)
		return jsonpath_fail(p, from, "the integer is too large");
	if (minus)
		*value = -*value;
	return true;
}

/* Reads an integer, if there is one before the next colon, comma or bracket. */
static bool
slice_part(struct path_parser *p, bool *has, int64_t *value)
{
	char c;

	jsonpath_skip_blanks(p);
	c = jsonpath_peek(p);
	*has = c == '-' || (c >= '0' && c <= '9');
	if (*has && !integer(p, value))
		return false;
	jsonpath_skip_blanks(p);
	return true;
}

/* Reads what follows the start of a slice, or of an index; the start was
 * read. */
static bool
slice(struct path_parser *p, struct selector *s)
{
	bool has_step = false;
	size_t before = p->at;

	s->step = 1;
	s->index = s->start;
	jsonpath_skip_blanks(p);
	if (!jsonpath_take(p, ":")) {
		p->at = before;
		s->kind = SELECT_INDEX;
		return s->has_start ||
		    jsonpath_fail(p, p->at, "expected an integer or ':'");
	}
	s->kind = SELECT_SLICE;
	if (!slice_part(p, &s->has_end, &s->end))
		return false;
	return !jsonpath_take(p, ":") || slice_part(p, &has_step, &s->step);
}

static bool
filter_selector(struct path_parser *p, struct selector *s)
{
	size_t levels = p->levels;

	if (p->filters == PATH_FILTERS_MAX)
		return jsonpath_fail(
		    p, p->at, "too many filters within filters");
	p->filters++;
	p->levels = 0;
	s->kind = SELECT_FILTER;
	s->filter = jsonpath_parse_filter(p);
	p->filters--;
	p->levels = levels;
	return s->filter != NULL;
}

static bool
selector(struct path_parser *p, struct selector *s)
{
	char c = jsonpath_peek(p);

	if (c == '\'' || c == '"') {
		s->kind = SELECT_NAME;
		return jsonpath_parse_text(p, &s->name);
	}
	if (jsonpath_take(p, "*")) {
		s->kind = SELECT_ALL;
		return true;
	}
	if (jsonpath_take(p, "?"))
		return filter_selector(p, s);
	if (c != ':' && c != '-' && (c < '0' || c > '9'))
		return jsonpath_fail(p, p->at,
		    "expected a name in quotes, an index, a slice, '*' or '?'");
	s->has_start = c != ':';
	return (!s->has_start || integer(p, &s->start)) && slice(p, s);
}

bool
jsonpath_parse_bracket(struct path_parser *p, struct segment *segment)
{
	p->at++;
	do {
		jsonpath_skip_blanks(p);
		if (!selector(p,
			arena_push(p->arena, segment->selectors, segment->n)))
			return false;
		jsonpath_skip_blanks(p);
	} while (jsonpath_take(p, ","));
	return jsonpath_take(p, "]") ||
	    jsonpath_fail(p, p->at, "expected ',' or ']'");
}

/* ---- segments ---- */

/* Reads what follows one or two dots: a name, `*`, or, after two, a bracket. */
static bool
dotted(struct path_parser *p, struct segment *segment, bool deep)
{
	struct selector *s;

	if (deep && jsonpath_peek(p) == '[')
		return jsonpath_parse_bracket(p, segment);
	s = arena_push(p->arena, segment->selectors, segment->n);
	if (jsonpath_take(p, "*")) {
		s->kind = SELECT_ALL;
		return true;
	}
	s->kind = SELECT_NAME;
	return shorthand(p, &s->name);
}

static bool
segment(struct path_parser *p, struct query *q)
{
	bool deep = jsonpath_take(p, "..");
	struct segment *s;

	if (q->n >= PATH_SEGMENTS_MAX)
		return jsonpath_fail(p, p->at, "the path is too long");
	if (deep)
		*arena_push(p->arena, q->segments, q->n) =
		    (struct segment){ .kind = SEGMENT_DEEP };
	s = arena_push(p->arena, q->segments, q->n);
	if (!deep && jsonpath_peek(p) == '[')
		return jsonpath_parse_bracket(p, s);
	if (!deep)
		p->at++;
	return dotted(p, s, deep);
}

bool
jsonpath_parse_query(struct path_parser *p, struct query *q)
{
	q->relative = jsonpath_peek(p) == '@';
	p->at++;
	for (;;) {
		size_t before = p->at;

		jsonpath_skip_blanks(p);
		if (jsonpath_peek(p) != '.' && jsonpath_peek(p) != '[') {
			p->at = before;
			q->single = jsonpath_is_singular(q);
			return true;
		}
		if (!segment(p, q))
			return false;
	}
}

bool
jsonpath_is_singular(const struct query *q)
{
	for (size_t i = 0; i < q->n; i++)
		if (q->segments[i].kind != SEGMENT_CHILDREN ||
		    q->segments[i].n != 1 ||
		    (q->segments[i].selectors[0].kind != SELECT_NAME &&
			q->segments[i].selectors[0].kind != SELECT_INDEX))
			return false;
	return true;
}
