/* The tasks of the two sides of a comparison, beside each other. */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "report/tally/tally.h"

/* The two sides of a comparison. */
enum { COMPARE_WAS, COMPARE_NOW };

/* The runs of a scenario and agent, of all models. */
struct compare_task {
	struct str scenario, agent;        /* s is NULL: absent */
	const struct tally_group *side[2]; /* NULL: no runs */
};

struct compare_tasks {
	struct compare_task *list; /* by scenario, then by agent */
	size_t n;
};

/* Returns the tasks of two tallies whose tasks are sorted. Sums of several models live
 * in the arena. */
struct compare_tasks compare_tasks(
    const struct tally *was, const struct tally *now, struct arena *);
