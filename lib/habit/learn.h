/*
 * Learns a policy from good runs: rules that all good runs of a scenario keep, and
 * that some bad run breaks or so many good runs keep that they are a habit.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/hash.h"
#include "io/out.h"
#include "trace/trace.h"

/* The runs of all scenarios; zeroed memory has none. */
struct learn {
	size_t good, bad; /* the runs that count */
	size_t
	    unknown; /* runs that do not, for their calls were not recorded */

	/* private */
	struct arena arena;
	struct hash_table table;
	struct learn_scenario **list;
	size_t n;
};

/* Adds a run. Good runs are those that passed or have no status; bad runs are all
 * but those that passed. Other runs are left out. Temporary memory is taken from
 * the arena. */
void learn_add(
    struct learn *, const struct trace *, bool good, struct arena *moment);

/* Writes the policy as a file of rules, with a comment above each rule on how many
 * runs keep and break the rule. Returns the number of rules. */
size_t learn_write(struct learn *, struct out *);

void learn_free(struct learn *);
