/* Members of a record, each left out where there is nothing to write. */
#ifndef PUT_H
#define PUT_H

#include "out.h"
#include "run.h"

/* A value; a string's body; what was said. */
void put_value(struct out *, const char *key, struct str value);
void put_body(struct out *, const char *key, struct str body);
void put_text(struct out *, const char *key, const struct text *);

void put_true(struct out *, const char *key, bool);
void put_usage(struct out *, const struct usage *);

/* The milliseconds from one to the other. */
void put_span(struct out *, const char *key, const struct moment *first,
    const struct moment *last);

#endif
