/* Compares the engines of regular expressions with each other. */
#pragma once

#include <string.h>

#include "emulate/regex/engine/backtrack.h"
#include "emulate/regex/engine/engine.h"
#include "emulate/regex/regex.h"
#include "text/unicode.h"

/* Returns whether a text contains one of the literals that regex_literals requires. */
static inline bool
regex_holds(const struct regex *re, struct str lower)
{
	struct str_list factors = regex_literals(re);
	bool holds = factors.n == 0;

	for (size_t i = 0; i < factors.n; i++)
		holds |= str_contains(lower, factors.list[i]);
	return holds;
}

/* Compares each engine that supports a query with the backtracking engine, which
 * supports all queries: the result and, in JavaScript, the spans. Returns the name of
 * an engine that disagrees, or "literals" if a text matches that regex_literals rules
 * out, or NULL. An engine that ends without a result, at its limit of steps, does not
 * disagree. */
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
		return "literals";
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
