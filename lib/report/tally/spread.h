/* What each turn of a run used, so that the sum is what the run used. */
#pragma once

#include <stdint.h>

#include "report/tally/metrics.h"
#include "report/tally/result.h"

/* What the turns tell more than the run: this is not of the run, and is that of the
 * first turns, which a resumed session repeats. */
struct spread {
	int64_t excess[METRIC_TOOL_CALLS];
};

struct spread spread_start(const struct result *);

/* Sets what the run used in its next turn, at least 0. */
void spread_next(
    struct spread *, const struct json *turn, int64_t used[METRIC_TOOL_CALLS]);
