/* Members of a record, each left out where there is nothing to write. */
#pragma once

#include "extract/run/run.h"
#include "io/out.h"

/* A value, in one line; a string's body; what was said. */
static inline void
put_value(struct out *o, const char *key, struct str value)
{
	if (value.s != NULL)
		out_member_line(o, str_of(key), value);
}

static inline void
put_body(struct out *o, const char *key, struct str body)
{
	if (body.s != NULL)
		out_member_body(o, str_of(key), body);
}

static inline void
put_text(struct out *o, const char *key, const struct text *t)
{
	put_body(o, key, (struct str){ t->s, t->n });
}

void put_true(struct out *, const char *key, bool);
void put_usage(struct out *, const struct usage *);

/* The milliseconds from one to the other. */
void put_span(struct out *, const char *key, const struct moment *first,
    const struct moment *last);
