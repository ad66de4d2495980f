/* The tables of --details (repeated runs, percentiles, permissions, tools, sequences
 * of calls, extracted values, assertions) and sentences on flaky tasks and judges.
 * A table without rows has nothing to show. */
#pragma once

#include "report/table/rows.h"
#include "report/tally/tally.h"
#include "text/table.h"

/* The tables, in their order. */
enum details {
	DETAILS_REPEATS,
	DETAILS_PERCENTILES,
	DETAILS_PERMISSIONS,
	DETAILS_PERMISSION_LINES,
	DETAILS_COVERS,
	DETAILS_TOOLS,
	DETAILS_SEQUENCES,
	DETAILS_VALUES,
	DETAILS_ASSERTIONS,
	DETAILS_PARTS
};

const char *details_title(enum details);

/*
 * Returns a table. Repeated runs, percentiles and permissions have a row for each of `rows`.
 * The other tables are of all runs: they have at most `most` rows, those with
 * the most calls, runs or failures first.
 */
struct table details_table(struct arena *, const struct tally *,
    const struct rows *, enum details, size_t most);

/* Returns "2 of 8 tasks are flaky: ...", or an absent text. */
struct str details_flaky(struct arena *, const struct tally *);

/* Returns "12 judge's verdicts (5 from the cache, 1 split), $0.02", or an
 * absent text. */
struct str details_judge(struct arena *, const struct tally_group *);
