/* Escapes, classes and flag I of Python's patterns. */
#include "../unicode.h"
#include "../unicode_sets.h"
#include "fold.h"
#include "python.h"

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

static bool
is_letter(uint32_t c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static bool
is_octal(uint32_t c)
{
	return c >= '0' && c <= '7';
}

static bool
is_digit(uint32_t c)
{
	return c >= '0' && c <= '9';
}

/* ---- sets ---- */

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

	for (; n-- > 0; row++) {
		uint32_t at = 0;

		if (!str_starts(str_of(row->name), letters))
			continue;
		for (size_t i = 0; i < row->n; i++) {
			if (i % 2 == 1 && row->runs[i] != 0)
				set_add(
				    p->arena, set, at, at + row->runs[i] - 1);
			at += row->runs[i];
		}
	}
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

/* \d, \s, \w and what they leave; NULL for another letter. */
static struct set *
shorthand(struct python *p, uint32_t letter)
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

static const struct set *
complete(struct python *p, struct set *set, bool invert)
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
	return complete(p, set_of(p, &(struct range){ c, c }, 1), false);
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

/* ---- characters by escape ---- */

static uint32_t
bad_escape(struct python *p, size_t from)
{
	struct str piece = str_slice(p->pattern, from, p->at);

	python_fail(
	    p, from, str_printf(p->arena, "bad escape %.*s", STR_FMT(piece)));
	return 0;
}

static int
hex_value(uint32_t c)
{
	if (is_digit(c))
		return (int)(c - '0');
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? (int)(c - 'a' + 10) : -1;
}

/* Exactly n hexadecimal digits, behind \x, \u or \U. */
static uint32_t
hex(struct python *p, size_t from, int n)
{
	uint32_t value = 0;

	for (int i = 0; i < n; i++) {
		int digit = hex_value(python_peek(p));

		if (digit < 0) {
			struct str piece = str_slice(p->pattern, from, p->at);

			python_fail(p, from,
			    str_printf(p->arena, "incomplete escape %.*s",
				STR_FMT(piece)));
			return 0;
		}
		value = value << 4 | (uint32_t)digit;
		python_next(p);
	}
	return value > UNICODE_MAX ? bad_escape(p, from) : value;
}

/* Up to n more octal digits; `value` is what the first ones say. */
static uint32_t
octal(struct python *p, size_t from, uint32_t value, int n)
{
	for (; n > 0 && is_octal(python_peek(p)); n--)
		value = value * 8 + (python_next(p) - '0');
	if (value > 0377)
		python_fail(p, from,
		    str_printf(p->arena,
			"octal escape value %.*s outside of range 0-0o377",
			STR_FMT(str_slice(p->pattern, from, p->at))));
	return value;
}

/* An escape that is one character, inside a class or out; the cursor is
 * behind its first letter. */
static uint32_t
character(struct python *p, size_t from, uint32_t letter)
{
	static const char letters[] = "afnrtv", values[] = "\a\f\n\r\t\v";

	switch (letter) {
	case 'x':
		return hex(p, from, 2);
	case 'u':
		return hex(p, from, 4);
	case 'U':
		return hex(p, from, 8);
	case 'N':
		python_fail_c(p, from,
		    "\\N: characters by their Unicode name are not known here");
		return 0;
	case PYTHON_END:
		python_fail_c(p, from, "bad escape (end of pattern)");
		return 0;
	default:
		break;
	}
	for (size_t i = 0; letters[i] != '\0'; i++)
		if (letter == (uint32_t)letters[i])
			return (uint32_t)values[i];
	return is_letter(letter) ? bad_escape(p, from) : letter;
}

/* ---- escapes outside classes ---- */

static struct tree *
place(struct python *p, uint32_t letter)
{
	struct set *word;
	struct tree *t;

	if (letter == 'A')
		return tree_at(p->arena, AT_START, NULL);
	if (letter == 'Z')
		return tree_at(p->arena, AT_END, NULL);
	word = words(p);
	set_finish(word);
	t = tree_at(p->arena, letter == 'b' ? AT_EDGE : AT_NO_EDGE, word);
	t->negate = letter == 'B'; /* it does not hold in an empty text */
	return t;
}

/* A number that is an octal escape of three digits, or else a group's. */
static struct tree *
number(struct python *p, size_t from, uint32_t first)
{
	size_t group = first - '0';

	if (is_digit(python_peek(p))) {
		uint32_t second = python_next(p);

		if (is_octal(first) && is_octal(second) &&
		    is_octal(python_peek(p)))
			return tree_set(p->arena,
			    python_character(p,
				octal(p, from,
				    (first - '0') * 8 + (second - '0'), 1)));
		group = group * 10 + (second - '0');
	}
	if (group >= p->ngroups) {
		python_fail(p, from + 1,
		    str_printf(p->arena, "invalid group reference %zu", group));
		return tree_new(p->arena, TREE_EMPTY);
	}
	return python_reference(p, group, from);
}

struct tree *
python_escape(struct python *p)
{
	size_t from = p->at;
	const struct set *set;
	uint32_t letter;

	python_next(p);
	letter = python_next(p);
	if (letter == 'A' || letter == 'Z' || letter == 'b' || letter == 'B')
		return place(p, letter);
	if (letter == '0')
		set = python_character(p, octal(p, from, 0, 2));
	else if (is_digit(letter))
		return number(p, from, letter);
	else if ((set = shorthand(p, letter)) == NULL)
		set = python_character(p, character(p, from, letter));
	return tree_set(p->arena, set);
}

/* ---- classes ---- */

/* What one item of a class is: a character, or a set. */
struct item {
	const struct set *set;
	uint32_t character;
	size_t from;
};

static struct item
class_item(struct python *p, size_t open)
{
	struct item item = { .from = p->at };
	uint32_t letter;

	item.character = python_next(p);
	if (item.character == PYTHON_END)
		python_fail_c(p, open, "unterminated character set");
	if (item.character != '\\')
		return item;
	letter = python_next(p);
	item.set = shorthand(p, letter);
	if (item.set != NULL)
		return item;
	if (is_octal(letter))
		item.character = octal(p, item.from, letter - '0', 2);
	else if (is_digit(letter))
		item.character = bad_escape(p, item.from);
	else
		item.character =
		    letter == 'b' ? '\b' : character(p, item.from, letter);
	return item;
}

static void
add_range(struct python *p, struct set *set, struct item low, size_t open)
{
	struct item high = class_item(p, open);

	if (p->failed)
		return;
	if (low.set != NULL || high.set != NULL ||
	    high.character < low.character)
		python_fail(p, low.from,
		    str_printf(p->arena, "bad character range %.*s",
			STR_FMT(str_slice(p->pattern, low.from, p->at))));
	else
		set_add(p->arena, set, low.character, high.character);
}

static void
add_item(struct python *p, struct set *set, struct item item)
{
	if (item.set != NULL)
		set_add_all(p->arena, set, item.set);
	else
		set_add(p->arena, set, item.character, item.character);
}

const struct set *
python_class(struct python *p)
{
	size_t open = p->at;
	struct set *set = arena_new(p->arena, struct set);
	bool invert, first = true;

	python_next(p);
	invert = python_skip(p, '^');
	for (; !p->failed && (first || !python_skip(p, ']')); first = false) {
		struct item item = class_item(p, open);

		if (p->failed)
			break;
		if (!python_skip(p, '-')) {
			add_item(p, set, item);
		} else if (python_skip(p, ']')) {
			add_item(p, set, item);
			set_add(p->arena, set, '-', '-');
			break;
		} else {
			add_range(p, set, item, open);
		}
	}
	return complete(p, set, invert);
}
