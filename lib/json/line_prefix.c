#include "json/line_prefix.h"

enum { LINE_PREFIX_MAX = 400 };

static bool
is_one_of(struct str line, const char *const *beginnings)
{
	for (; *beginnings != NULL; beginnings++)
		if (str_starts(line, str_of(*beginnings)))
			return true;
	return false;
}

/* A list in JSON is not a prefix; "[client -> server] " and "[12:00:00] "
 * are. */
static bool
is_json(struct str line, size_t object)
{
	size_t close = str_find_char(line, ']');

	if (line.s[0] != '[')
		return false;
	for (size_t i = 1; i < object; i++)
		if (line.s[i] != ' ' && line.s[i] != '\t')
			return close > object || line.s[i] == '"';
	return true;
}

size_t
line_prefix_length(struct str line)
{
	struct str text = str_trim(line);
	size_t indent = (size_t)(text.s - line.s);
	size_t object = str_find_char(text, '{');

	if (text.n == 0 || object == 0 || object == text.n ||
	    object > LINE_PREFIX_MAX)
		return 0;
	if (str_starts(text, "data:"))
		return indent + object;
	if (is_json(text, object) ||
	    str_find(str_from(text, object), "\"jsonrpc\"") == text.n - object)
		return 0;
	return indent + object;
}

/* Returns whether a line is dated: 2026-03-02T09:00:00.000Z [server] [info]
 * ... */
static bool
is_dated(struct str line)
{
	struct str head = str_slice(line, 0, line.n < 40 ? line.n : 40);

	return line.n > 26 && line.s[4] == '-' && line.s[10] == 'T' &&
	    str_find(head, "Z [") != head.n;
}

bool
line_prefix_is_frame(struct str line)
{
	static const char *const beginnings[] = { "event:", "id:", "retry:",
		":", "data: [DONE]", "data:[DONE]",
		"Content-Length:", "Content-Type:", NULL };
	struct str text = str_trim(line);

	return is_one_of(text, beginnings) || is_dated(text);
}
