/* Pairs of texts and how many runs have each, on a shelf: sequences of calls,
 * extracted values, ways from one tool to the next. */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "report/tally/bounded_map.h"

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
