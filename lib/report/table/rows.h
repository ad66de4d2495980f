/* The rows of the reports' tables: the groups, then sums of them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "report/tally/tally.h"

struct rows {
	const struct tally_group **list;
	size_t n;
	size_t groups;      /* how many are groups; the sums come behind them */
	struct str_list by; /* what their names are of */
	bool *shown;        /* which of these there are to show */
};

/* The groups in their order; where several agents ran several scenarios, all
 * that each one ran; and all, where there are several groups. */
struct rows rows_of(const struct tally *, struct arena *);

/* Returns the rows without the groups whose runs all passed, if there are more
 * than `most` groups; *left_out is how many groups are missing. */
struct rows rows_without_passed(
    const struct rows *, size_t most, size_t *left_out, struct arena *);

/* Leaves out the groups, if there are sums, and names that no sum has. */
struct rows rows_without_groups(const struct rows *, struct arena *);

/* Adds all runs once more, as a row of that name. */
void rows_add_total(
    struct rows *, const struct tally *, struct str name, struct arena *);

/* What heads the column of a name: "scenario". */
struct str rows_title(struct str by);
