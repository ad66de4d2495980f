/* The tables that open a report (verdicts, usage), with a row for each
 * group. */
#pragma once

#include "report/table/rows.h"
#include "report/tally/tally.h"
#include "text/table.h"

/* The number of groups in a table beyond which the groups whose runs all passed
 * are left out, unless --details asks for all. */
enum { SUMMARY_ROWS = 40 };
/* The number of rules of which the tables say in how many runs they applied. */
enum { SUMMARY_APPLIED = 10 };

/* Returns the runs by status, and the pass rate with its interval. The table
 * has no columns if no run was checked. */
struct table summary_verdicts(
    struct arena *, const struct tally *, const struct rows *);

/* Returns the usage of runs: the mean of the runs that recorded it, and in the
 * last row the sum; only sums where --by names a key. The table has no columns if nothing was recorded and the
 * runs are in the table of verdicts. */
struct table summary_usage(struct arena *, const struct tally *, struct rows);

/* Returns the title of that table. */
const char *summary_usage_title(const struct tally *);

/* Returns a sentence on costs that are estimated by prices, and on models without
 * a price; absent if there are none. */
struct str summary_estimates(struct arena *, const struct tally *);

/* Returns "12 rows whose runs all passed are not shown (see --details)", or an
 * absent text. */
struct str summary_rows_left_out(struct arena *, size_t n);

/* Returns "75.0%", which is never 100 or 0 unless all or none passed; "-" if n
 * is 0. */
struct str summary_rate(struct arena *, size_t passed, size_t n);

/* Returns "46 checks: 41 passed, 3 failed, 2 skipped", or an absent text. */
struct str summary_checks(struct arena *, const struct tally_group *);

/* Returns, for each assertion whose results say how many events they judged, in how
 * many of them any: "10 of 37 runs", those with the fewest first; without `all`, only
 * those that did not judge in each run, at most `most`. The table has no rows if there
 * are none. */
struct table summary_applied(
    struct arena *, const struct tally *, bool all, size_t most);

/* Returns a sentence for each status from failed to `last` of which checks were
 * left out: "3 more failed checks are not shown (see --max-failures)". */
struct str_list summary_left_out(
    struct arena *, const struct failures *, enum status last);
