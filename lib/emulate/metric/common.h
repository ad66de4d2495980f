/* Parts that two sequences have in common. */
#pragma once

#include <stdint.h>

#include "base/str.h"

struct symbols {
	uint32_t *list;
	size_t n;
};

enum { COMMON_STEPS = 400000000 }; /* of a search */

/* Returns the length of the longest common subsequence, or SIZE_MAX if the search takes more
 * than COMMON_STEPS steps. */
size_t common_length(struct arena *, struct symbols, struct symbols);

/* Returns the ratio of rapidfuzz 3 as a share: twice the length of the longest common
 * subsequence of characters, of the characters of both texts; 1 if both are empty; below 0 if
 * the texts are too long to be compared. */
double common_ratio(struct arena *, struct str, struct str);
