/* The calls of a run as habits are found in them; private to the folder. */
#pragma once

#include "habit/habit.h"

enum {
	HABIT_TOOLS_MAX = 40,  /* different tools of a run, the first ones */
	HABIT_WORDS_MAX = 400, /* different words of its results */
	HABIT_VALUES_MAX = 60, /* values of one call's arguments */
	HABIT_VALUE_MAX = 60,  /* bytes of a value */
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
	size_t n_words;
};

/* Adds a habit. habit_add_once() adds only what `seen` lacks. */
void habit_add(struct habit_run *, struct habit);
void habit_add_once(struct habit_run *, struct habit);

/* Adds the habits of values and words: of the call's arguments and result. */
void habit_add_values(struct habit_run *, const struct habit_call *);
