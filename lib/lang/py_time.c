/* py_is_instant: the regular expression of PyYAML's resolver, by hand. */
#include <string.h>

#include "lang/py.h"

/* Takes so many digits off the text, or leaves it. */
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

/* Takes one of the characters off the text. */
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
