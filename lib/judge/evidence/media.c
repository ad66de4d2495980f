#include "judge/evidence/media.h"

#include "base/ascii.h"
#include "io/out.h"

enum {
	LEAST = 64,    /* characters of base64 with a known beginning */
	UNKNOWN = 512, /* characters of base64 of any other kind */
	URL_MAX = 100, /* characters of a data URL before the data */
	KILO = 1000,
};

/* A run of base64 in the body of a string. */
struct run {
	size_t begin, end; /* in the body, with the beginning of a data URL */
	struct str data;   /* the base64, with escapes */
	struct str type;   /* absent: not known */
};

/* Returns whether the byte is one of base64; a slash may be escaped. */
static bool
is_base64(struct str text, size_t at)
{
	char c = text.s[at];

	if (c == '\\')
		return at + 1 < text.n && text.s[at + 1] == '/';
	return ascii_is_alnum((unsigned char)c) || c == '+' || c == '/';
}

/* ---- what it is ---- */

static struct str
type_by_bytes(struct str base64)
{
	enum { WEBP_AT = 11 }; /* place of "WEBP", behind the length */
	static const struct {
		struct str begin, type;
	} types[] = {
		{ STR_CONST("iVBORw0KGgo"), STR_CONST("image/png") },
		{ STR_CONST("/9j/"), STR_CONST("image/jpeg") },
		{ STR_CONST("\\/9j\\/"), STR_CONST("image/jpeg") },
		{ STR_CONST("R0lGODdh"), STR_CONST("image/gif") },
		{ STR_CONST("R0lGODlh"), STR_CONST("image/gif") },
		{ STR_CONST("JVBERi0"), STR_CONST("application/pdf") },
	};

	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
		if (str_starts(base64, types[i].begin))
			return types[i].type;
	if (str_starts(base64, "UklGR") &&
	    str_starts(str_from(base64, WEBP_AT), "XRUJQ"))
		return STR("image/webp");
	return (struct str){ 0 };
}

/* Finds the beginning of a data URL before the run, and its type, which does not
 * count if the bytes say another. */
static void
read_url(struct str body, struct run *r)
{
	size_t from = r->begin < URL_MAX ? 0 : r->begin - URL_MAX;
	struct str before = str_slice(body, from, r->begin);
	size_t at = before.n, type_ends;

	if (!str_ends(before, ";base64,"))
		return;
	while (at != 0 && !str_starts(str_from(before, at), "data:"))
		at--;
	before = str_from(before, at);
	type_ends = str_find_char(before, ';');
	if (!str_starts(before, "data:"))
		return;
	r->begin = from + at;
	if (r->type.s == NULL)
		r->type = str_slice(before, sizeof "data:" - 1, type_ends);
}

/* Returns whether base64 of an unknown kind is no long name or number. */
static bool
is_mixed(struct str text)
{
	bool small = false, capital = false, digit = false;

	for (size_t i = 0; i < text.n; i++) {
		small |= text.s[i] >= 'a' && text.s[i] <= 'z';
		capital |= text.s[i] >= 'A' && text.s[i] <= 'Z';
		digit |= ascii_is_digit((unsigned char)text.s[i]);
	}
	return small && capital && digit;
}

/* ---- where it is ---- */

/* Returns the end of the run that begins at the place. With `lines`, escaped line
 * ends may be within. */
static size_t
end_of(struct str body, size_t at, bool lines)
{
	size_t end = at, next;

	for (;;) {
		while (at < body.n && is_base64(body, at))
			at++;
		while (at > end && at < body.n && body.s[at] == '=')
			at++;
		end = at;
		next = at;
		while (lines && next + 2 < body.n && body.s[next] == '\\' &&
		    (body.s[next + 1] == 'n' || body.s[next + 1] == 'r'))
			next += 2;
		if (next == at || next >= body.n || !is_base64(body, next) ||
		    body.s[at - 1] == '=')
			return end;
		at = next;
	}
}

/* Returns the beginning of the next run from the place on that has LEAST
 * characters at least; the body's length if there is none. */
static size_t
next_run(struct str body, size_t at)
{
	while (at + LEAST <= body.n) {
		size_t back = at + LEAST;

		while (back > at && is_base64(body, back - 1))
			back--;
		if (back == at)
			return at;
		at = back;
	}
	return body.n;
}

/* Finds the next base64 from the place on. */
static bool
find_run(struct str body, size_t at, struct run *r)
{
	while ((at = next_run(body, at)) < body.n) {
		/* The letter of an escape before is no base64. */
		size_t begin = at + (at != 0 && body.s[at - 1] == '\\');
		size_t end = end_of(body, begin, false);

		*r = (struct run){ .begin = begin };
		r->type = type_by_bytes(str_from(body, begin));
		read_url(body, r);
		if (r->type.s != NULL)
			end = end_of(body, begin, true);
		r->end = end;
		r->data = str_slice(body, begin, end);
		if (r->type.s != NULL ||
		    (r->data.n >= UNKNOWN && is_mixed(r->data)))
			return true;
		at = end;
	}
	return false;
}

/* ---- the marks ---- */

/* Returns the base64 without escapes and line ends. */
static struct str
clean(struct arena *a, struct str data)
{
	char *to = arena_room(a, data.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < data.n; i++) {
		if (data.s[i] == '\\' && data.s[i + 1] != '/')
			i++;
		else if (data.s[i] != '\\')
			to[n++] = data.s[i];
	}
	return (struct str){ to, n };
}

static bool
is_image(struct str type)
{
	return str_is_one_of(type, "image/png image/jpeg image/gif image/webp");
}

static struct str
mark_of(struct media *m, const struct run *r, struct str data)
{
	size_t bytes = data.n / 4 * 3;
	struct str type = r->type.s == NULL ? STR("base64") : r->type;
	struct str size = bytes < KILO
	    ? str_printf(m->arena, "%zu bytes", bytes)
	    : str_printf(m->arena, "%zu kB", bytes / KILO);

	if (m->numbered && is_image(type))
		return str_printf(m->arena, "[image %zu: %.*s, %.*s]", m->n + 1,
		    STR_FMT(type), STR_FMT(size));
	return str_printf(
	    m->arena, "[%.*s, %.*s]", STR_FMT(type), STR_FMT(size));
}

/* Writes the body of a string. */
static void
put_body(struct out *o, struct media *m, struct str body)
{
	struct run r;
	size_t at = 0;

	for (; find_run(body, at, &r); at = r.end) {
		struct str data = clean(m->arena, r.data);
		struct str mark = mark_of(m, &r, data);

		out_str(o, str_slice(body, at, r.begin));
		out_str(o, mark);
		if (is_image(r.type))
			*arena_push(m->arena, m->images, m->n) =
			    (struct image){ r.type, data, mark };
	}
	out_str(o, str_from(body, at));
}

struct str
media_mark(struct media *m, const struct json *value)
{
	const char *at = value->text.s, *end = at + value->text.n;
	struct str marked;
	struct run r;
	struct out o;

	out_open_memory(&o);
	for (size_t i = 0; i < value->span; i++) {
		struct str body = json_raw(&value[i]);

		if (body.n < LEAST || !find_run(body, 0, &r))
			continue;
		out_str(&o, (struct str){ at, (size_t)(body.s - at) });
		put_body(&o, m, body);
		at = body.s + body.n;
	}
	if (at != value->text.s)
		out_str(&o, (struct str){ at, (size_t)(end - at) });
	marked = out_keep(&o, m->arena);
	return marked.n == 0 ? value->text : marked;
}
