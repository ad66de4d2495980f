/* Kind called: whether tools were called. Where there are several, `why` of a
 * finding is a list, as JSON, of those that decided: for YES of
 * called_any those that were called, for NO of called_all those missing. */
#pragma once

#include "check/check.h"

/* The check's parameters. */
struct called_want {
	struct str_list tools;
	int64_t times; /* at least */
	bool any;      /* one of them is enough */
	bool one;      /* it is about a single tool */
};

struct check called_check(struct arena *, struct str tool);

struct times_want {
	struct str tool;
	int64_t times;
};

/* YES if the tool was called just so many times. */
struct check called_times(struct arena *, struct str tool, int64_t times);

/* YES if a tool was called whose name is like the pattern, in which '*' stands
 * for any text; `why` is the name. */
struct check called_like(struct arena *, struct str pattern);

/* YES if the tools like the pattern, or if it is absent all of them, were
 * called so many times at most, together; `why` is how often. */
struct check called_most(struct arena *, struct str tool, int64_t times);

/* YES if each of the tools was called, so many times at least. */
struct check called_all(struct arena *, struct str_list tools, int64_t times);

/* YES if some tool of the list was called. */
struct check called_any(struct arena *, struct str_list tools);
