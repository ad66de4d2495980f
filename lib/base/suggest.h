/* "Did you mean": of the words that would have been right, the one nearest to
 * the one that was written. */
#pragma once

#include "base/str.h"

struct suggest {
	struct str word; /* as written */
	struct str best; /* absent: none is near */
	size_t distance; /* of the best */
};

struct suggest suggest_for(struct str word);
void suggest_try(struct suggest *, struct str candidate);

/* " (did you mean 'best'?)", or nothing. */
const char *suggest_text(const struct suggest *, struct arena *);
