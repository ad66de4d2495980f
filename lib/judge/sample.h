/*
 * Draws checks that a person is to label: at random, or those on which the judge is
 * the least sure. The draw depends on the checks and the seed alone, not on their
 * order, and a larger draw has all checks of a smaller one, so that labels
 * add up to one sample.
 */
#pragma once

#include "judge/labels.h"
#include "trace/trace.h"

struct sample_check {
	struct label check;  /* members that identify the check */
	struct str record;   /* the source of its run */
	size_t index;        /* in check_results */
	uint64_t rank;       /* by which the check is drawn */
	double doubt;        /* 0 to 1; 0 in a random draw */
	struct label *known; /* NULL: the check has no label */
};

struct sample {
	/* Set by the caller. */
	struct arena *arena;
	const struct labels *labels;
	size_t wanted, seed;
	bool uncertain;

	struct sample_check *list; /* n, once sample_draw was called */
	size_t n;
	size_t answered; /* checks to draw from */

	/* private */
	struct sample_check last; /* no later check is drawn, if `full` */
	bool full;
};

/* Considers the checks of a run that a judge answered: with pass or fail, or, where
 * doubtful checks are drawn, with unsure. */
void sample_add(struct sample *, const struct trace *);

/* Makes the list the draw, in its order. */
void sample_draw(struct sample *);
