/* What a report tells in detail, as tables and sentences: repeated runs,
 * percentiles, tools, sequences, extracted values, assertions, judges. A table
 * without rows has nothing to tell. */
#pragma once

#include "report/table/rows.h"
#include "report/tally/tally.h"
#include "text/table.h"

/* The tables, in their order. */
enum details {
	DETAILS_REPEATS,
	DETAILS_PERCENTILES,
	DETAILS_TOOLS,
	DETAILS_SEQUENCES,
	DETAILS_VALUES,
	DETAILS_ASSERTIONS,
	DETAILS_PARTS
};

const char *details_title(enum details);

/*
 * Repeated runs and percentiles have a row per group; tools, sequences,
 * extracted values and assertions are of all runs: those with the most calls,
 * runs or failures first, and not more than so many.
 */
struct table details_table(struct arena *, const struct tally *,
    const struct rows *, enum details, size_t most);

/* "2 of 8 tasks are flaky: ...", or absent. */
struct str details_flaky(struct arena *, const struct tally *);

/* "12 verdicts of judges (5 from the cache, 1 split), $0.02", or absent. */
struct str details_judge(struct arena *, const struct tally_group *);
