/* What happened in a turn, with the sub-agents that were started in it. */
#pragma once

#include "extract/run/run.h"
#include "io/out.h"

/*
 * Each of these walks over a turn's steps and, within calls, over those of the
 * sub-agents, as far as a reader of JSON would follow; depth is 0 at first.
 */

/* Writes the steps, as elements of a list; of each result so many bytes are
 * kept (SIZE_MAX: all; 0: none). */
void trace_steps(
    struct out *, const struct turn *, size_t limit, unsigned depth);

/* Writes the names of the tools that were called, as elements of a list. */
void trace_tools(struct out *, const struct turn *, unsigned depth);

/* Whether some text or result is cut, with such a limit. */
bool trace_is_cut(const struct turn *, size_t limit, unsigned depth);

struct trace_sums {
	struct usage usage;
	bool partial; /* some output was counted before its end */
};

void trace_sum(struct trace_sums *, const struct turn *, unsigned depth);
