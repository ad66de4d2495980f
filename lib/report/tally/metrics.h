/* What runs are measured by: names, units and sums. */
#pragma once

#include <stdint.h>

#include "io/out.h"
#include "trace/usage.h"
#include "json/json.h"

/* What is measured of a run: the kinds of usage, and two things more. */
enum {
	METRIC_TOOL_CALLS = USAGE_COUNT,
	METRIC_DURATION,
	METRICS,
};

/* The record's member of that name tells it: "cost_usd"; calls are counted. */
const char *metric_name(int metric);

/*
 * Amounts are whole numbers, so that a sum does not hang on the order of
 * adding: how many make one as the record tells it. Of cost 10^9 make a
 * dollar, of time 1000 a millisecond, of the others 1 is 1.
 */
double metric_units(int metric);

/* Writes the amount as a JSON number in the unit of the record's member: as a
 * whole number where metric_units is 1. */
void metric_write(struct out *, int64_t amount, int metric);

/* The amount that the value tells, or -1. */
int64_t metric_read(const struct json *, int metric);

/* The amount that each member of a record's usage tells; the first measures
 * have their names. */
void metric_usage(const struct json *usage, int64_t used[USAGE_COUNT]);

/* The sum; what is not recorded (-1) adds nothing. It stays at INT64_MAX when
 * it gets there, so that it still does not hang on the order. */
int64_t metric_add(int64_t sum, int64_t amount);
