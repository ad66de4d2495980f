/* Recall and precision of skills over the queries of trigger evals. */
#pragma once

#include "report/tally/tally.h"
#include "text/table.h"

/* The queries about a skill of which a run was decided. A query triggers if the skill was used
 * in at least half of its runs. */
struct triggers_row {
	struct str skill; /* empty: any skill */
	size_t queries;
	size_t wanted; /* those that should trigger */
	size_t hits;   /* those of `wanted` that do */
	size_t alarms; /* others that do */
};

/* Returns the n rows, in the order of the skills' names. */
struct triggers_row *triggers_rows(
    struct arena *, const struct tally *, size_t *n);

/* Returns a table with a row for each skill; without rows if there are none. */
struct table triggers_table(struct arena *, const struct tally *);
