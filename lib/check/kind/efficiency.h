/* Kind efficiency: whether the calls took no detour, as mcp-eval's path
 * efficiency has it. */
#pragma once

#include "check/check.h"

struct efficiency_limit {
	struct str tool;
	int64_t most;
};

struct efficiency_want {
	bool counted;    /* the optimum is given; else there is one call of each
			  * tool that was called */
	int64_t optimal; /* calls */
	int64_t extra;   /* that are allowed beyond */
	/* Called in this order, and each as often as here; empty: any. */
	struct str_list sequence;
	/* Called in this order, and no tool but these; empty: any. */
	struct str_list golden;
	bool backtracking; /* coming back to a tool counts, after more than one
			    * call of others */
	bool repeats;      /* calls of one tool are limited, */
	const struct efficiency_limit *limits; /* to this, for some tools, */
	size_t nlimits;
	int64_t limit; /* or this */
};

/* Of a NO `why` is all that was found wrong. */
struct check efficiency_check(struct arena *, const struct efficiency_want *);
