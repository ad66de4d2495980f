/* The contrasts of --why: what the runs of one group do that others do not. */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "habit/contrast.h"
#include "io/out.h"
#include "report/tally/result.h"

#define WHY_STATUS "status"     /* failed runs, beside passed ones */
#define WHY_BASELINE "baseline" /* the runs, beside the baseline's */

struct why {
	/* WHY_STATUS, WHY_BASELINE, or the name of a member of records whose
	 * values are the groups; absent: nothing is contrasted */
	struct str by;
	struct contrasts runs;
	/* Set by why_finish(). */
	struct contrast *list;
	size_t n;
};

/* Counts a run, which is one of the baseline's or of those that are reported. */
void why_add(
    struct why *, const struct result *, bool baseline, struct arena *moment);

/* Contrasts the groups; the lists live in the arena. */
void why_finish(struct why *, struct arena *);

/* Writes the contrasts as JSON, for the member "why" of the json report. */
void why_write(struct out *, const struct why *);
