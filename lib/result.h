/*
 * A record as the reports see it: which run it was, what became of it and of
 * its checks, what it used.
 */
#ifndef RESULT_H
#define RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "json.h"
#include "recall.h"
#include "result_check.h"
#include "trace.h"
#include "usage.h"

/* What is measured of a run: the kinds of usage, and two things more. */
enum {
	MEASURE_TOOL_CALLS = USAGE_COUNT,
	MEASURE_DURATION,
	MEASURES,
};

/* The record's member of that name tells it: "cost_usd"; calls are counted. */
const char *measure_name(int measure);

/*
 * Amounts are whole numbers, so that a sum does not hang on the order of
 * adding: how many make one as the record tells it. Of cost 10^9 make a
 * dollar, of time 1000 a millisecond, of the others 1 is 1.
 */
double measure_units(int measure);

/* The amount that the value tells, or -1. */
int64_t measure_read(const struct json *, int measure);

/* The same of each member of a record's usage, whose names the first measures
 * have. */
void measure_usage(const struct json *usage, int64_t used[USAGE_COUNT]);

/* The sum; what is not recorded (-1) adds nothing. It stays at INT64_MAX when
 * it gets there, so that it still does not hang on the order. */
int64_t measure_add(int64_t sum, int64_t amount);

struct result_call {
	struct str tool;  /* the name as logged */
	bool error;       /* so its result says */
	int64_t duration; /* in the units of MEASURE_DURATION; -1: not told */
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
	int64_t used[MEASURES]; /* -1: not recorded */
};

/*
 * Reads a trace; all texts live in the arena or in the record, or are those of
 * recall.h. The list of
 * checks is not empty: it opens with the run's own error, and where the record
 * has no check results its `failures`, or its bare status, stand for them.
 * False, and *why says so, if a status or a severity is none that there is.
 * Of the calls no more is read than how many they are.
 */
bool result_read(struct result *, const struct trace *, struct recall *,
    struct arena *, struct str *why);

/* Reads the run's calls, too; none where they were not recorded. */
void result_read_calls(struct result *, struct arena *);

/* The status that the run has if only checks at least so severe count. It is
 * the record's own where all do. */
enum status result_status_at(const struct result *, enum severity least);

#endif
