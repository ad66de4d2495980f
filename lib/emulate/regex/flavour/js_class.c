/* Sets in JavaScript's patterns: shorthands, flag i, escapes, classes. */
#include "base/ascii.h"
#include "emulate/regex/flavour/js.h"
#include "text/unicode.h"

/* The shorthands, and, as ".", the line ends, which "." excludes. */
static const struct shorthand {
	uint32_t letter;
	size_t n;
	struct range ranges[10];
} shorthands[] = {
	{ 'd', 1, { { '0', '9' } } },
	{ 'w', 4, { { '0', '9' }, { 'A', 'Z' }, { '_', '_' }, { 'a', 'z' } } },
	{ 's', 10,
	    { { '\t', '\r' }, { ' ', ' ' }, { 0xa0, 0xa0 }, { 0x1680, 0x1680 },
		{ 0x2000, 0x200a }, { 0x2028, 0x2029 }, { 0x202f, 0x202f },
		{ 0x205f, 0x205f }, { 0x3000, 0x3000 }, { 0xfeff, 0xfeff } } },
	{ '.', 3, { { '\n', '\n' }, { '\r', '\r' }, { 0x2028, 0x2029 } } },
};

static struct set *
listed(struct js *p, uint32_t letter)
{
	const struct shorthand *s = shorthands;
	struct set *set;

	while (s->letter != letter)
		s++;
	set = set_new(p->arena, s->ranges, s->n);
	set_finish(set);
	return set;
}

const struct set *
js_line_ends(struct js *p)
{
	return listed(p, '.');
}

const struct set *
js_dot(struct js *p)
{
	struct set *set = listed(p, '.');

	if (p->flags & REGEX_DOTALL)
		*set = (struct set){ 0 };
	set_invert(p->arena, set, UNIT_MAX_UTF16);
	return set;
}

const struct set *
js_shorthand(struct js *p, uint32_t letter)
{
	struct set *set = listed(p, letter | 0x20);

	if (letter < 'a')
		set_invert(p->arena, set, UNIT_MAX_UTF16);
	return set;
}

/* Adds the case variants of the row: for each of the row's units in `from`, the
 * unit that it becomes; with `down`, the other way round. */
static void
close_row(struct js *p, struct set *set, const struct set *from,
    const struct unicode_case *row, bool down)
{
	uint32_t step = (uint32_t)row->step, delta = (uint32_t)row->delta;
	uint32_t first = row->first, last = row->last;

	if (set_share(from, first, last) == SET_ALL &&
	    set_share(from, first + delta, last + delta) == SET_ALL)
		return;
	for (uint32_t u = first; u <= last; u += step) {
		uint32_t got = down ? u + delta : u;
		uint32_t other = down ? u : u + delta;

		if (set_has(from, got))
			set_add(p->arena, set, other, other);
	}
}

/* Implements flag i: adds every unit whose Canonicalize equals that of a unit
 * of the set. */
static void
close_case(struct js *p, struct set *set)
{
	size_t rows;
	const struct unicode_case *row = unicode_case_js(&rows);

	for (int down = 0; down < 2 && set->n > 0; down++) {
		struct set from = *set;
		uint32_t low = from.ranges[0].low;
		uint32_t high = from.ranges[from.n - 1].high;

		*set = (struct set){ 0 };
		set_add_all(p->arena, set, &from);
		for (size_t i = 0; i < rows; i++) {
			int32_t move = down ? row[i].delta : 0;

			/* no other letter folds into ASCII */
			if (high < 0x80 && row[i].first >= 0x80)
				break;
			if (row[i].last + move >= (int32_t)low &&
			    row[i].first + move <= (int32_t)high)
				close_row(p, set, &from, &row[i], down);
		}
		set_finish(set);
	}
}

struct tree *
js_literal(struct js *p, uint32_t unit)
{
	struct set *set = arena_new(p->arena, struct set);
	bool caseless = p->flags & REGEX_CASELESS;
	uint32_t small = unit | 0x20;

	if (caseless && small >= 'a' && small <= 'z') {
		set_add(p->arena, set, small ^ 0x20, small ^ 0x20);
		set_add(p->arena, set, small, small);
	} else {
		set_add(p->arena, set, unit, unit);
	}
	set_finish(set);
	if (caseless && unit >= 0x80)
		close_case(p, set);
	return tree_set(p->arena, set);
}

/* ---- escapes ---- */

/* Reads exactly that number of hexadecimal digits, or none. */
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

/* Reads the escape of a low surrogate, which makes a pair with the high one in
 * *value. */
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

/* Reads up to three digits, to 0377. */
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

/* Reads \c and a letter; in a class also a digit or "_". Otherwise the
 * backslash stands for itself, and "c" is read again. The cursor is at the
 * "c". */
static uint32_t
control(struct js *p, bool in_class)
{
	uint32_t unit = js_peek_next(p);
	bool more = ascii_is_digit(unit) || unit == '_';

	if (!ascii_is_letter(unit) && !(in_class && more))
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

/* ---- classes ---- */

/* Reads one member; adds a shorthand to the set at once. Returns whether the
 * member is a single unit, which is not added yet. */
static bool
member(struct js *p, struct set *set, uint32_t *unit)
{
	*unit = js_peek(p);
	if (*unit != '\\') {
		js_advance(p);
		return true;
	}
	switch (js_peek_next(p)) {
	case 'd':
	case 'D':
	case 's':
	case 'S':
	case 'w':
	case 'W':
		js_advance(p);
		set_add_all(p->arena, set, js_shorthand(p, js_peek(p)));
		js_advance(p);
		return false;
	default:
		*unit = js_escaped_unit(p, true);
		return true;
	}
}

/* Reads a member, or a range of two; next to a shorthand "-" stands for
 * itself. */
static void
members(struct js *p, struct set *set)
{
	size_t start = p->at;
	uint32_t low, high;
	bool low_is_unit = member(p, set, &low), high_is_unit;

	if (js_peek(p) != '-' || js_peek_next(p) == ']' ||
	    js_peek_next(p) == JS_END) {
		if (low_is_unit)
			set_add(p->arena, set, low, low);
		return;
	}
	js_advance(p);
	high_is_unit = member(p, set, &high);
	if (low_is_unit && high_is_unit) {
		if (low > high)
			js_fail(
			    p, start, "range out of order in character class");
		else
			set_add(p->arena, set, low, high);
		return;
	}
	set_add(p->arena, set, '-', '-');
	if (low_is_unit)
		set_add(p->arena, set, low, low);
	if (high_is_unit)
		set_add(p->arena, set, high, high);
}

struct tree *
js_class(struct js *p)
{
	struct set *set = arena_new(p->arena, struct set);
	size_t open = p->at;
	bool invert;

	js_advance(p);
	invert = js_skip(p, '^');
	while (js_peek(p) != ']' && js_peek(p) != JS_END)
		members(p, set);
	if (!js_skip(p, ']'))
		js_fail(p, open, "unterminated character class");
	set_finish(set);
	if (p->flags & REGEX_CASELESS)
		close_case(p, set);
	if (invert)
		set_invert(p->arena, set, UNIT_MAX_UTF16);
	return tree_set(p->arena, set);
}
