/* What a report tells in detail, as tables and sentences: repeated runs,
 * percentiles, tools, sequences, extracted values, assertions, judges. A table
 * without rows has nothing to tell. */
#ifndef OVERVIEW_H
#define OVERVIEW_H

#include "table.h"
#include "tally.h"

/*
 * Repeated runs and percentiles, a row per group; tools, sequences, extracted
 * values and assertions of all runs: those with the most calls, runs or
 * failures first, and not more than so many.
 */
enum { OVERVIEW_PARTS = 6 };
struct overview_part {
	const char *title;
	struct table table;
};
void overview_parts(struct arena *, const struct tally *, size_t most,
    struct overview_part[OVERVIEW_PARTS]);

/* "2 of 8 tasks are flaky: ...", or absent. */
struct str overview_flaky(struct arena *, const struct tally *);

/* "12 verdicts of judges (5 from the cache, 1 split), $0.02", or absent. */
struct str overview_judge(struct arena *, const struct tally_group *);

#endif
