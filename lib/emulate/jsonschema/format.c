/*
 * The keyword "format", as gojsonschema checks its values: with short regular
 * expressions of its own and the parsers of Go's standard library.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "base/ascii.h"
#include "base/date.h"
#include "base/uri.h"
#include "emulate/jsonschema/tree.h"
#include "json/json.h"

/* Skips exactly n digits; returns their value, or -1. */
static int
digits(struct str *text, size_t n)
{
	int value = 0;

	if (text->n < n)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (!ascii_is_digit(text->s[i]))
			return -1;
		value = value * 10 + (text->s[i] - '0');
	}
	*text = str_from(*text, n);
	return value;
}

static bool
step(struct str *text, char c)
{
	if (text->n == 0 || text->s[0] != c)
		return false;
	*text = str_from(*text, 1);
	return true;
}

/* ---- dates and times ---- */

static bool
date(struct str *text)
{
	int year = digits(text, 4);
	int month = step(text, '-') ? digits(text, 2) : -1;
	int day = step(text, '-') ? digits(text, 2) : -1;

	return year >= 0 && month >= 1 && month <= 12 && day >= 1 &&
	    day <= date_days_in(year, month);
}

/* Reads hours, minutes and seconds. Go accepts hours of one digit, and a
 * fraction after any seconds. */
static bool
clock_time(struct str *text)
{
	size_t of_hour = text->n > 1 && ascii_is_digit(text->s[1]) ? 2 : 1;
	int hour = digits(text, of_hour);
	int minute = step(text, ':') ? digits(text, 2) : -1;
	int second = step(text, ':') ? digits(text, 2) : -1;

	if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 ||
	    second > 59)
		return false;
	if (text->n > 1 && ascii_is_among(text->s[0], ".,") &&
	    ascii_is_digit(text->s[1]))
		for (*text = str_from(*text, 1);
		     text->n != 0 && ascii_is_digit(text->s[0]);)
			*text = str_from(*text, 1);
	return true;
}

static bool
zone(struct str *text)
{
	int hour, minute;

	if (step(text, 'Z'))
		return true;
	if (!step(text, '+') && !step(text, '-'))
		return false;
	hour = digits(text, 2);
	minute = step(text, ':') ? digits(text, 2) : -1;
	return hour >= 0 && hour <= 24 && minute >= 0 && minute <= 60;
}

static bool
f_date(struct arena *a, struct str text)
{
	(void)a;
	return date(&text) && text.n == 0;
}

static bool
f_time(struct arena *a, struct str text)
{
	(void)a;
	return clock_time(&text) && (text.n == 0 || zone(&text)) && text.n == 0;
}

static bool
f_date_time(struct arena *a, struct str text)
{
	struct str rest = text;

	if (f_time(a, text) || f_date(a, text))
		return true;
	return date(&rest) && step(&rest, 'T') && clock_time(&rest) &&
	    zone(&rest) && rest.n == 0;
}

/* ---- hosts and mail ---- */

static bool
host_label(struct str label)
{
	if (label.n == 0 || label.n > 63 || !ascii_is_alnum(label.s[0]) ||
	    !ascii_is_alnum(label.s[label.n - 1]))
		return false;
	for (size_t i = 0; i < label.n; i++)
		if (!ascii_is_alnum(label.s[i]) && label.s[i] != '-')
			return false;
	return true;
}

static bool
f_hostname(struct arena *a, struct str text)
{
	struct str rest = text;

	(void)a;
	while (rest.s != NULL)
		if (!host_label(str_cut(&rest, '.')))
			return false;
	return text.n < 256;
}

static bool
is_atom(struct str text)
{
	if (text.n == 0)
		return false;
	for (size_t i = 0; i < text.n; i++)
		if (!ascii_is_alnum(text.s[i]) &&
		    (unsigned char)text.s[i] < 0x80 &&
		    !ascii_is_among(text.s[i], "!#$%&'*+-/=?^_`{|}~"))
			return false;
	return true;
}

static bool
dot_atom(struct str text)
{
	while (text.s != NULL)
		if (!is_atom(str_cut(&text, '.')))
			return false;
	return true;
}

