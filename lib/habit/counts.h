/*
 * Counts the runs that have each habit, by groups of runs and by halves: half of the
 * runs, by their ids, find what tells the groups apart, and the other half confirms.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/hash.h"
#include "habit/habit.h"

enum {
	CONTRAST_GROUPS = 8,      /* groups; the runs of more groups count as
				   * others' */
	CONTRAST_HABITS = 400000, /* different habits that are counted */
	CONTRAST_SAMPLE = 8192,   /* runs whose habits are kept, at most */
};

/* The halves of the runs. */
enum { CONTRAST_FIND, CONTRAST_CONFIRM };

/* The runs of all groups and their habits; zeroed memory has none. The runs come one
 * after another, in any order. */
struct contrasts {
	struct str groups[CONTRAST_GROUPS];
	size_t n_groups;
	uint32_t runs[2][CONTRAST_GROUPS + 1]; /* the last: of other groups */
	/* Those of them whose values and words are not known whole. */
	uint32_t valueless[2][CONTRAST_GROUPS + 1];
	size_t unknown; /* runs whose calls were not recorded */
	bool full;      /* some habits were not counted */

	/* private */
	struct arena arena;
	struct hash_table table;
	struct contrast_habit **habits;
	size_t n;
	struct contrast_run *sample;
	size_t n_sample, room; /* room: for how many */
	uint64_t limit; /* the sample has the runs whose hashes are below */
};

/* Counts a run of the group. Temporary memory is taken from the arena. */
void contrasts_add(
    struct contrasts *, const struct trace *, struct str group, struct arena *);

/* A habit and the number of runs that have the habit. */
struct contrast_habit {
	struct habit habit;
	uint32_t id;   /* its place among the habits */
	uint32_t base; /* of a habit of each call: that the tool was called */
	uint32_t count[2][CONTRAST_GROUPS + 1];
};

/* A run of the sample and its habits, by their places. */
struct contrast_run {
	uint64_t hash;
	size_t half, group;
	uint32_t *habits;
	size_t n;
	bool valueless;
};

void contrasts_free(struct contrasts *);
