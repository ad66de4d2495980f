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

/* Returns "12 scenarios: 1 worse, 11 same"; `noun` is "scenario" or
 * "assertion". */
struct str changes_counts(
    struct arena *, const struct compare_rows *, const char *noun);

/* Returns "all runs: 80.0% of 20, now 70.0% of 20; p = 0.5 (McNemar, 20
 * pairs)". */
struct str changes_all(struct arena *, const struct compare *);

/* Returns the scenarios of the snapshot, with their scores and up to two
 * reasons. */
struct table changes_drift(struct arena *, const struct drift *, size_t most);

/* Returns "snapshot ID: 0.91 (2 Drift, 1 Warn, 9 Match)". */
struct str changes_drift_sum(struct arena *, const struct drift *);
