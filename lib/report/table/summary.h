/* The tables that open a report: verdicts and use, a row per group. */
#pragma once

#include "report/table/rows.h"
#include "report/tally/tally.h"
#include "text/table.h"

/* How many groups a table may have before those that all passed are left out
 * where not all details are asked for. */
enum { SUMMARY_ROWS = 40 };

/* Runs by status and the pass rate with its interval. Without columns if no
 * run was checked. */
struct table summary_verdicts(
    struct arena *, const struct tally *, const struct rows *);

/* What runs used, the mean of those that recorded it, and last the sum.
 * Without columns if nothing was recorded and the runs stand in the table of
 * verdicts. */
struct table summary_usage(struct arena *, const struct tally *, struct rows);

/* "12 rows whose runs all passed are not shown (see --details)", or absent. */
struct str summary_rows_left_out(struct arena *, size_t n);

/* "75.0%", never 100 or 0 unless it is all or none; "-" of nothing. */
struct str summary_rate(struct arena *, size_t passed, size_t n);

/* "46 checks: 41 passed, 3 failed, 2 skipped", or absent if there are none. */
struct str summary_checks(struct arena *, const struct tally_group *);

/* Returns a sentence for each status from failed to `last` of which checks were
 * left out: "3 more failed checks are not shown (see --max-failures)". */
struct str_list summary_left_out(
    struct arena *, const struct failures *, enum status last);
