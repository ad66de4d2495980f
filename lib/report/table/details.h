/* What a report tells in detail, as tables and sentences: repeated runs,
 * percentiles, tools, sequences, extracted values, assertions, judges. A table
 * without rows has nothing to tell. */
#ifndef OVERVIEW_H
#define OVERVIEW_H

#include "report/tally/tally.h"
#include "text/table.h"

/* The tables, in their order. */
enum overview {
	OVERVIEW_REPEATS,
	OVERVIEW_PERCENTILES,
	OVERVIEW_TOOLS,
	OVERVIEW_SEQUENCES,
	OVERVIEW_VALUES,
	OVERVIEW_ASSERTIONS,
	OVERVIEW_PARTS
};

const char *overview_title(enum overview);

/*
 * Repeated runs and percentiles have a row per group; tools, sequences,
 * extracted values and assertions are of all runs: those with the most calls,
 * runs or failures first, and not more than so many.
 */
struct table overview_table(
    struct arena *, const struct tally *, enum overview, size_t most);

/* "2 of 8 tasks are flaky: ...", or absent. */
struct str overview_flaky(struct arena *, const struct tally *);

/* "12 verdicts of judges (5 from the cache, 1 split), $0.02", or absent. */
struct str overview_judge(struct arena *, const struct tally_group *);

#endif
