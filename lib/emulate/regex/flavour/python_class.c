/* Sets in Python's patterns: shorthands, flag I, escapes, classes. */
#include "base/ascii.h"
#include "emulate/regex/flavour/python.h"
#include "emulate/regex/tree/fold.h"
#include "text/unicode.h"

static const struct range spaces[] = { { 9, 13 }, { 0x1c, 0x20 },
	{ 0x85, 0x85 }, { 0xa0, 0xa0 }, { 0x1680, 0x1680 }, { 0x2000, 0x200a },
	{ 0x2028, 0x2029 }, { 0x202f, 0x202f }, { 0x205f, 0x205f },
	{ 0x3000, 0x3000 } };
static const struct range ascii_spaces[] = { { 9, 13 }, { ' ', ' ' } };
static const struct range ascii_digits[] = { { '0', '9' } };
static const struct range ascii_words[] = { { '0', '9' }, { 'A', 'Z' },
	{ '_', '_' }, { 'a', 'z' } };

/* Adds the characters of the categories whose names begin with the letters. */
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
	struct set *set = set_new(p->arena, SET_RANGES(ascii_words));

	if (!(p->flags & PYTHON_ASCII)) {
		add_categories(p, set, STR("L"));
		add_categories(p, set, STR("N"));
	}
	return set;
}

static struct set *
digits(struct python *p)
{
	struct set *set = set_new(p->arena, SET_RANGES(ascii_digits));

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
		set = ascii ? set_new(p->arena, SET_RANGES(ascii_spaces))
			    : set_new(p->arena, SET_RANGES(spaces));
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

/* Finishes a set: adds what flag I adds, then inverts the set if asked to. */
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
	return complete(
	    p, set_new(p->arena, &(struct range){ c, c }, 1), false);
}

const struct set *
python_newline(struct python *p)
{
	struct set *set = set_new(p->arena, &(struct range){ '\n', '\n' }, 1);

	set_finish(set);
	return set;
}

const struct set *
python_dot(struct python *p)
{
	struct set *set = p->flags & PYTHON_DOT_ALL
	    ? set_new(p->arena, NULL, 0)
	    : set_new(p->arena, &(struct range){ '\n', '\n' }, 1);

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

/* Reads exactly n hexadecimal digits, behind \x, \u or \U. */
static uint32_t
hex(struct python *p, size_t from, int n)
{
	uint32_t value = 0;

	for (int i = 0; i < n; i++) {
		int digit = ascii_hex(python_peek(p));

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

uint32_t
python_octal(struct python *p, size_t from, uint32_t value, int n)
{
	for (; n > 0 && python_is_octal(python_peek(p)); n--)
		value = value * 8 + (python_next(p) - '0');
	if (value > 0377)
		python_fail(p, from,
		    str_printf(p->arena,
			"octal escape value %.*s outside of range 0-0o377",
			STR_FMT(str_slice(p->pattern, from, p->at))));
	return value;
}

uint32_t
python_escaped(struct python *p, size_t from, uint32_t letter)
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
	return ascii_is_letter(letter) ? bad_escape(p, from) : letter;
}

/* ---- classes ---- */

static const struct set *
class_escape(struct python *p, size_t from, uint32_t *character)
{
	uint32_t letter = python_next(p);
	const struct set *set = python_shorthand(p, letter);

	if (set != NULL)
		return set;
	if (python_is_octal(letter))
		*character = python_octal(p, from, letter - '0', 2);
	else if (ascii_is_digit(letter))
		*character = bad_escape(p, from);
	else
		*character =
		    letter == 'b' ? '\b' : python_escaped(p, from, letter);
	return NULL;
}

/* An item of a class: a set, or a character if `set` is NULL. */
struct item {
	const struct set *set;
	uint32_t character;
	size_t from;
};

static struct item
class_item(struct python *p, size_t open)
{
	struct item item = { .from = p->at };

	item.character = python_next(p);
	if (item.character == PYTHON_END)
		python_fail_c(p, open, "unterminated character set");
	if (item.character == '\\')
		item.set = class_escape(p, item.from, &item.character);
	return item;
}

/* Returns the source of the item that begins at `from` as Python names it: of
 * an escape no more than its letter. */
static struct str
item_name(const struct python *p, size_t from)
{
	struct python end = *p;

	end.at = from;
	python_token(&end);
	return str_slice(p->pattern, from, end.at);
}

/* Reports a wrong range. Python takes the range to be as long as the names of
 * its ends. */
static void
fail_range(struct python *p, size_t low_from, size_t high_from)
{
	struct str low = item_name(p, low_from), high = item_name(p, high_from);
	size_t n = low.s[0] == '\\' ? 2 : 1, m = high.s[0] == '\\' ? 2 : 1;

	python_fail(p, python_back(p, n + 1 + m),
	    str_printf(p->arena, "bad character range %.*s-%.*s", STR_FMT(low),
		STR_FMT(high)));
}

static void
add_range(struct python *p, struct set *set, struct item low, size_t open)
{
	struct item high = class_item(p, open);

	if (p->failed)
		return;
	if (low.set != NULL || high.set != NULL ||
	    high.character < low.character)
		fail_range(p, low.from, high.from);
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
