/* The cursor of the parser of Go's patterns. */
#include "regex/flavour/re2.h"

#include "text/unicode.h"

void
re2_fail(struct re2 *p, const char *why, size_t from, size_t to)
{
	if (!p->failed && p->error != NULL) {
		struct str piece = str_slice(p->pattern, from, to);

		p->error->offset = from;
		p->error->why = str_printf(p->arena,
		    "error parsing regexp: %s: `%.*s`", why, STR_FMT(piece));
	}
	p->failed = true;
	p->at = p->pattern.n;
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
