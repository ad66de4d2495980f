/* Sums of amounts, and bounded maps of tools and of pairs of texts (sequences
 * of calls, extracted values, steps from one tool to the next) with the number
 * of runs that have each. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "report/tally/bounded_map.h"
#include "report/tally/quantiles.h"
#include "report/tally/result.h"

enum { TALLY_TEXT_MAX = 2048 }; /* bytes; a longer text ends with its hash */

/* A pair of texts, and the number of runs that have the pair. */
struct tally_pair {
	struct bounded_map_item item;
	struct str name, text; /* name is empty where one text is enough */
	size_t times;
	size_t of; /* the runs that may have the pair; 0: not counted */
};

/* Returns the text; a long text is cut and ends with its hash, so that no other
 * text is taken for it. */
struct str tally_text(struct str, struct arena *);

/* Counts a pair by its name, text and times. */
void tally_pair_add(struct bounded_map *, struct tally_pair, struct arena *,
    struct arena *moment);
/* Like tally_pair_add(), but takes a pair that another map counted, whose texts
 * are already cut. */
void tally_pair_restore(
    struct bounded_map *, struct tally_pair, struct arena *);
void tally_pairs_merge(
    struct bounded_map *to, const struct bounded_map *from, struct arena *);

/* A sum over the runs that recorded the amount, and the number of these
 * runs. */
struct tally_sum {
	int64_t sum;
	size_t runs;
	struct quantiles *spread; /* the distribution; NULL: an empty one */
};

struct tally_tool {
	struct bounded_map_item item; /* the key is the name, as logged */
	size_t calls, errors, runs;
	/* of its calls, in the units of METRIC_DURATION */
	struct tally_sum time;
	size_t last_run; /* private: the last run that called the tool */
};

/* Adds an amount: tally_sum_count() to the sum, tally_sum_spread() to the
 * distribution, tally_sum_add() to both. An amount of -1 (not recorded) adds
 * nothing. */
void tally_sum_count(struct tally_sum *, int64_t amount);
void tally_sum_spread(struct tally_sum *, int64_t amount, struct arena *);
void tally_sum_add(struct tally_sum *, int64_t amount, struct arena *);
void tally_sum_merge(
    struct tally_sum *to, const struct tally_sum *from, struct arena *);

/* Returns the distribution of the amounts; tally_sum_own_quantiles() returns
 * one that can be changed, made in the arena if there is none. */
const struct quantiles *tally_sum_quantiles(const struct tally_sum *);
struct quantiles *tally_sum_own_quantiles(struct tally_sum *, struct arena *);

/* Returns the tool of that name, which is made if there is none, or NULL if the
 * tool is left out. */
struct tally_tool *tally_tool_put(
    struct bounded_map *, struct str name, struct arena *);

/* Counts the calls of a run. `run` is the run's number, different for each run
 * and not 0. */
void tally_tools_add(struct bounded_map *, const struct result *, size_t run,
    struct arena *, struct arena *moment);
/* Counts the times of these calls. */
void tally_tools_add_times(struct bounded_map *, const struct result *,
    struct arena *, struct arena *moment);
void tally_tools_merge(
    struct bounded_map *to, const struct bounded_map *from, struct arena *);
