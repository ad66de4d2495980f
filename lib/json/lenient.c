#include "json/lenient.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"
#include "json/json.h"

/* ---- JSON with comments ---- */

/* Returns the length of the comment at the start of the text; 0 if there is no
 * comment, or it has no end. */
static size_t
comment(struct str text)
{
	size_t end;

	if (str_starts(text, "#") || str_starts(text, "//"))
		return str_find_char(text, '\n');
	if (!str_starts(text, "/*"))
		return 0;
	end = str_find(str_from(text, 2), "*/");
	return end == text.n - 2 ? 0 : end + 4;
}

/* Returns the end of the string that begins at i, or 0 if it has no end. */
static size_t
string_end(struct str t, size_t i)
{
	for (i++; i < t.n && t.s[i] != '"'; i++)
		if (t.s[i] == '\\')
			i++;
	return i < t.n ? i + 1 : 0;
}

static void
blank(char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!json_is_space(p[i]))
			p[i] = ' ';
}

struct str
jsonc_blank(struct arena *a, struct str text)
{
	char *copy = arena_alloc(a, text.n);
	size_t comma = 0; /* position of the last comma */
	char before = '\0',
	     last = '\0'; /* the tokens before that comma, and the last token */

	memcpy(copy, text.s, text.n);
	for (size_t i = 0, n; i < text.n; i += n) {
		struct str rest = str_from(text, i);

		n = comment(rest);
		if (n > 0) {
			blank(copy + i, n);
			continue;
		}
		n = text.s[i] == '"' ? string_end(rest, 0) : 1;
		if (n == 0)
			n = rest.n;
		if (json_is_space(text.s[i]))
			continue;
		if ((text.s[i] == ']' || text.s[i] == '}') && last == ',' &&
		    strchr("[{,:", before) == NULL)
			copy[comma] = ' ';
		if (text.s[i] == ',') {
			comma = i;
			before = last;
		}
		last = text.s[i];
	}
	return (struct str){ copy, text.n };
}

struct str
jsonc_skip(struct str text)
{
	size_t n;

	for (;;) {
		if (text.n > 0 && json_is_space(*text.s))
			n = 1;
		else
			n = comment(text);
		if (n == 0)
			return text;
		text = str_from(text, n);
	}
}

/* ---- JSON that was cut off ---- */

struct cut {
	struct str text;
	char *open; /* the closing brackets of what is open */
	size_t depth;
	bool key_read; /* the next value belongs to a member whose key was
		        * read */
	/* The length of the text that is whole, and the depth at its end. */
	size_t whole, whole_depth;
};

static void
keep_to(struct cut *c, size_t end)
{
	c->whole = end;
	c->whole_depth = c->depth;
	c->key_read = false;
}

static bool
is_in(struct str set, char c)
{
	return str_find_char(set, c) < set.n;
}

/* Returns the end of the word or number that begins at i, or 0 if it may
 * continue behind the cut. */
static size_t
word_end(struct str t, size_t i)
{
	while (i < t.n && !is_in(STR(",]} \t\r\n"), t.s[i]))
		i++;
	return i < t.n ? i : 0;
}

static size_t
pass_bracket(struct cut *c, size_t i)
{
	char bracket = c->text.s[i];

	if (bracket == '}' || bracket == ']') {
		c->depth -= c->depth != 0;
	} else {
		c->open[c->depth++] = bracket == '{' ? '}' : ']';
	}
	keep_to(c, i + 1);
	return i + 1;
}

/* Returns the end of the token that begins at i, or 0 if the cut is there. */
static size_t
pass(struct cut *c, size_t i)
{
	char first = c->text.s[i];
	bool in_object = c->depth != 0 && c->open[c->depth - 1] == '}';
	size_t end;

	if (is_in(STR(", \t\r\n:"), first))
		return i + 1;
	if (is_in(STR("{}[]"), first))
		return pass_bracket(c, i);
	end = first == '"' ? string_end(c->text, i) : word_end(c->text, i);
	if (end == 0)
		return 0;
	if (in_object && !c->key_read)
		c->key_read = true;
	else
		keep_to(c, end);
	return end;
}

struct str
json_repair(struct arena *a, struct str text)
{
	struct cut c = { .text = text, .open = arena_room(a, text.n) };
	char *repaired;
	size_t i = 0;

	while (i < text.n && (i = pass(&c, i)) != 0)
		continue;
	repaired = arena_alloc(a, c.whole + c.whole_depth + 1);
	memcpy(repaired, text.s, c.whole);
	for (i = 0; i < c.whole_depth; i++)
		repaired[c.whole + i] = c.open[c.whole_depth - 1 - i];
	return (struct str){ repaired, c.whole + c.whole_depth };
}

/* ---- bytes that are no UTF-8 ---- */

#define REPLACEMENT STR("\xef\xbf\xbd") /* U+FFFD */

/* Returns the text's first character, or what replaces the bad bytes at the
 * text's start; moves the text behind them. */
static struct str
next_character(struct str *text)
{
	size_t n = utf8_length(text->s, text->n);
	struct str c = n != 0 ? str_slice(*text, 0, n) : REPLACEMENT;

	if (n == 0)
		n = 1;
	while (c.s != text->s && n < text->n && utf8_is_cut(text->s, n + 1))
		n++;
	*text = str_from(*text, n);
	return c;
}

struct str
json_mend_utf8(struct arena *a, struct str text)
{
	char *mended = arena_room(a, 3 * text.n);
	size_t n = 0;

	while (text.n != 0) {
		struct str c = next_character(&text);

		memcpy(mended + n, c.s, c.n);
		n += c.n;
	}
	return (struct str){ mended, n };
}

size_t
json_mended_from(struct str text, size_t offset)
{
	struct str rest = text;

	for (size_t n = 0; n < offset && rest.n != 0;)
		n += next_character(&rest).n;
	return text.n - rest.n;
}
