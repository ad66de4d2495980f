/* What a backslash begins in JavaScript's patterns. */
#include "base/ascii.h"
#include "regex/flavour/js.h"

/* So many hexadecimal digits, or none are read. */
static bool
hex(struct js *p, int digits, uint32_t *value)
{
	size_t start = p->at;

	*value = 0;
	for (int i = 0; i < digits; i++, js_advance(p)) {
		int d = ascii_hex(js_peek(p));

		if (d < 0) {
			p->at = start;
			return false;
		}
		*value = *value << 4 | (uint32_t)d;
	}
	return true;
}

static bool
hex_in_braces(struct js *p, uint32_t *value)
{
	bool any = false;

	*value = 0;
	for (; ascii_hex(js_peek(p)) >= 0; js_advance(p)) {
		*value = *value << 4 | (uint32_t)ascii_hex(js_peek(p));
		if (*value > 0x10ffff)
			return false;
		any = true;
	}
	return any && js_skip(p, '}');
}

/* The escape of the low surrogate that makes a pair with the high one. */
static void
pair(struct js *p, uint32_t *value)
{
	size_t start = p->at;
	uint32_t low;

	if (js_skip(p, '\\') && js_skip(p, 'u') && hex(p, 4, &low) &&
	    low >= SURROGATE_LOW && low <= SURROGATE_LAST)
		*value = 0x10000 + ((*value - SURROGATE_FIRST) << 10) +
		    (low - SURROGATE_LOW);
	else
		p->at = start;
}

bool
js_unicode_escape(struct js *p, bool in_name, uint32_t *value)
{
	if (in_name && js_skip(p, '{'))
		return hex_in_braces(p, value);
	if (!hex(p, 4, value))
		return false;
	if (in_name && *value >= SURROGATE_FIRST && *value < SURROGATE_LOW)
		pair(p, value);
	return true;
}

/* Up to three digits, to 0377. */
static uint32_t
octal(struct js *p)
{
	uint32_t value = 0;

	for (int i = 0; i < 3 && value < 32; i++) {
		uint32_t unit = js_peek(p);

		if (unit < '0' || unit > '7')
			break;
		value = value * 8 + (unit - '0');
		js_advance(p);
	}
	return value;
}

static bool
letter(uint32_t unit)
{
	unit |= 0x20;
	return unit >= 'a' && unit <= 'z';
}

/* \c and a letter; in a class also a digit or "_". Otherwise the backslash is
 * itself, and "c" is read again. The cursor is at the "c". */
static uint32_t
control(struct js *p, bool in_class)
{
	uint32_t unit = js_peek_next(p);
	bool more = (unit >= '0' && unit <= '9') || unit == '_';

	if (!letter(unit) && !(in_class && more))
		return '\\';
	js_advance(p);
	js_advance(p);
	return unit & 0x1f;
}

static uint32_t
simple(uint32_t unit, bool in_class)
{
	switch (unit) {
	case 'f':
		return '\f';
	case 'n':
		return '\n';
	case 'r':
		return '\r';
	case 't':
		return '\t';
	case 'v':
		return '\v';
	case 'b':
		return in_class ? '\b' : unit;
	default:
		return unit;
	}
}

uint32_t
js_escaped_unit(struct js *p, bool in_class)
{
	size_t start = p->at;
	uint32_t unit, value;

	js_advance(p);
	unit = js_peek(p);
	if (unit == JS_END)
		js_fail(p, start, "\\ at end of pattern");
	if (unit == 'k' && p->has_names)
		js_fail(p, start, "invalid escape");
	if (unit == 'c')
		return control(p, in_class);
	if (unit >= '0' && unit <= '7')
		return octal(p);
	js_advance(p);
	if (unit == 'x' && hex(p, 2, &value))
		return value;
	if (unit == 'u' && js_unicode_escape(p, false, &value))
		return value;
	return simple(unit, in_class);
}

/* A decimal number is a reference if there are so many groups in the whole
 * pattern; else nothing is read. */
static bool
group_number(struct js *p, size_t *number)
{
	size_t start = p->at, value = 0;

	js_advance(p);
	for (; js_peek(p) >= '0' && js_peek(p) <= '9'; js_advance(p))
		if (value <= p->groups)
			value = value * 10 + (js_peek(p) - '0');
	*number = value;
	if (value != 0 && value <= p->groups)
		return true;
	p->at = start;
	return false;
}

static struct tree *
edge(struct js *p, enum tree_at at)
{
	js_advance(p);
	js_advance(p);
	return tree_at(p->arena, at, js_shorthand(p, 'w'));
}

struct tree *
js_escape(struct js *p)
{
	uint32_t unit = js_peek_next(p);
	size_t number;

	switch (unit) {
	case 'b':
		return edge(p, AT_EDGE);
	case 'B':
		return edge(p, AT_NO_EDGE);
	case 'd':
	case 'D':
	case 's':
	case 'S':
	case 'w':
	case 'W':
		js_advance(p);
		js_advance(p);
		return tree_set(p->arena, js_shorthand(p, unit));
	case 'k':
		if (p->has_names)
			return js_named_backref(p);
		break;
	default:
		if (unit >= '1' && unit <= '9' && group_number(p, &number))
			return js_backref(p, number);
	}
	return js_literal(p, js_escaped_unit(p, false));
}
