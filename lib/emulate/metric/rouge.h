/* ROUGE, the likeness of a text to a reference by what both have in common. */
#pragma once

#include "base/str.h"

enum {
	ROUGE_L = 0
}; /* in place of a number of words: the longest common subsequence */

/*
 * Returns the F-measure of ROUGE-N for sequences of `order` words (1 or more), or of ROUGE-L,
 * as Google's rouge_score 0.1 computes it: words are runs of ASCII letters and digits in lower
 * case, and texts without words are not alike. `stem` returns the stem of a word, and is asked
 * about words of more than three characters; NULL: none. Below 0: the texts are too long for
 * ROUGE-L.
 */
double rouge_score(struct arena *, struct str candidate, struct str reference,
    size_t order, struct str (*stem)(struct arena *, struct str word));
