/* Text as UTF-16 code units, where a rule of JavaScript counts or compares
 * these. */
#pragma once

#include <stdint.h>

#include "base/str.h"

struct utf16 {
	const uint16_t *units;
	size_t n;
};

/* Returns the code units of the text, in the arena. A byte that belongs to no
 * character becomes U+FFFD. */
struct utf16 utf16_of(struct arena *, struct str);

/*
 * Returns the Levenshtein distance of the texts: the least number of units to
 * add, drop or change to make one of the other (V. Levenshtein, Soviet Physics
 * Doklady 10, 1966). Returns most + 1 if the distance is larger than `most`.
 * The time grows with the length of the shorter text times the smaller of `most`
 * and the length of the longer text (E. Ukkonen, Information and Control 64,
 * 1985). The arena holds two numbers for each unit of the shorter text.
 */
size_t utf16_distance(struct arena *, struct utf16, struct utf16, size_t most);
