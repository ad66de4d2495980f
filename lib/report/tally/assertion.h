/*
 * An assertion and its results in all runs. Two reports take an assertion for
 * the same by its scenario, dialect, type and label, and by its place among the
 * assertions of one run that share these four. Its line in the assertion file
 * does not matter, because that line changes when the file is edited.
 */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "report/tally/bounded_map.h"
#include "report/tally/result.h"

enum {
	ASSERTION_EXPECTED_MAX = 65536, /* bytes; a longer text is not kept */
	ASSERTION_RECENT = 4096, /* places for those that were found last */
};

struct assertion {
	struct bounded_map_item item;
	struct str scenario, dialect, type, label; /* s is NULL: absent */
	bool expectation;                          /* as in result_check.h */
	size_t ordinal;                            /* counts from 0 */
	uint64_t hash;                             /* as in result_check.h */
	/* FILE:LINE; the first place if there are several */
	struct bounded_map_text at;
	/* of MCPLab's allowed sequences: JSON, a list of lists of tools */
	struct bounded_map_text expected;
	size_t status[STATUS_COUNT]; /* counts of its results */
};

/* Counts the results of a run in a bounded_map of struct assertion; not those of
 * permissions, of which only lines that applied have one. `recent` has ASSERTION_RECENT
 * places, NULL at first, for assertions of the map. result_read_details() was called on
 * the run. */
void assertion_add(struct bounded_map *, struct assertion **recent,
    const struct result *, struct arena *, struct arena *moment);

/* Adds an assertion that another bounded_map counted: its names, places and
 * results. */
void assertion_merge(struct bounded_map *to, const struct assertion *from,
    struct arena *, struct arena *moment);
