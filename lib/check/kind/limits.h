/* Kinds that hold a run to a limit. */
#pragma once

#include "check/check.h"

/* Of what was found `why` is how much. */

enum limit {
	LIMIT_LLM_CALLS, /* how often the model was asked */
	LIMIT_TOKENS,    /* of input, from a cache or not, and of output */
	LIMIT_COST,      /* US dollars */
	LIMIT_SECONDS,   /* from the run's start to its end */
};

/* Kinds llm_calls, tokens, cost and seconds: whether the run used so much at
 * most. */
struct check limit_check(struct arena *, enum limit, double most);

/* Kind call_time: whether the calls took so many milliseconds at most, those
 * of all calls added up. */
struct check call_time_check(struct arena *, double most);
