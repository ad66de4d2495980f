/* The rows of the reports' tables: the groups, then sums of groups. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "report/tally/tally.h"

struct rows {
	const struct tally_group **list;
	size_t n;
	size_t groups;      /* the number of groups; sums are behind them */
	struct str_list by; /* the members that the rows' names are of */
	bool *shown;        /* for each name, whether it has a column */
};

/* Returns the groups in their order; then, if several agents ran several
 * scenarios, a sum for each agent; then, if there are several groups, the
 * total. */
struct rows rows_of(const struct tally *, struct arena *);

/* Returns the rows without the groups whose runs all passed, if there are more
 * than `most` groups. *left_out is the number of these groups. */
struct rows rows_without_passed(
    const struct rows *, size_t most, size_t *left_out, struct arena *);

/* Returns only the sums, with the names that a sum has; all rows if there is no
 * sum. */
struct rows rows_without_groups(const struct rows *, struct arena *);

/* Adds the total once more, as a row of that name. */
void rows_add_total(
    struct rows *, const struct tally *, struct str name, struct arena *);

/* Returns the title of a name's column: "scenario". */
struct str rows_title(struct str by);
