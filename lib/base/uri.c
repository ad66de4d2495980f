#include "base/uri.h"

#include "base/ascii.h"

/* Returns the length of the scheme, or 0 without a scheme. */
static size_t
scheme_length(struct str text)
{
	size_t n = 0;

	if (text.n == 0 || !ascii_is_letter(text.s[0]))
		return 0;
	while (n < text.n &&
	    (ascii_is_alnum(text.s[n]) || ascii_is_among(text.s[n], "+-.")))
		n++;
	return n < text.n && text.s[n] == ':' ? n : 0;
}

struct uri
uri_of(struct str text)
{
	size_t scheme = scheme_length(text), at = str_find_char(text, '#');
	struct uri u = { 0 };

	if (at < text.n)
		u.fragment = str_from(text, at + 1);
	text = str_slice(text, 0, at);
	at = str_find_char(text, '?');
	if (at < text.n)
		u.query = str_from(text, at + 1);
	text = str_slice(text, 0, at);
	if (scheme != 0) {
		u.scheme = str_slice(text, 0, scheme);
		text = str_from(text, scheme + 1);
	}
	if (str_starts(text, "//")) {
		text = str_from(text, 2);
		at = str_find_char(text, '/');
		u.authority = str_slice(text, 0, at);
		text = str_from(text, at);
	}
	u.path = text;
	return u;
}

/* Returns the path without "." and ".." segments (RFC 3986 5.2.4). */
static struct str
remove_dots(struct arena *a, struct str path)
{
	bool absolute = str_starts(path, "/");
	struct str rest = absolute ? str_from(path, 1) : path;
	struct str *kept = NULL;
	size_t n = 0;

	while (rest.s != NULL) {
		struct str segment = str_cut(&rest, '/');
		bool up = str_is(segment, ".."), stay = str_is(segment, ".");

		if (up && n > 0)
			n--;
		if (up || stay)
			segment = STR("");
		if ((!up && !stay) || rest.s == NULL)
			*arena_push(a, kept, n) = segment;
	}
	path = str_join(a, kept, n, STR("/"));
	return absolute ? str_cat(a, STR("/"), path) : path;
}

static struct str
merge(struct arena *a, const struct uri *base, struct str path)
{
	size_t n = base->path.n;

	if (base->authority.s != NULL && n == 0)
		return str_cat(a, STR("/"), path);
	while (n > 0 && base->path.s[n - 1] != '/')
		n--;
	return str_cat(a, str_slice(base->path, 0, n), path);
}

static struct str
print(struct arena *a, const struct uri *u)
{
	struct str parts[6];
	size_t n = 0;

	if (u->scheme.s != NULL) {
		parts[n++] = u->scheme;
		parts[n++] = STR(":");
	}
	if (u->authority.s != NULL) {
		parts[n++] = STR("//");
		parts[n++] = u->authority;
	}
	parts[n++] = u->path;
	struct str text = str_join(a, parts, n, (struct str){ 0 });
	return u->query.s == NULL
	    ? text
	    : str_printf(a, "%.*s?%.*s", STR_FMT(text), STR_FMT(u->query));
}

struct str
uri_resolve(struct arena *a, struct str base_text, struct str reference)
{
	struct uri base = uri_of(base_text), u = uri_of(reference);

	if (u.scheme.s != NULL) {
		/* the path of a URN has no segments */
		if (str_starts(u.path, "/"))
			u.path = remove_dots(a, u.path);
		return print(a, &u);
	}
	u.scheme = base.scheme;
	if (u.authority.s == NULL) {
		u.authority = base.authority;
		if (u.path.n == 0) {
			u.path = base.path;
			if (u.query.s == NULL)
				u.query = base.query;
			return print(a, &u);
		}
		if (u.path.s[0] != '/')
			u.path = merge(a, &base, u.path);
	}
	u.path = remove_dots(a, u.path);
	return print(a, &u);
}

/* Keeps letters, digits and the marks; all other bytes become %XX. */
static struct str
encode(struct arena *a, struct str text, const char *marks)
{
	static const char digits[] = "0123456789ABCDEF";
	char *copy = arena_alloc(a, 3 * text.n);
	size_t n = 0;

	for (size_t i = 0; i < text.n; i++) {
		unsigned char c = (unsigned char)text.s[i];

		if (ascii_is_alnum(c) || ascii_is_among(c, marks)) {
			copy[n++] = text.s[i];
			continue;
		}
		copy[n++] = '%';
		copy[n++] = digits[c >> 4];
		copy[n++] = digits[c & 15];
	}
	return (struct str){ copy, n };
}

struct str
uri_of_path(struct arena *a, struct str path)
{
	struct str prefix = str_starts(path, "/") ? STR("file://") : STR("");

	return str_cat(a, prefix, encode(a, path, "-._~/"));
}

struct str
uri_decode(struct arena *a, struct str text)
{
	char *copy = str_c(a, text);
	size_t n = 0;

	for (size_t i = 0; i < text.n; i++) {
		copy[n] = text.s[i];
		if (text.s[i] == '%' && i + 2 < text.n &&
		    ascii_hex(text.s[i + 1]) >= 0 &&
		    ascii_hex(text.s[i + 2]) >= 0) {
			copy[n] = (char)(ascii_hex(text.s[i + 1]) * 16 +
			    ascii_hex(text.s[i + 2]));
			i += 2;
		}
		n++;
	}
	return (struct str){ copy, n };
}

struct str
uri_encode(struct arena *a, struct str text)
{
	return encode(a, text, "-._~");
}
