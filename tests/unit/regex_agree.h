/* The machines of a regular expression held against each other. */
#ifndef REGEX_AGREE_H
#define REGEX_AGREE_H

#include <string.h>

#include "../../lib/regex/backtrack.h"
#include "../../lib/regex/engine.h"

/* The name of a machine that serves and does not agree with the backtracking
 * machine, which serves always, on the verdict or, in JavaScript, on the spans;
 * or NULL. No answer within the steps (or another machine's limits) is no
 * disagreement. */
static inline const char *
regex_disagrees(
    const struct regex *re, struct str text, uint64_t steps, struct arena *a)
{
	size_t size = 2 * re->pattern->groups;
	size_t *want = arena_new_n(a, size_t, size);
	enum regex_found found = backtrack_search(
			     regex_program(re), text, 0, want, steps),
			 answer;

	for (size_t i = 0; i < engines_n && found != REGEX_LIMIT; i++) {
		struct query q = { re, text, NULL, 0 };

		answer = engines[i].serves(&q) ? engines[i].search(&q) : found;
		if (answer != REGEX_LIMIT && answer != found)
			return engines[i].name;
		q.spans = arena_new_n(a, size_t, size);
		if (re->pattern->perl || !engines[i].gives_spans ||
		    !engines[i].serves(&q))
			continue;
		answer = engines[i].search(&q);
		if (answer == REGEX_LIMIT || found == REGEX_NO)
			continue;
		if (memcmp(q.spans, want, size * sizeof *want) != 0)
			return engines[i].name;
	}
	return NULL;
}

#endif
