/*
 * Which literals a text may hold, by its pieces of four bytes, or of two: a
 * literal with a piece that the text lacks is not in it. They are collected in
 * one pass over the text, and answer for any number of literals after it.
 */
#pragma once

#include <stdint.h>

#include "base/str.h"

/* Bytes of a piece. Short ones tell of short literals too, but less. */
enum ngrams_size {
	NGRAMS_OF_2 = 2,
	NGRAMS_OF_4 = 4,
};

struct ngrams {
	uint64_t *bits; /* one for each hash of a piece */
	int shift;      /* that leaves of a hash which bit it is */
	enum ngrams_size size;
};

/* Memory, in the arena: one to two bytes for each of the text. */
struct ngrams ngrams_of(struct arena *, struct str text, enum ngrams_size);

/* False if the literal is not in the text; true does not say that it is. Of
 * those that are shorter than a piece nothing is known. */
bool ngrams_may_hold(const struct ngrams *, struct str literal);
