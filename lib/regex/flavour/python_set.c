/* The sets that Python's patterns name, and flag I. */
#include "regex/flavour/python.h"
#include "regex/tree/fold.h"
#include "text/unicode.h"

static const struct range spaces[] = { { 9, 13 }, { 0x1c, 0x20 },
	{ 0x85, 0x85 }, { 0xa0, 0xa0 }, { 0x1680, 0x1680 }, { 0x2000, 0x200a },
	{ 0x2028, 0x2029 }, { 0x202f, 0x202f }, { 0x205f, 0x205f },
	{ 0x3000, 0x3000 } };
static const struct range ascii_spaces[] = { { 9, 13 }, { ' ', ' ' } };
static const struct range ascii_digits[] = { { '0', '9' } };
static const struct range ascii_words[] = { { '0', '9' }, { 'A', 'Z' },
	{ '_', '_' }, { 'a', 'z' } };

/* NOLINTNEXTLINE(bugprone-macro-parentheses): two values */
#define LIST(ranges) ranges, sizeof ranges / sizeof ranges[0]

static struct set *
set_of(struct python *p, const struct range *ranges, size_t n)
{
	struct set *set = arena_new(p->arena, struct set);

	for (size_t i = 0; i < n; i++)
		set_add(p->arena, set, ranges[i].low, ranges[i].high);
	return set;
}

/* Adds the characters of the categories that begin with the letters. */
static void
add_categories(struct python *p, struct set *set, struct str letters)
{
	size_t n;
	const struct unicode_set *row = unicode_categories(&n);

	for (; n-- > 0; row++)
		if (str_starts(str_of(row->name), letters))
			set_add_unicode(p->arena, set, row);
}

static struct set *
words(struct python *p)
{
	struct set *set = set_of(p, LIST(ascii_words));

	if (!(p->flags & PYTHON_ASCII)) {
		add_categories(p, set, STR("L"));
		add_categories(p, set, STR("N"));
	}
	return set;
}

static struct set *
digits(struct python *p)
{
	struct set *set = set_of(p, LIST(ascii_digits));

	if (!(p->flags & PYTHON_ASCII))
		add_categories(p, set, STR("Nd"));
	return set;
}

struct set *
python_shorthand(struct python *p, uint32_t letter)
{
	bool ascii = p->flags & PYTHON_ASCII;
	struct set *set;

	switch (letter | 0x20) {
	case 'd':
		set = digits(p);
		break;
	case 's':
		set = ascii ? set_of(p, LIST(ascii_spaces))
			    : set_of(p, LIST(spaces));
		break;
	case 'w':
		set = words(p);
		break;
	default:
		return NULL;
	}
	set_finish(set);
	if (letter < 'a')
		set_invert(p->arena, set, UNICODE_MAX);
	return set;
}

const struct set *
python_complete(struct python *p, struct set *set, bool invert)
{
	if (p->flags & PYTHON_FOLD && p->flags & PYTHON_ASCII)
		fold_ascii(p->arena, set);
	else if (p->flags & PYTHON_FOLD)
		fold_python(p->arena, set);
	set_finish(set);
	if (invert)
		set_invert(p->arena, set, UNICODE_MAX);
	return set;
}

const struct set *
python_character(struct python *p, uint32_t c)
{
	return python_complete(p, set_of(p, &(struct range){ c, c }, 1), false);
}

const struct set *
python_newline(struct python *p)
{
	struct set *set = set_of(p, &(struct range){ '\n', '\n' }, 1);

	set_finish(set);
	return set;
}

const struct set *
python_dot(struct python *p)
{
	struct set *set = p->flags & PYTHON_DOT_ALL
	    ? set_of(p, NULL, 0)
	    : set_of(p, &(struct range){ '\n', '\n' }, 1);

	set_finish(set);
	set_invert(p->arena, set, UNICODE_MAX);
	return set;
}
