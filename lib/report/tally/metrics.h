/* The metrics of a run (usage, tool calls, duration): names, units and sums. */
#pragma once

#include <stdint.h>

#include "io/out.h"
#include "trace/usage.h"
#include "json/json.h"

/* The kinds of usage that reports sum, and three metrics more. */
enum {
	METRIC_TOOL_CALLS = USAGE_CACHE_WRITE_1H,
	METRIC_DURATION,
	METRIC_ESTIMATE, /* of a cost that the record lacks */
	METRICS,
	/* amounts that only a comparison needs */
	AMOUNT_FAILED_CALLS = METRICS, /* of runs that recorded results */
	AMOUNT_ANSWER,                 /* characters of the answer */
	AMOUNTS,
};

/* Returns the name of the record's member with the metric: "cost_usd". Tool
 * calls have no member; they are counted. */
const char *metric_name(int metric);

/*
 * Amounts are whole numbers, so that a sum does not depend on the order of
 * adding. Returns how many units make 1 of the record's member: for cost 10^9
 * units are a dollar, for a duration 1000 units are a millisecond, for other
 * metrics a unit is 1.
 */
double metric_units(int metric);

/* Writes the amount as a JSON number in the unit of the record's member: as a
 * whole number where metric_units is 1. */
void metric_write(struct out *, int64_t amount, int metric);

/* Returns the amount of the value, or -1 if there is none. */
int64_t metric_read(const struct json *, int metric);

/* Reads the amounts of a record's usage; the kinds of usage are the first
 * metrics. */
void metric_usage(const struct json *usage, int64_t used[METRIC_TOOL_CALLS]);

/* Returns the sum; an amount of -1 (not recorded) adds nothing. A sum that
 * reaches INT64_MAX stays there, so that it does not depend on the order
 * either. */
int64_t metric_add(int64_t sum, int64_t amount);
