/* The machines of a regular expression held against each other. */
#pragma once

#include <string.h>

#include "regex/engine/backtrack.h"
#include "regex/engine/engine.h"
#include "regex/regex.h"
#include "text/unicode.h"

/* Whether a text that matches is one that may. */
static inline bool
regex_holds(const struct regex *re, struct str lower)
{
	struct str_list factors = regex_literals(re);
	bool holds = factors.n == 0;

	for (size_t i = 0; i < factors.n; i++)
		holds |= str_contains(lower, factors.list[i]);
	return holds;
}

/* The name of a machine that serves and does not agree with the backtracking
 * machine, which serves always, on the verdict or, in JavaScript, on the spans;
 * or "what it must hold", if a text matches that regex_literals rules out; or
 * NULL. No answer within the steps (or another machine's limits) is no
 * disagreement. */
static inline const char *
regex_disagrees(
    const struct regex *re, struct str text, uint64_t steps, struct arena *a)
{
	size_t size = 2 * regex_parsed(re)->pattern->groups;
	size_t *want = arena_new_n(a, size_t, size);
	enum regex_found found = backtrack_search(
			     regex_program(re), text, 0, want, steps),
			 answer;

	if (found == REGEX_YES &&
	    (!regex_holds(re, unicode_lower_js(a, text)) ||
		!regex_holds(re, unicode_lower_go(a, text))))
		return "what it must hold";
	for (size_t i = 0; i < engines_n && found != REGEX_LIMIT; i++) {
		struct query q = { re, text, NULL, 0 };

		answer = engines[i].serves(&q) ? engines[i].search(&q) : found;
		if (answer != REGEX_LIMIT && answer != found)
			return engines[i].name;
		q.spans = arena_new_n(a, size_t, size);
		if (regex_parsed(re)->pattern->perl ||
		    !engines[i].gives_spans || !engines[i].serves(&q))
			continue;
		answer = engines[i].search(&q);
		if (answer == REGEX_LIMIT || found == REGEX_NO)
			continue;
		if (memcmp(q.spans, want, size * sizeof *want) != 0)
			return engines[i].name;
	}
	return NULL;
}
