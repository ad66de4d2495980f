#include "json/jsonc.h"

#include <string.h>

#include "json/json.h"

/* The length of the comment at the start of the text; 0: there is none, or it
 * has no end. */
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

/* The length of the string at the start of the text. */
static size_t
string(struct str text)
{
	size_t i = 1;

	while (i < text.n && text.s[i] != '"')
		i += text.s[i] == '\\' ? 2 : 1;
	return i < text.n ? i + 1 : text.n;
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
	size_t comma = 0; /* where the last one stands */
	char before = '\0',
	     last = '\0'; /* the tokens before it, and the last */

	memcpy(copy, text.s, text.n);
	for (size_t i = 0, n; i < text.n; i += n) {
		struct str rest = str_from(text, i);

		n = comment(rest);
		if (n > 0) {
			blank(copy + i, n);
			continue;
		}
		n = text.s[i] == '"' ? string(rest) : 1;
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