static bool
is_visible(char c)
{
	return (unsigned char)c > ' ' && c != 0x7f;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Returns the length of the quoted string at the start; 0 if there is none. */
static size_t
quoted_string(struct str text)
{
	if (!str_starts(text, "\""))
		return 0;
	for (size_t i = 1; i < text.n; i++) {
		if (text.s[i] == '"')
			return i + 1;
		if (text.s[i] == '\\')
			i++;
		if (i < text.n && !is_visible(text.s[i]) &&
		    !is_blank(text.s[i]))
			return 0;
	}
	return 0;
}

static struct str
skip_blanks(struct str text)
{
	while (text.n != 0 && is_blank(text.s[0]))
		text = str_from(text, 1);
	return text;
}

/* Returns the text behind a name, which consists of words and quoted
 * strings. */
static struct str
skip_name(struct str text)
{
	size_t n = 1;

	while (n != 0) {
		text = skip_blanks(text);
		n = quoted_string(text);
		if (!str_starts(text, "\""))
			while (n < text.n && is_visible(text.s[n]) &&
			    !ascii_is_among(text.s[n], "<>\":"))
				n++;
		text = str_from(text, n);
	}
	return text;
}

/* Checks an address specification, or one in angle brackets behind a name.
 * Accepts what Go's mail.ParseAddress accepts, except comments. */
static bool
f_email(struct arena *a, struct str text)
{
	struct str named;
	size_t at, quoted;

	text = skip_blanks(text);
	while (text.n != 0 && is_blank(text.s[text.n - 1]))
		text.n--;
	named = skip_name(text);
	if (str_starts(named, "<") && str_ends(named, ">"))
		text = skip_blanks(str_slice(named, 1, named.n - 1));
	quoted = quoted_string(text);
	at = quoted != 0 ? quoted : str_find_char(text, '@');
	if (at >= text.n || text.s[at] != '@')
		return false;
	(void)a;
	return (quoted != 0 || dot_atom(str_slice(text, 0, at))) &&
	    dot_atom(skip_blanks(str_from(text, at + 1)));
}

static bool
is_address(struct arena *a, struct str text)
{
	unsigned char bytes[sizeof(struct in6_addr)];
	const char *c_text = str_c(a, text);

	return text.n != 0 && memchr(text.s, '\0', text.n) == NULL &&
	    (inet_pton(AF_INET, c_text, bytes) == 1 ||
		inet_pton(AF_INET6, c_text, bytes) == 1);
}

/* Checks for an address of either kind that has a dot, so that ::ffff:1.2.3.4
 * is one. */
static bool
f_ipv4(struct arena *a, struct str text)
{
	return is_address(a, text) && str_find_char(text, '.') < text.n;
}

static bool
f_ipv6(struct arena *a, struct str text)
{
	return is_address(a, text) && str_find_char(text, ':') < text.n;
}

/* ---- references ---- */

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

/* Checks the characters of a host. Of ASCII characters only the percent sign
 * itself may be written as %XX. */
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

/* Checks a name or an address in brackets, and the digits of a port. */
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

/* Returns whether the URI is like mailto:a, where Go does not check the
 * rest. */
static bool
is_opaque(const struct uri *u)
{
	return u->scheme.s != NULL && u->authority.s == NULL &&
	    !str_starts(u->path, "/");
}

static bool
f_uri_reference(struct arena *a, struct str text)
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

static bool
f_uri(struct arena *a, struct str text)
{
	return uri_of(text).scheme.s != NULL && f_uri_reference(a, text);
}

/* Checks that braces that are opened in the path are closed. */
static bool
f_uri_template(struct arena *a, struct str text)
{
	struct uri u = uri_of(text);
	struct str rest = uri_decode(a, u.path);

	if (!f_uri_reference(a, text))
		return false;
	while (!is_opaque(&u) && str_find_char(rest, '{') < rest.n) {
		rest = str_from(rest, str_find_char(rest, '{'));
		if (str_find_char(rest, '}') == rest.n)
			return false;
		rest = str_from(rest, str_find_char(rest, '}'));
	}
	return true;
}

/* ---- pointers, ids, patterns ---- */

static bool
f_json_pointer(struct arena *a, struct str text)
{
	(void)a;
	if (text.n != 0 && text.s[0] != '/')
		return false;
	for (size_t i = 0; i < text.n; i++)
		if (text.s[i] == '~' &&
		    (i + 1 == text.n || !ascii_is_among(text.s[i + 1], "01")))
			return false;
	return true;
}

static bool
f_relative_json_pointer(struct arena *a, struct str text)
{
	size_t n = 0;

	while (n < text.n && ascii_is_digit(text.s[n]))
		n++;
	if (n == 0 || (n > 1 && text.s[0] == '0'))
		return false;
	text = str_from(text, n);
	return str_is(text, "#") || f_json_pointer(a, text);
}

static bool
is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool
f_uuid(struct arena *a, struct str text)
{
	(void)a;
	for (size_t i = 0; i < text.n; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;

		if (dash ? text.s[i] != '-'
			 : !json_is_hex(text.s[i]) || is_upper(text.s[i]))
			return false;
	}
	return text.n == 36;
}

static bool
f_regex(struct arena *a, struct str text)
{
	struct regex_error error;
	struct regex *r = regex_compile(a, REGEX_RE2, text, 0, &error);

	if (r != NULL)
		regex_free(r);
	return text.n == 0 || r != NULL;
}

static const struct {
	const char *name;
	bool (*fits)(struct arena *, struct str);
} formats[] = {
	{ "date", f_date },
	{ "date-time", f_date_time },
	{ "email", f_email },
	{ "hostname", f_hostname },
	{ "idn-email", f_email },
	{ "ipv4", f_ipv4 },
	{ "ipv6", f_ipv6 },
	{ "iri", f_uri },
	{ "iri-reference", f_uri_reference },
	{ "json-pointer", f_json_pointer },
	{ "regex", f_regex },
	{ "relative-json-pointer", f_relative_json_pointer },
	{ "time", f_time },
	{ "uri", f_uri },
	{ "uri-reference", f_uri_reference },
	{ "uri-template", f_uri_template },
	{ "uuid", f_uuid },
};

bool
jsonschema_format(struct arena *a, struct str format, struct str text)
{
	for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
		if (str_is(format, formats[i].name))
			return formats[i].fits(a, text);
	return true;
}
