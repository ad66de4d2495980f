/*
 * One assertion, whatever run it is of. What makes it the same in two reports
 * is its scenario, dialect, type, label, and its place among those of a run
 * that share all these; not where it stands in its file, which changes as the
 * file is edited.
 */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "report/tally/bounded_map.h"
#include "report/tally/result.h"

enum {
	ASSERTION_EXPECTED_MAX = 65536, /* bytes; of longer ones none */
};

struct assertion {
	struct bounded_map_item item;
	struct str scenario, dialect, type, label; /* s is NULL: not told */
	size_t ordinal;                            /* from 0 */
	struct bounded_map_text at; /* where it stands; the first of several */
	struct bounded_map_text
	    expected;                /* of MCPLab's allowed sequences: JSON, a
	                              * list of lists of tools */
	size_t status[STATUS_COUNT]; /* of its results */
	size_t last_run, twins;      /* private: the run that last had it, and
	                              * how many more of its name that has */
};

/* Counts the assertions of a run, whose number is another for each, and not 0,
 * on a shelf of struct assertion. */
void assertion_add(struct bounded_map *, const struct result *, size_t run,
    struct arena *, struct arena *moment);

/* The ordinal of each of the run's checks, in the arena. */
size_t *assertion_ordinals(const struct result *, struct arena *moment);

/* Adds one that another shelf counted: its names, places and results. */
void assertion_merge(struct bounded_map *to, const struct assertion *from,
    struct arena *, struct arena *moment);
