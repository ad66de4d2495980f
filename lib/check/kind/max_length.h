/* Kind length: whether the view's text is no longer than it may be, by
 * PromptKit's measures. `why` is members of a JSON object that tell the
 * lengths. */
#pragma once

#include "check/check.h"

/* The most of each; NULL: as many as there are. */
struct length_want {
	const int64_t *bytes;
	const int64_t *tokens; /* one for every four bytes */
	const int64_t *sentences;
};

struct check length_check(struct arena *, const struct length_want *);
