/* Signs of HTML in a text, as promptfoo's contains-html counts them. */
#include "base/ascii.h"
#include "emulate/content/html.h"
#include "emulate/lang/js.h"
#include "text/caseless.h"
#include "text/unicode.h"

enum {
	SIGNS = 2,            /* with this many, a text holds HTML */
	LENGTH_MAX = 10485760 /* bytes of a text that is looked at */
};

/* Returns the length of the white space at i: of one character, or 0. */
static size_t
space(struct str t, size_t i)
{
	size_t used;

	if (i >= t.n || !js_is_space(unicode_decode(str_from(t, i), &used)))
		return 0;
	return used;
}

static size_t
after_spaces(struct str t, size_t i)
{
	for (size_t n; (n = space(t, i)) != 0;)
		i += n;
	return i;
}

static bool
is_letter(struct str t, size_t i)
{
	return i < t.n && ascii_is_letter((unsigned char)t.s[i]);
}

/* Returns the end of the tag's name at i; i if there is none. */
static size_t
after_name(struct str t, size_t i)
{
	size_t to = i;

	while (is_letter(t, i) && to < t.n &&
	    (ascii_is_alnum((unsigned char)t.s[to]) || t.s[to] == '-'))
		to++;
	return to;
}

static bool
is_at(struct str t, size_t i, char c)
{
	return i < t.n && t.s[i] == c;
}

/* The signs, as bits. */
enum {
	OPENING = 1,
	CLOSING = 2,
	EMPTY = 4, /* <br/> */
	ENTITY = 8,
	DOCTYPE = 16,
	COMMENT = 32,
	ATTRIBUTE = 64,
	COMMON = 128, /* a tag of an element that is common */
};

/* A text, and places in it. */
struct scan {
	struct str text;
	size_t quote;   /* the last quotation mark, or 0 */
	size_t bracket; /* a '>' behind all places that were asked for */
};

/* Returns the place of the first '>' from i on, or the text's length. The places
 * that are asked for ascend. */
static size_t
next_bracket(struct scan *s, size_t i)
{
	if (s->bracket < i)
		s->bracket = i + str_find_char(str_from(s->text, i), '>');
	return s->bracket;
}

/* Returns the signs of a tag that opens at i. */
static unsigned
opening(struct scan *s, size_t i)
{
	struct str t = s->text;
	size_t name = after_name(t, i + 1), end, word = i + 1;
	unsigned found = 0;

	while (word < t.n &&
	    (ascii_is_alnum((unsigned char)t.s[word]) || t.s[word] == '_'))
		word++;
	if (caseless_is_one_of(str_slice(t, i + 1, word),
		"html head body div span p a img h1 h2 h3 h4 h5 h6 ul ol li "
		"table tr td th form input button script style link meta br "
		"hr"))
		found |= COMMON;
	if (name == i + 1)
		return found;
	if (is_at(t, name, '>'))
		return found | OPENING;
	if (is_at(t, name, '/') && is_at(t, name + 1, '>'))
		return found | EMPTY;
	if (space(t, name) == 0)
		return found;
	end = next_bracket(s, name);
	if (end == t.n)
		return found;
	if (t.s[end - 1] == '/')
		found |= EMPTY;
	return found | OPENING;
}

static unsigned
entity(struct str t, size_t i)
{
	size_t from = ++i;
	bool number = is_at(t, i, '#'), hex = number && is_at(t, i + 1, 'x');

	from += (size_t)number + (size_t)hex;
	for (i = from; i < t.n; i++) {
		unsigned char c = (unsigned char)t.s[i];

		if (hex          ? ascii_hex(c) < 0
			: number ? !ascii_is_digit(c)
				 : !ascii_is_letter(c))
			break;
	}
	return i != from && is_at(t, i, ';') ? ENTITY : 0;
}

static unsigned
declaration(struct str t, size_t i)
{
	static const struct str doctype = STR_CONST("<!doctype");
	struct str rest = str_from(t, i);
	size_t at;

	if (str_starts(rest, "<!--")) {
		at = i + 4 + str_find(str_from(t, i + 4), "--");
		return is_at(t, at + 2, '>') ? COMMENT : 0;
	}
	if (!str_eq_ascii_nocase(str_slice(rest, 0, doctype.n), doctype))
		return 0;
	at = after_spaces(t, i + doctype.n);
	return at != i + doctype.n &&
		str_eq_ascii_nocase(str_slice(t, at, at + 4), STR("html"))
	    ? DOCTYPE
	    : 0;
}

/* Returns the sign of an attribute with a quoted value, if the white space of n
 * bytes at i is followed by one. `last` is the place of the last quote. */
static unsigned
attribute(struct str t, size_t i, size_t n, size_t last)
{
	size_t name = i + n, end = name;

	while (is_letter(t, end) || is_at(t, end, '-'))
		end++;
	if (end == name || !is_at(t, end, '='))
		return 0;
	end = after_spaces(t, end + 1);
	return (is_at(t, end, '"') || is_at(t, end, '\'')) && end < last
	    ? ATTRIBUTE
	    : 0;
}

static unsigned
signs_at(struct scan *s, size_t i)
{
	struct str t = s->text;
	size_t n = space(t, i);

	if (n != 0)
		return attribute(t, i, n, s->quote);
	if (t.s[i] == '&')
		return entity(t, i);
	if (t.s[i] != '<')
		return 0;
	if (is_at(t, i + 1, '!'))
		return declaration(t, i);
	if (!is_at(t, i + 1, '/'))
		return opening(s, i);
	n = after_name(t, i + 2);
	return n != i + 2 && is_at(t, after_spaces(t, n), '>') ? CLOSING : 0;
}

bool
html_has_signs(struct str text)
{
	struct scan s = { .text = text };
	unsigned found = 0;
	int n = 0;

	if (text.n > LENGTH_MAX)
		return false;
	for (size_t i = text.n; i-- != 0 && s.quote == 0;)
		if (text.s[i] == '"' || text.s[i] == '\'')
			s.quote = i;
	for (size_t i = 0; i < text.n; i++)
		found |= signs_at(&s, i);
	for (unsigned bit = OPENING; bit <= COMMON; bit <<= 1)
		if (found & bit)
			n += bit == DOCTYPE || bit == COMMON ? 2 : 1;
	return n >= SIGNS;
}
