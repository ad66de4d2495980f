/*
 * A record as the reports see it: which run it was, what became of it and of
 * its checks, what it used.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "report/tally/metrics.h"
#include "report/tally/result_cache.h"
#include "report/tally/result_check.h"
#include "trace/trace.h"
#include "json/json.h"

struct result_call {
	struct str tool;  /* the name as logged */
	bool error;       /* so its result says */
	int64_t duration; /* in the units of METRIC_DURATION; -1: not told */
};

struct result {
	const struct trace
	    *trace; /* what it was read from, with all the rest */
	struct str id, scenario, agent, model; /* s is NULL: not told */
	struct str file;                       /* the log, and its line */
	int64_t line;
	int64_t run_index; /* -1: not told */
	struct str start;  /* when it began, as RFC 3339 has it */
	bool checked;      /* the record has a status */
	enum status status;
	bool error; /* the run itself ended in an error */
	struct result_check *checks;
	size_t n;
	enum severity mildest;     /* of the checks */
	struct result_call *calls; /* see result_read_calls */
	size_t n_calls;
	int64_t used[METRICS]; /* -1: not recorded */
};

/*
 * Reads a trace; all texts live in the arena or in the record, or are those of
 * recall.h. The list of
 * checks is not empty: it opens with the run's own error, and where the record
 * has no check results its `failures`, or its bare status, stand for them.
 * False, and *why says so, if a status or a severity is none that there is.
 * Of the calls no more is read than how many they are.
 */
bool result_read(struct result *, const struct trace *, struct result_cache *,
    struct arena *, struct str *why);

/* Whether its status is one of those (NULL: any, and none). */
bool result_is_of(const struct result *, const bool statuses[STATUS_COUNT]);

/* Reads the run's calls, too; none where they were not recorded. */
void result_read_calls(struct result *, struct arena *);

/* The status that the run has if only checks at least so severe count. It is
 * the record's own where all do. */
enum status result_status_at(const struct result *, enum severity least);
