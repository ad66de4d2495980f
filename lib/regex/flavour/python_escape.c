/* Escapes in Python's patterns, in classes and outside. */
#include "base/ascii.h"
#include "regex/flavour/python.h"
#include "text/unicode.h"

static bool
is_octal(uint32_t c)
{
	return c >= '0' && c <= '7';
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

/* Exactly n hexadecimal digits, behind \x, \u or \U. */
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
escaped(struct python *p, size_t from, uint32_t letter)
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

/* ---- escapes outside classes ---- */

static struct tree *
place(struct python *p, uint32_t letter)
{
	struct tree *t;

	if (letter == 'A')
		return tree_at(p->arena, AT_START, NULL);
	if (letter == 'Z')
		return tree_at(p->arena, AT_END, NULL);
	t = tree_at(p->arena, letter == 'b' ? AT_EDGE : AT_NO_EDGE,
	    python_shorthand(p, 'w'));
	t->negate = letter == 'B'; /* it does not hold in an empty text */
	return t;
}

/* A number that is an octal escape of three digits, or else a group's. */
static struct tree *
number(struct python *p, size_t from, uint32_t first)
{
	size_t group = first - '0';

	if (ascii_is_digit(python_peek(p))) {
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
	else if (ascii_is_digit(letter))
		return number(p, from, letter);
	else if ((set = python_shorthand(p, letter)) == NULL)
		set = python_character(p, escaped(p, from, letter));
	return tree_set(p->arena, set);
}

const struct set *
python_class_escape(struct python *p, size_t from, uint32_t *character)
{
	uint32_t letter = python_next(p);
	const struct set *set = python_shorthand(p, letter);

	if (set != NULL)
		return set;
	if (is_octal(letter))
		*character = octal(p, from, letter - '0', 2);
	else if (ascii_is_digit(letter))
		*character = bad_escape(p, from);
	else
		*character = letter == 'b' ? '\b' : escaped(p, from, letter);
	return NULL;
}
