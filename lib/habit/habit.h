/*
 * A habit is a statement about a run's calls and amounts that is true of the run
 * and that a rule of mcpl-rules(5) can say: that the run called a tool, called two
 * tools in an order, called a tool with some value of an argument. Reports contrast
 * the habits of two groups of runs; mcpl-check --learn writes policies of habits.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "trace/trace.h"

/* The forms, the simplest first: of two habits that say as much, the form that comes
 * first is shown. `n` is a number, the other words are tools and values. */
enum habit_form {
	HABIT_CALLED,      /* `tool` was called */
	HABIT_ERROR,       /* a call of `tool` failed */
	HABIT_COUNT,       /* `tool` was called n times or more */
	HABIT_AMOUNT,      /* what `tool` names (calls, tokens) is n or more */
	HABIT_ARGUMENT,    /* a call of `tool` has the value at `other` */
	HABIT_BEFORE,      /* each call of `tool` has `other` earlier */
	HABIT_AFTER,       /* each call of `tool` has `other` later */
	HABIT_THEN,        /* `other` was called after `tool` */
	HABIT_IN_A_ROW,    /* n identical calls of `tool` in a row, or more */
	HABIT_FIRST,       /* the first call is of `tool` */
	HABIT_LAST,        /* the last call is of `tool` */
	HABIT_RESULT,      /* a result of `tool` has the value at `other` */
	HABIT_WORD,        /* a result of `tool` has the word `other` */
	HABIT_TURN_COUNT,  /* HABIT_COUNT, within one turn */
	HABIT_TURN_BEFORE, /* HABIT_BEFORE, within each turn */
	HABIT_FORMS,
};

struct habit {
	enum habit_form form;
	struct str tool, other;
	struct str value; /* JSON source; absent unless the form has a value */
	int64_t n;        /* 0 unless the form has a number */
};

struct habit_list {
	struct habit *list;
	size_t n;
	/* The list has no values and words: the log cut a result or arguments
	 * short, or there are more than are looked at. */
	bool valueless;
};

/* Returns whether the form is about values or words. */
bool habit_is_of_value(enum habit_form);

/*
 * Returns the habits of a run, in the arena, each once: all that hold of the run, so
 * that the run has the opposite of a habit that is not in the list. Returns false if
 * the run's calls were not recorded, or not all of them, or are of too many tools.
 */
bool habits_of(const struct trace *, struct arena *, struct habit_list *);

/* Returns whether the habit is about each call of `tool`, and a run without such a
 * call has neither the habit nor its opposite. */
bool habit_is_of_each(enum habit_form);

/* Returns the rule that holds of the runs with the habit (`has`) or without the
 * habit; the text is absent if no rule says so. A rule of each call holds as well of
 * the runs without such a call. */
struct str habit_rule(const struct habit *, bool has, struct arena *);

/* Returns a key that equal habits share, and no others. */
struct str habit_key(const struct habit *, struct arena *);
