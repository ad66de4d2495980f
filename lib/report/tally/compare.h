/*
 * The comparison of runs with a baseline, for each scenario and agent, and for
 * each assertion. A change is tested for significance: with McNemar's test
 * where every run has its pair on the other side, else with Fisher's test, as
 * for a partial, which has no runs.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "io/external_sort.h"
#include "redact/redact.h"
#include "report/tally/assertion.h"
#include "report/tally/behaviour.h"
#include "report/tally/tally.h"

enum compare_change {
	CHANGE_WORSE,
	CHANGE_GONE,
	CHANGE_BETTER,
	CHANGE_NEW,
	CHANGE_SAME,
	CHANGE_COUNT,
};

/* Returns the name of a change: "worse". */
const char *compare_change_name(enum compare_change);

struct compare_row {
	enum compare_change change;
	bool regression; /* gone; or worse, with a p of at most compare.alpha */
	/* s is NULL: absent; the agent is absent in the row of an assertion */
	struct str scenario, agent;
	/* of either side; NULL: the row is of runs */
	const struct assertion *assertion;
	size_t passed[2], n[2]; /* runs or results, without unchecked ones */
	size_t pairs;           /* 0: unpaired, so that the test is Fisher's */
	size_t lost, gained;    /* pairs that passed only before, or only now */
	double p;               /* of the test; NAN if a side has nothing */
};

struct compare_rows {
	/* regressions first, then by change, then by scenario, agent and
	 * place */
	struct compare_row *list;
	size_t n;
	size_t change[CHANGE_COUNT]; /* the number of rows with each change */
	size_t regressions;
	bool more; /* there are other assertions, which were not counted */
};

struct compare {
	double alpha;       /* the largest p of a regression; 1 by default */
	const bool *filter; /* the statuses that count; NULL: all runs */
	struct tally was;

	/* Set by compare_finish(). */
	struct compare_rows scenarios, assertions;
	struct compare_row all; /* all runs as one row */
	struct behaviour behaviour;

	/* private */
	struct external_sort pairs;
};

/* Starts with an empty baseline; `margin` is that of the behaviour. The
 * address of the struct must not change from then on, and the filter must
 * outlive the struct. */
void compare_start(
    struct compare *, double alpha, double margin, const bool *filter);

/* Adds a run: compare_was() one of the baseline, unless the filter excludes the
 * run; compare_now() one of the runs that are compared with the baseline. */
void compare_was(struct compare *, struct result *, struct arena *moment);
void compare_now(struct compare *, const struct result *, struct arena *moment);

/* Compares with a finished tally; the rows live in the arena. */
void compare_finish(struct compare *, const struct tally *, struct arena *);

/* Reads a baseline file ("-" is standard input) into a comparison that was
 * started: records, partials or MCPLab's results.json, or several of these
 * in one file. Reports what it cannot use by diag_error(): a bad record, or
 * a file without any run. Secrets are replaced by `redact` (NULL: none) on
 * both sides. */
void baseline_read(
    struct compare *, char *path, size_t max_line, struct redact *);

void compare_free(struct compare *);
