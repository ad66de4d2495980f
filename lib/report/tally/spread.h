/* Spreads a run's usage over its turns, so that their sum is the run's usage. */
#pragma once

#include <stdint.h>

#include "report/tally/metrics.h"
#include "report/tally/result.h"

/* Holds how much more the turns tell than the run, which is not of the run: that of the
 * first turns, which a resumed session repeats. */
struct spread {
	int64_t excess[METRIC_TOOL_CALLS];
	int64_t estimate; /* of the run's cost; -1: none */
	double weight;    /* of the run's tokens */
};

struct spread spread_start(const struct result *);

/* Sets what the run used in its next turn, at least 0; no tool calls and no time. A
 * cost that is estimated for the run is divided by the tokens: those of output count
 * five times, those of a cache a tenth where they are read and 1.25 where they are
 * written, as prices mostly have it. */
void spread_next(
    struct spread *, const struct json *turn, int64_t used[METRICS]);
