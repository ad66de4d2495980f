/*
 * Which literals a text may hold, by its pieces of four bytes: a literal with
 * a piece that the text lacks is not in it. They are collected in one pass
 * over the text, and answer for any number of literals after it.
 */
#ifndef PIECES_H
#define PIECES_H

#include <stdint.h>

#include "str.h"

struct pieces {
	uint64_t *bits; /* one for each hash of a piece */
	int shift;      /* that leaves of a hash which bit it is */
};

/* Memory, in the arena: one to two bytes for each of the text. */
struct pieces pieces_of(struct arena *, struct str text);

/* False if the literal is not in the text; true does not say that it is. */
bool pieces_may_hold(const struct pieces *, struct str literal);

#endif
