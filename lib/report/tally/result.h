/*
 * A record as the reports use it: which run it was, the results of its checks,
 * and its usage.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "report/tally/metrics.h"
#include "report/tally/result_cache.h"
#include "report/tally/result_check.h"
#include "trace/prices.h"
#include "trace/trace.h"
#include "json/json.h"

struct result_call {
	struct str tool;  /* the name as logged */
	bool error;       /* the result of the call is an error */
	int64_t duration; /* in the units of METRIC_DURATION; -1: absent */
};

struct result {
	const struct trace *trace; /* the record that the run was read from */
	struct str id, scenario, agent, model; /* s is NULL: absent */
	struct str file; /* the log; `line` is the line in it */
	int64_t line;
	int64_t run_index;    /* -1: absent */
	struct str start;     /* RFC 3339 */
	bool checked;         /* the record has a status or check results */
	enum status status;   /* the verdict: see trace/verdict.h */
	enum status recorded; /* the record's own; unchecked: it has none */
	bool error;           /* the run itself ended in an error */
	bool by_author;       /* all checks are skipped by conditions in their
			 * assertions */
	struct result_check *checks;
	size_t n;
	size_t n_notes; /* more checks, which result_set_notes_aside() moved */
	enum severity mildest;     /* of the checks */
	struct result_call *calls; /* see result_read_details() */
	size_t n_calls;
	int64_t used[AMOUNTS]; /* -1: not recorded */
	struct str unpriced;   /* a model without a price; s is NULL: none */
};

/*
 * Reads a trace. Texts live in the arena, in the record or in the result_cache.
 * The list of checks is never empty: the error of a checked run is the first
 * element, and the check results follow. If there are neither, the elements are
 * the `failures` of a run that failed or is an error; else the bare status is
 * the only element. Returns false and sets *why if check_results is no list, or
 * a status or a severity is unknown. Calls are only counted.
 */
bool result_read(struct result *, const struct trace *, struct result_cache *,
    struct arena *, struct str *why);

/* Estimates the cost of the run, if the record has none. */
void result_estimate(struct result *, struct prices *, struct arena *);

/* Returns whether the run's status is in `statuses`; NULL lets all runs
 * through, also those without a status. */
bool result_is_of(const struct result *, const bool statuses[STATUS_COUNT]);

/* Moves the notes of permissions behind the other checks, unless there are no
 * others: calls of which the agent asks are counted, and are no findings. */
void result_set_notes_aside(struct result *, struct arena *);

/* Reads the run's calls, the amounts that are no metrics, and the names of its checks as
 * well. There are no calls if they were not recorded. */
void result_read_details(struct result *, struct arena *);

/* Returns the status that the run has if only checks of at least that severity
 * count. If these are all checks, the record's own status counts as well. */
enum status result_status_at(const struct result *, enum severity least);
