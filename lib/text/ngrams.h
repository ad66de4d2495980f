/*
 * The n-grams of a text: its pieces of two or four bytes, collected in one
 * pass. They show quickly, for any number of literals, that a literal is not in
 * the text: a literal with a piece that the text lacks is not in it.
 */
#pragma once

#include <stdint.h>

#include "base/str.h"

/* The bytes of a piece. Short pieces serve short literals, too, but exclude
 * less. */
enum ngrams_size {
	NGRAMS_OF_2 = 2,
	NGRAMS_OF_4 = 4,
};

struct ngrams {
	uint64_t *bits; /* one bit for each hash of a piece */
	int shift;      /* of a hash, to get the index of its bit */
	enum ngrams_size size;
};

/* Collects the pieces of the text. The arena holds one to two bytes for each
 * byte of the text. */
struct ngrams ngrams_of(struct arena *, struct str text, enum ngrams_size);

/* Returns false if the literal is not in the text. Returns true if it may be,
 * and always for a literal that is shorter than a piece. */
bool ngrams_may_hold(const struct ngrams *, struct str literal);
