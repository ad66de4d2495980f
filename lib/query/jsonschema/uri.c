/* The values of "format" that are references, as Go's net/url parses them. */
#include "base/uri.h"
#include "base/ascii.h"
#include "query/jsonschema/tree.h"
#include "json/json.h"

static bool
good_percents(struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if (text.s[i] == '%' &&
		    (i + 2 >= text.n || !json_is_hex(text.s[i + 1]) ||
			!json_is_hex(text.s[i + 2])))
			return false;
	return true;
}

static bool
has_control(struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if ((unsigned char)text.s[i] < 0x20 || text.s[i] == 0x7f)
			return true;
	return false;
}

static bool
good_user(struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if (!ascii_is_alnum(text.s[i]) &&
		    !ascii_is_among(text.s[i], "-._:~!$&'()*+,;=%@"))
			return false;
	return good_percents(text);
}

/* Of ASCII, a host has only the percent sign itself as %XX. */
static bool
good_host_text(struct str text)
{
	for (size_t i = 0; i < text.n; i++) {
		if (text.s[i] == '%' && ascii_is_digit(text.s[i + 1]) &&
		    text.s[i + 1] < '8' &&
		    !str_starts(str_from(text, i), "%25"))
			return false;
		if ((unsigned char)text.s[i] < 0x80 &&
		    !ascii_is_alnum(text.s[i]) &&
		    !ascii_is_among(text.s[i], "-_.~!$&'()*+,;=:[]<>\"%"))
			return false;
	}
	return true;
}

/* A name or an address in brackets, and the digits of a port. */
static bool
good_host(struct str text)
{
	bool bracketed = str_starts(text, "[");
	size_t end = text.n;

	while (end > 0 && text.s[end - 1] != (bracketed ? ']' : ':'))
		end--;
	if (bracketed && end == 0)
		return false;
	if (bracketed && end < text.n && text.s[end++] != ':')
		return false;
	for (size_t i = end; end > 0 && i < text.n; i++)
		if (!ascii_is_digit(text.s[i]))
			return false;
	return good_percents(text) && good_host_text(text);
}

static bool
good_authority(struct str text)
{
	size_t at = text.n;

	while (at > 0 && text.s[at - 1] != '@')
		at--;
	return (at == 0 || good_user(str_slice(text, 0, at - 1))) &&
	    good_host(str_from(text, at));
}

/* mailto:a and the like: Go looks no closer at what follows. */
static bool
is_opaque(const struct uri *u)
{
	return u->scheme.s != NULL && u->authority.s == NULL &&
	    !str_starts(u->path, "/");
}

bool
jsonschema_uri_reference(struct arena *a, struct str text)
{
	struct uri u = uri_of(text);
	size_t colon = str_find_char(u.path, ':');

	(void)a;
	if (str_find_char(text, '\\') < text.n || !good_percents(u.fragment) ||
	    has_control(str_slice(text, 0, str_find_char(text, '#'))))
		return false;
	if (is_opaque(&u))
		return true;
	if (u.scheme.s == NULL && u.authority.s == NULL &&
	    colon < str_find_char(u.path, '/'))
		return false;
	return good_percents(u.path) &&
	    (u.authority.s == NULL || good_authority(u.authority));
}

bool
jsonschema_uri(struct arena *a, struct str text)
{
	return uri_of(text).scheme.s != NULL &&
	    jsonschema_uri_reference(a, text);
}

/* Of the path, braces that are opened are closed. */
bool
jsonschema_uri_template(struct arena *a, struct str text)
{
	struct uri u = uri_of(text);
	struct str rest = uri_decode(a, u.path);

	if (!jsonschema_uri_reference(a, text))
		return false;
	while (!is_opaque(&u) && str_find_char(rest, '{') < rest.n) {
		rest = str_from(rest, str_find_char(rest, '{'));
		if (str_find_char(rest, '}') == rest.n)
			return false;
		rest = str_from(rest, str_find_char(rest, '}'));
	}
	return true;
}
