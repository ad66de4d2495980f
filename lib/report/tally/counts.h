/* Pairs of texts and how many runs have each, on a shelf: sequences of calls,
 * extracted values, ways from one tool to the next. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "report/tally/bounded_map.h"
#include "report/tally/quantiles.h"
#include "report/tally/result.h"

enum { TALLY_TEXT_MAX = 2048 }; /* bytes; a longer one ends in its hash */

/* A pair of texts, and how many runs have it. */
struct tally_pair {
	struct bounded_map_item item;
	struct str name, text; /* name is empty where one text is enough */
	size_t times;
};

/* The text, or so much of it that no other is taken for it. */
struct str tally_text(struct str, struct arena *);

/* Counts a pair (its name, text and times) on a shelf. */
void tally_pair_add(struct bounded_map *, struct tally_pair, struct arena *,
    struct arena *moment);
/* The same of a pair that another shelf counted. */
void tally_pair_restore(
    struct bounded_map *, struct tally_pair, struct arena *);
void tally_pairs_merge(
    struct bounded_map *to, const struct bounded_map *from, struct arena *);

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
void tally_sum_count(struct tally_sum *, int64_t amount);
void tally_sum_spread(struct tally_sum *, int64_t amount, struct arena *);
void tally_sum_add(struct tally_sum *, int64_t amount, struct arena *);
void tally_sum_merge(
    struct tally_sum *to, const struct tally_sum *from, struct arena *);

/* How the amounts are spread; and the same to add to. */
const struct quantiles *tally_sum_quantiles(const struct tally_sum *);
struct quantiles *tally_sum_own_quantiles(struct tally_sum *, struct arena *);

/* The tool of that name, new or known; NULL: it is left out. */
struct tally_tool *tally_tool_put(
    struct bounded_map *, struct str name, struct arena *);

/* Counts the calls of a run, whose number is another for each, and not 0. */
void tally_tools_add(struct bounded_map *, const struct result *, size_t run,
    struct arena *, struct arena *moment);
void tally_tools_merge(
    struct bounded_map *to, const struct bounded_map *from, struct arena *);
