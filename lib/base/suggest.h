/* "Did you mean": finds the valid word that is nearest to a misspelt word. A
 * caller tries each candidate in turn and prints the best. */
#pragma once

#include "base/str.h"

struct suggest {
	struct str word; /* as written */
	struct str best; /* absent if no candidate is near */
	size_t distance; /* edits from the word to the best */
};

/* Starts a search for words that are near to `word`, as the author wrote it. */
struct suggest suggest_for(struct str word);
/* Makes the candidate the best if it is the word itself, or near to the word and
 * nearer than the best so far. The candidate is kept, not copied. */
void suggest_try(struct suggest *, struct str candidate);

/* Returns " (did you mean 'BEST'?)" in the arena, or "" without a best word. */
const char *suggest_text(const struct suggest *, struct arena *);
