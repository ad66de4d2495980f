#include "put.h"

void
put_value(struct out *o, const char *key, struct str value)
{
	if (value.s == NULL)
		return;
	out_key(o, key);
	out_json_raw(o, value);
}

void
put_body(struct out *o, const char *key, struct str body)
{
	if (body.s == NULL)
		return;
	out_key(o, key);
	out_body(o, body);
}

void
put_text(struct out *o, const char *key, const struct text *t)
{
	put_body(o, key, (struct str){ t->s, t->n });
}

void
put_true(struct out *o, const char *key, bool value)
{
	if (!value)
		return;
	out_key(o, key);
	out_json_bool(o, true);
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
	out_key(o, key);
	out_json_int(o, last->ms - first->ms);
}
