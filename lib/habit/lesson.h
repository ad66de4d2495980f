/* The rules that are learned of one scenario; private to the folder. */
#pragma once

#include "habit/counts.h"

enum {
	LEARN_HABIT = 20, /* good runs that make a habit */
	LEARN_RULES = 20, /* rules of one scenario, at most, of either kind */
};

struct learn_scenario {
	struct str name; /* absent: runs without a scenario */
	struct contrasts runs;
};

/* A rule that all good runs keep. */
struct lesson {
	struct habit habit;
	bool has; /* the rule says that runs have the habit */
	struct str rule;
	size_t applied; /* good runs that the rule is about */
	size_t broken;  /* bad runs that break the rule */
	const struct contrast_habit
	    *counted; /* NULL: of no habit that was seen */
};

struct lessons {
	struct lesson *list;
	size_t n;
	size_t good, bad; /* runs of the scenario */
};

/* Returns the rules to write: those that bad runs break, each of which breaks for a
 * run for which those before it do not; then the habits that follow from no other. */
struct lessons lessons_of(const struct learn_scenario *, struct arena *);

/* Removes the rules that follow from the others. */
void lessons_reduce(struct lessons *);
