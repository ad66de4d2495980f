/* The comparison of runs with a baseline, for each scenario and agent, for each
 * assertion, and for all runs. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "io/external_sort.h"
#include "redact/redact.h"
#include "report/tally/behaviour.h"
#include "report/tally/regression.h"
#include "report/tally/tally.h"
#include "report/tally/why.h"

struct compare {
	/* the probability that any row is a regression if nothing changed;
	 * 1: a row that is worse is one, by any amount */
	double alpha;
	const bool *filter; /* the statuses that count; NULL: all runs */
	struct tally was;
	struct why *why; /* takes the runs of the baseline as well */
	/* So does this function, unless it is NULL. */
	void (*each)(void *arg, const struct result *, struct arena *);
	void *each_arg;

	/* Set by compare_finish(). */
	struct compare_rows scenarios, assertions;
	struct compare_row all; /* all runs as one row; no counted row */
	struct behaviour behaviour;

	/* private */
	struct external_sort pairs;
	pthread_mutex_t lock; /* of pairs */
};

/* Starts with an empty baseline; `margin` is that of the behaviour. The
 * address of the struct must not change from then on, and the filter must
 * outlive the struct. */
void compare_start(
    struct compare *, double alpha, double margin, const bool *filter);

/* Adds a run: compare_was() one of the baseline, unless the filter excludes the
 * run, which is counted in the tally as well; compare_now() one of the runs that are
 * compared with the baseline. Several threads may call these, each with a tally of its
 * own. */
void compare_was(
    struct compare *, struct tally *, struct result *, struct arena *moment);
void compare_now(struct compare *, const struct result *, struct arena *moment);

/* Compares with a finished tally; the rows live in the arena. */
void compare_finish(struct compare *, const struct tally *, struct arena *);

/* Returns the number of regressions. The row of all runs is counted if it sums up
 * several rows and is significant. */
size_t compare_regressions(const struct compare *);

/* Reads a baseline file ("-" is standard input) into a comparison that was
 * started: records, partials or MCPLab's results.json, or several of these
 * in one file. Reports what it cannot use by diag_error(): a bad record, or
 * a file without any run. Secrets are replaced by `redact` (NULL: none) on
 * both sides. `jobs` threads read. */
void baseline_read(struct compare *, char *path, size_t max_line,
    struct redact *, size_t jobs);

void compare_free(struct compare *);
