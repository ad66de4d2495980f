/* The cursor of the parser of JavaScript's patterns. */
#include "emulate/regex/flavour/js.h"

uint32_t
js_peek(const struct js *p)
{
	size_t at = p->at;

	return at < p->pattern.n ? text_next(&p->pattern, &at) : JS_END;
}

uint32_t
js_peek_next(const struct js *p)
{
	size_t at = p->at;

	if (at < p->pattern.n)
		text_next(&p->pattern, &at);
	return at < p->pattern.n ? text_next(&p->pattern, &at) : JS_END;
}

void
js_advance(struct js *p)
{
	if (p->at < p->pattern.n)
		text_next(&p->pattern, &p->at);
}

bool
js_skip(struct js *p, uint32_t unit)
{
	if (js_peek(p) != unit)
		return false;
	js_advance(p);
	return true;
}

void
js_fail(struct js *p, size_t at, const char *why)
{
	if (!p->failed)
		*p->error =
		    (struct regex_error){ .offset = at, .why = str_of(why) };
	p->failed = true;
	p->at = p->pattern.n;
}
