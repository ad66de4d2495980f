/* The cursor of the parser of Go's patterns. */
#include "emulate/regex/flavour/re2.h"

#include "text/unicode.h"

/* Returns what the pattern uses at this place and RE2 has not; NULL: nothing. */
static const char *
unsupported_at(struct str rest)
{
	if (rest.s == NULL)
		return NULL;
	if (str_starts(rest, "(?=") || str_starts(rest, "(?!"))
		return "lookahead";
	if (str_starts(rest, "(?<=") || str_starts(rest, "(?<!"))
		return "lookbehind";
	return NULL;
}

void
re2_fail_at(struct re2 *p, size_t at, const char *why, size_t from, size_t to)
{
	if (!p->failed && p->error != NULL) {
		struct str piece = str_slice(p->pattern, from, to);

		p->error->offset = at;
		p->error->why = str_printf(p->arena,
		    "error parsing regexp: %s: `%.*s`", why, STR_FMT(piece));
		p->error->unsupported =
		    unsupported_at(str_from(p->pattern, at));
	}
	p->failed = true;
	p->at = p->pattern.n;
}

void
re2_fail(struct re2 *p, const char *why, size_t from, size_t to)
{
	re2_fail_at(p, from, why, from, to);
}

int
re2_peek(const struct re2 *p, size_t ahead)
{
	return p->at + ahead < p->pattern.n
	    ? (unsigned char)p->pattern.s[p->at + ahead]
	    : -1;
}

uint32_t
re2_next(struct re2 *p)
{
	size_t length;
	uint32_t c;

	if (p->at >= p->pattern.n)
		return 0;
	c = unicode_decode(str_from(p->pattern, p->at), &length);
	p->at += length;
	return c;
}
