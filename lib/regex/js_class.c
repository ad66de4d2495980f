/* Classes and other sets of JavaScript's patterns, and flag i. */
#include "../unicode.h"
#include "js.h"

static const struct range digits[] = { { '0', '9' } };
static const struct range words[] = {
	{ '0', '9' },
	{ 'A', 'Z' },
	{ '_', '_' },
	{ 'a', 'z' },
};
static const struct range spaces[] = {
	{ 9, 13 },
	{ ' ', ' ' },
	{ 0xa0, 0xa0 },
	{ 0x1680, 0x1680 },
	{ 0x2000, 0x200a },
	{ 0x2028, 0x2029 },
	{ 0x202f, 0x202f },
	{ 0x205f, 0x205f },
	{ 0x3000, 0x3000 },
	{ 0xfeff, 0xfeff },
};
static const struct range line_ends[] = {
	{ '\n', '\n' },
	{ '\r', '\r' },
	{ 0x2028, 0x2029 },
};

#define LIST(ranges) ranges, sizeof ranges / sizeof ranges[0]

static const struct shorthand {
	uint32_t letter;
	const struct range *ranges;
	size_t n;
	bool invert;
} shorthands[] = {
	{ 'd', LIST(digits), false },
	{ 'D', LIST(digits), true },
	{ 's', LIST(spaces), false },
	{ 'S', LIST(spaces), true },
	{ 'w', LIST(words), false },
	{ 'W', LIST(words), true },
	{ '.', LIST(line_ends), true },
};

static struct set *
set_of(struct js *p, const struct range *ranges, size_t n)
{
	struct set *set = arena_new(p->arena, struct set);

	for (size_t i = 0; i < n; i++)
		set_add(p->arena, set, ranges[i].low, ranges[i].high);
	set_finish(set);
	return set;
}

const struct set *
js_line_ends(struct js *p)
{
	return set_of(p, LIST(line_ends));
}

const struct set *
js_shorthand(struct js *p, uint32_t letter)
{
	const struct shorthand *s = shorthands;
	struct set *set;

	while (s->letter != letter)
		s++;
	if (letter == '.' && p->flags & REGEX_DOTALL)
		set = set_of(p, NULL, 0);
	else
		set = set_of(p, s->ranges, s->n);
	if (s->invert)
		set_invert(p->arena, set, UNIT_MAX_UTF16);
	return set;
}

/* The units of one row that are in the set bring what they become, or, going
 * up, what becomes a unit of the set is brought. */
static void
close_row(struct js *p, struct set *set, const struct set *from,
    const struct unicode_case *row, bool up)
{
	uint32_t delta = (uint32_t)row->delta;
	uint32_t move = up ? delta : 0;

	for (uint32_t u = row->first; u <= row->last; u += (uint32_t)row->step)
		if (set_has(from, u + move))
			set_add(
			    p->arena, set, u + delta - move, u + delta - move);
}

/* Whether the row can bring anything to the set that it has not. */
static bool
row_matters(const struct set *set, const struct unicode_case *row)
{
	uint32_t first = row->first, last = row->last;
	uint32_t delta = (uint32_t)row->delta;
	enum set_share lower = set_share(set, first, last);
	enum set_share upper = set_share(set, first + delta, last + delta);

	return lower != upper || lower == SET_SOME;
}

/* Flag i: adds what has the same Canonicalize as a unit of the set. */
static void
close_case(struct js *p, struct set *set)
{
	size_t rows;
	const struct unicode_case *row = unicode_case_js(&rows);

	for (int up = 0; up < 2; up++) {
		struct set from = *set;

		*set = (struct set){ 0 };
		set_add_all(p->arena, set, &from);
		for (size_t i = 0; i < rows; i++)
			if (row_matters(&from, &row[i]))
				close_row(p, set, &from, &row[i], up);
		set_finish(set);
	}
}

struct tree *
js_literal(struct js *p, uint32_t unit)
{
	struct set *set = arena_new(p->arena, struct set);

	set_add(p->arena, set, unit, unit);
	set_finish(set);
	if (p->flags & REGEX_CASELESS)
		close_case(p, set);
	return tree_set(p->arena, set);
}

/* Reads one member; a shorthand goes into the set as it is. True if it was a
 * single unit. */
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

/* A member, or a range of two: next to a shorthand "-" is itself. */
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
