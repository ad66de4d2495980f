/* What changed, as tables and sentences: against a baseline, and against a
 * snapshot. */
#pragma once

#include "report/mcplab/drift.h"
#include "report/tally/compare.h"
#include "text/table.h"

/* The scenarios of which something changed, and the assertions; regressions
 * first, and not more than so many. Without rows if nothing did. */
struct table changes_scenarios(
    struct arena *, const struct compare *, size_t most);
struct table changes_assertions(
    struct arena *, const struct compare *, size_t most);

/* "12 scenarios: 1 worse, 11 the same" and the same of assertions. */
struct str changes_counts(
    struct arena *, const struct compare_rows *, const char *noun);

/* "all runs: 80.0% of 20, now 70.0% of 20; p = 0.5 (McNemar, 20 pairs)" */
struct str changes_all(struct arena *, const struct compare *);

/* The scenarios of the snapshot, with their scores and up to two reasons. */
struct table changes_drift(struct arena *, const struct drift *, size_t most);

/* "snapshot ID: 0.91 (9 match, 1 warn, 2 drift)" */
struct str changes_drift_sum(struct arena *, const struct drift *);
