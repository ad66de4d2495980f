/* Text in Python: isalpha, repr, and the dates and times of PyYAML. */
#include <stdio.h>
#include <string.h>

#include "emulate/lang/py.h"
#include "text/unicode.h"
#include "text/unicode_sets.h"

/* Returns the character's general category. */
static const char *
category(uint32_t c)
{
	size_t n;
	const struct unicode_set *sets = unicode_categories(&n);

	for (size_t i = 0; i < n; i++)
		if (unicode_listed(sets[i].runs, sets[i].n, c))
			return sets[i].name;
	return "Cn";
}

bool
py_isalpha(uint32_t c)
{
	return *category(c) == 'L';
}

/* Returns whether repr prints the character itself: all but other characters
 * (C) and separators (Z). */
static bool
is_printable(uint32_t c)
{
	char kind = *category(c);

	return c == ' ' || (kind != 'C' && kind != 'Z');
}

/* Returns the character, whose bytes are `s`, as it is written in quotes. */
static struct str
written(struct arena *a, uint32_t c, struct str s, char quote)
{
	if (c == (uint32_t)quote || c == '\\')
		return str_printf(a, "\\%c", (int)c);
	if (c == '\n')
		return STR("\\n");
	if (c == '\r')
		return STR("\\r");
	if (c == '\t')
		return STR("\\t");
	if (is_printable(c))
		return s;
	if (c <= 0xff)
		return str_printf(a, "\\x%02x", c);
	if (c <= 0xffff)
		return str_printf(a, "\\u%04x", c);
	return str_printf(a, "\\U%08x", c);
}

struct str
py_repr(struct arena *a, struct str text)
{
	bool apostrophe = str_find_char(text, '\'') < text.n;
	bool quotes = str_find_char(text, '"') < text.n;
	char quote = apostrophe && !quotes ? '"' : '\'';
	struct str mark = { quote == '"' ? "\"" : "'", 1 }, *parts = NULL;
	size_t n = 0, length;

	*arena_push(a, parts, n) = mark;
	for (; text.n != 0; text = str_from(text, length)) {
		uint32_t c = unicode_decode(text, &length);

		*arena_push(a, parts, n) =
		    written(a, c, str_slice(text, 0, length), quote);
	}
	*arena_push(a, parts, n) = mark;
	return str_join(a, parts, n, STR(""));
}

/* ---- dates and times ---- */

/* Removes `least` to `most` digits from the start of the text. Returns false,
 * and leaves the text unchanged, if there are fewer. */
static bool
take_digits(struct str *text, size_t least, size_t most)
{
	size_t n = 0;

	while (
	    n < text->n && n < most && text->s[n] >= '0' && text->s[n] <= '9')
		n++;
	if (n < least)
		return false;
	*text = str_from(*text, n);
	return true;
}

/* Removes one of these characters from the start of the text. */
static bool
take(struct str *text, const char *characters)
{
	if (text->n == 0 || *text->s == '\0' ||
	    strchr(characters, *text->s) == NULL)
		return false;
	*text = str_from(*text, 1);
	return true;
}

static bool
take_blanks(struct str *text)
{
	size_t before = text->n;

	while (take(text, " \t"))
		continue;
	return text->n < before;
}

static bool
take_date(struct str *text)
{
	return take_digits(text, 4, 4) && take(text, "-") &&
	    take_digits(text, 1, 2) && take(text, "-") &&
	    take_digits(text, 1, 2);
}

static bool
take_time(struct str *text)
{
	bool good = take_digits(text, 1, 2) && take(text, ":") &&
	    take_digits(text, 2, 2) && take(text, ":") &&
	    take_digits(text, 2, 2);

	if (good && take(text, "."))
		take_digits(text, 0, text->n);
	return good;
}

static bool
is_zone(struct str text)
{
	if (take(&text, "Z"))
		return text.n == 0;
	return take(&text, "-+") && take_digits(&text, 1, 2) &&
	    (text.n == 0 ||
		(take(&text, ":") && take_digits(&text, 2, 2) && text.n == 0));
}

bool
py_is_instant(struct str text)
{
	const size_t whole = sizeof "2024-01-02" - 1;
	struct str rest = text;

	if (!take_date(&rest))
		return false;
	if (rest.n == 0)
		return text.n == whole;
	if ((!take(&rest, "Tt") && !take_blanks(&rest)) || !take_time(&rest))
		return false;
	take_blanks(&rest);
	return rest.n == 0 || is_zone(rest);
}
