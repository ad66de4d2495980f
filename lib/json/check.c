/* Strings that the scan found suspicious. */
#include <string.h>

#include "base/utf8.h"
#include "json/parser.h"

static const char *
escape(struct json_parser *r, const char *p)
{
	const char *back = p++;

	if (p < r->end && (*p == '\0' || strchr("u\"\\/bfnrt", *p) == NULL))
		return json_fail(r, back, "unknown escape in a string");
	if (p < r->end && *p++ != 'u')
		return p;
	for (int i = 0; i < 4; i++, p++) {
		if (p >= r->end)
			return json_fail(
			    r, r->end, "text ends within a string");
		if (!json_is_hex(*p))
			return json_fail(
			    r, back, "\\u without four hexadecimal digits");
	}
	return p;
}

/* It may be an escape. */
static const char *
character(struct json_parser *r, const char *p)
{
	size_t left = (size_t)(r->end - p), n = utf8_length(p, left);

	if (*p == '\\')
		return escape(r, p);
	if ((unsigned char)*p < 0x20)
		return json_fail(
		    r, p, "unescaped control character in a string");
	if (n == 0 && utf8_is_cut(p, left))
		return json_fail(r, r->end, "text ends within a string");
	if (n == 0)
		return json_fail(r, p, "invalid UTF-8");
	return p + n;
}

const char *
json_check_string(struct json_parser *r, const char *p)
{
	for (p++; p < r->end && *p != '"';) {
		p = character(r, p);
		if (p == NULL)
			return NULL;
	}
	if (p == r->end)
		return json_fail(r, p, "text ends within a string");
	return p + 1;
}
