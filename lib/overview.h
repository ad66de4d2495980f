/* What a report tells in detail, as tables and sentences: repeated runs,
 * percentiles, tools, sequences, extracted values, assertions, judges. A table
 * without rows has nothing to tell. */
#ifndef OVERVIEW_H
#define OVERVIEW_H

#include "table.h"
#include "tally.h"

/* A row per group: how sure it is, over its tasks. */
struct table overview_repeats(struct arena *, const struct tally *);
/* A row per group: percentiles of time and cost. */
struct table overview_percentiles(struct arena *, const struct tally *);

/* Of all runs; those with the most calls, runs or failures first, and not more
 * than so many. */
struct table overview_tools(struct arena *, const struct tally *, size_t most);
struct table overview_sequences(
    struct arena *, const struct tally *, size_t most);
struct table overview_values(struct arena *, const struct tally *, size_t most);
struct table overview_assertions(
    struct arena *, const struct tally *, size_t most);

/* "2 of 8 tasks are flaky: ...", or absent. */
struct str overview_flaky(struct arena *, const struct tally *);

/* "12 verdicts of judges (5 from the cache, 1 split), $0.02", or absent. */
struct str overview_judge(struct arena *, const struct tally_group *);

#endif
