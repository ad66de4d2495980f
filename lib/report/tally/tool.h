/* Sums of what runs recorded, and the tools that they called, on a shelf. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "report/tally/bounded_map.h"
#include "report/tally/quantiles.h"
#include "report/tally/result.h"

/* A sum over the runs that recorded the amount; how many they are. */
struct tally_sum {
	int64_t sum;
	size_t runs;
	struct quantiles *spread; /* how it is distributed over them; NULL: that
	                        * of nothing */
};

struct tally_tool {
	struct bounded_map_item item; /* its key is the name, as logged */
	size_t calls, errors, runs;
	struct tally_sum time; /* of its calls, in the units of a duration */
	size_t last_run;       /* private: the run that last called it */
};

/* Adds an amount: to the sum, to what tells how amounts are spread, or to both.
 * What is not recorded (-1) adds nothing. */
void tally_sum_count(struct tally_sum *, int64_t humanize);
void tally_sum_spread(struct tally_sum *, int64_t humanize, struct arena *);
void tally_sum_add(struct tally_sum *, int64_t humanize, struct arena *);
void tally_sum_merge(
    struct tally_sum *to, const struct tally_sum *from, struct arena *);

/* How the amounts are spread; and the same to add to. */
const struct quantiles *tally_sum_sketch(const struct tally_sum *);
struct quantiles *tally_sum_own_sketch(struct tally_sum *, struct arena *);

/* The tool of that name, new or known; NULL: it is left out. */
struct tally_tool *tally_tool_put(
    struct bounded_map *, struct str name, struct arena *);

/* Counts the calls of a run, whose number is another for each, and not 0. */
void tally_tools_add(struct bounded_map *, const struct result *, size_t run,
    struct arena *, struct arena *moment);
void tally_tools_merge(
    struct bounded_map *to, const struct bounded_map *from, struct arena *);
