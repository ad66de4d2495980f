#include "extract/run/put_member.h"

void
put_true(struct out *o, const char *key, bool value)
{
	if (value)
		out_member_bool(o, key, true);
}

void
put_usage(struct out *o, const struct usage *usage)
{
	if (usage->known == 0)
		return;
	out_key(o, "usage");
	usage_write(o, usage);
}

void
put_span(struct out *o, const char *key, const struct moment *first,
    const struct moment *last)
{
	if (first->text.s == NULL || last->text.s == NULL ||
	    last->ms < first->ms)
		return;
	out_member_int(o, key, last->ms - first->ms);
}
