/* The calls of a run as habits are found in them; private to the folder. */
#pragma once

#include "habit/habit.h"

enum {
	HABIT_TOOLS_MAX = 60,    /* different tools of a run */
	HABIT_VALUES_MAX = 3000, /* different values and words of a run */
	HABIT_VALUE_MAX = 60,    /* bytes of a value */
};

/* A call, whose tool is one of the run's. */
struct habit_call {
	const struct trace_call *call;
	size_t tool; /* its place among the tools */
	bool again;  /* identical to the call before */
};

/* All that is collected of one run. */
struct habit_run {
	struct arena *arena;
	struct habit_list *found;
	struct hash_table *seen; /* the keys of values and words */
	struct str tools[HABIT_TOOLS_MAX];
	size_t n_tools;
	struct habit_call *calls;
	size_t n;
	size_t n_values;
	bool over; /* there are too many tools */
};

/* Adds a habit. habit_add_value() adds one of a value or word, once; with too many of
 * them, the list is to have none. */
void habit_add(struct habit_run *, struct habit);
void habit_add_value(struct habit_run *, struct habit);

/* Adds the habits of values and words: of the call's arguments and result. */
void habit_add_values(struct habit_run *, const struct habit_call *);
