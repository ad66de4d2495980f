/* Changes against a baseline and against a snapshot, as tables and
 * sentences. */
#pragma once

#include "report/mcplab/drift.h"
#include "report/tally/compare.h"
#include "text/table.h"

/* Return the scenarios, or the assertions, that changed: regressions first, at
 * most `most` rows. The table has no rows if nothing changed. */
struct table changes_scenarios(
    struct arena *, const struct compare *, size_t most);
struct table changes_assertions(
    struct arena *, const struct compare *, size_t most);

/* Returns "12 scenarios: 1 worse, 11 same", absent if there are no rows; `noun`
 * is "scenario" or "assertion". */
struct str changes_counts(
    struct arena *, const struct compare_rows *, const char *noun);

/* Returns "all runs: 80.0% of 20, now 70.0% of 20; p = 0.5 (McNemar, 20
 * pairs)", absent if no run has a verdict. */
struct str changes_all(struct arena *, const struct compare *);

/* Return the amounts that changed, and the tools that other runs than before
 * called: see tally/behaviour.h. */
struct table changes_amounts(
    struct arena *, const struct behaviour *, size_t most);
struct table changes_tools(
    struct arena *, const struct behaviour *, size_t most);

/* Return "18 amounts: 6 more, 12 same (4 rises above 20%)" and "12 tools: 1
 * new, 11 same (1 change counts)"; absent texts if nothing was compared. */
struct str changes_amount_counts(struct arena *, const struct behaviour *);
struct str changes_tool_counts(struct arena *, const struct behaviour *);

/* Returns the scenarios of the snapshot, with their scores and up to two
 * reasons. */
struct table changes_drift(struct arena *, const struct drift *, size_t most);

/* Returns "snapshot ID: 0.91 (2 Drift, 1 Warn, 9 Match)". */
struct str changes_drift_sum(struct arena *, const struct drift *);
