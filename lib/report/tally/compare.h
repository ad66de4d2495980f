/*
 * What changed against a baseline, for each scenario and agent, and for each
 * assertion. A change is tested: McNemar's test where every run has its pair
 * on the other side, Fisher's where not, as of a partial, which has no runs.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "io/external_sort.h"
#include "redact/redact.h"
#include "report/tally/assertion.h"
#include "report/tally/tally.h"

enum compare_change {
	CHANGE_WORSE,
	CHANGE_GONE,
	CHANGE_BETTER,
	CHANGE_NEW,
	CHANGE_SAME,
	CHANGE_COUNT,
};

const char *compare_change_name(enum compare_change); /* "worse" */

/* The two sides of a comparison. */
enum { COMPARE_WAS, COMPARE_NOW };

struct compare_row {
	enum compare_change change;
	bool regression;            /* gone; or worse, and that by no chance
	                             * that exceeds compare.alpha */
	struct str scenario, agent; /* s is NULL: not told; of an assertion
	                             * there is no agent */
	const struct assertion *assertion; /* of either side; NULL: its runs */
	size_t passed[2], n[2]; /* runs or results; all but unchecked ones */
	size_t pairs;           /* 0: unpaired, so the test is Fisher's */
	size_t lost, gained;    /* of the pairs: that only passed, only pass */
	double p;               /* of the test; NAN if a side has nothing */
};

struct compare_rows {
	struct compare_row *list; /* regressions first, then by change, then by
	                           * scenario, agent and place */
	size_t n;
	size_t change[CHANGE_COUNT]; /* how many have it */
	size_t regressions;
	bool more; /* there are others, which were not all counted */
};

struct compare {
	double alpha;       /* the largest p of a regression; 1 by default */
	const bool *filter; /* which statuses count; NULL: all, and none */
	struct tally was;

	/* after compare_finish */
	struct compare_rows scenarios, assertions;
	struct compare_row all; /* every run there is */

	/* private */
	struct external_sort pairs;
};

/* Starts on an empty baseline. The struct may not be moved from then on, and
 * the filter must live as long. */
void compare_start(struct compare *, double alpha, const bool *filter);

/* Takes a run of the baseline, if the filter lets it, or of what is compared
 * with it. */
void compare_was(struct compare *, const struct result *, struct arena *moment);
void compare_now(struct compare *, const struct result *, struct arena *moment);

/* Compares; the rows live in the arena. The tally is finished. */
void compare_finish(struct compare *, const struct tally *, struct arena *);

/* Reads the file ("-" is standard input) into a comparison that was started.
 * What it cannot make use of is told (diag_error): a bad record, or a file
 * that holds no run. What is redacted (NULL: nothing) is so on both sides. */
void baseline_read(
    struct compare *, char *path, size_t max_line, struct redact *);

void compare_free(struct compare *);
