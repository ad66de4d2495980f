/* The cursor of the parser of Python's patterns. */
#include "emulate/regex/flavour/python.h"

#include "base/utf8.h"
#include "text/unicode.h"

static size_t
characters(struct str text)
{
	size_t n = 0, length;

	for (; text.n != 0; text = str_from(text, length), n++)
		unicode_decode(text, &length);
	return n;
}

/* Adds the position to the error text as Python does: with line and column
 * where the pattern has several lines. */
static struct str
with_position(struct python *p, size_t at, struct str why)
{
	struct str before = str_slice(p->pattern, 0, at);
	size_t place = characters(before), line = 1, start = 0;

	why = str_printf(p->arena, "%.*s at position %zu", STR_FMT(why), place);
	if (str_find_char(p->pattern, '\n') == p->pattern.n)
		return why;
	for (size_t i = 0; i < before.n; i++) {
		if (before.s[i] == '\n') {
			line++;
			start = i + 1;
		}
	}
	return str_printf(p->arena, "%.*s (line %zu, column %zu)", STR_FMT(why),
	    line, characters(str_from(before, start)) + 1);
}

void
python_fail_plain(struct python *p, size_t at, struct str why)
{
	if (!p->failed && p->error != NULL)
		*p->error = (struct regex_error){ .offset = at, .why = why };
	p->failed = true;
	p->at = p->pattern.n;
}

void
python_fail(struct python *p, size_t at, struct str why)
{
	/* Python looks an escape ahead. */
	if (p->at + 1 == p->pattern.n && p->pattern.s[p->at] == '\\') {
		at = p->at;
		why = STR("bad escape (end of pattern)");
	}
	if (!p->failed)
		python_fail_plain(p, at, with_position(p, at, why));
}

void
python_fail_c(struct python *p, size_t at, const char *why)
{
	python_fail(p, at, str_of(why));
}

uint32_t
python_peek(const struct python *p)
{
	size_t length;

	return p->at < p->pattern.n
	    ? unicode_decode(str_from(p->pattern, p->at), &length)
	    : PYTHON_END;
}

uint32_t
python_next(struct python *p)
{
	size_t length;
	uint32_t c;

	if (p->at >= p->pattern.n)
		return PYTHON_END;
	c = unicode_decode(str_from(p->pattern, p->at), &length);
	p->at += length;
	return c;
}

uint32_t
python_token(struct python *p)
{
	uint32_t c = python_next(p);

	if (c != '\\' || python_next(p) != PYTHON_END)
		return c;
	python_fail_c(p, p->at - 1, "bad escape (end of pattern)");
	return PYTHON_END;
}

size_t
python_back(const struct python *p, size_t characters)
{
	size_t at = p->at;

	while (characters-- > 0)
		do
			at--;
		while (utf8_is_within(p->pattern.s[at]));
	return at;
}

bool
python_skip(struct python *p, char c)
{
	bool there = python_peek(p) == (uint32_t)c;

	p->at += there;
	return there;
}
