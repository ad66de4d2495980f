/* What runs are measured by: names, units and sums. */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdint.h>

#include "trace/usage.h"
#include "json/json.h"

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

/* The amount that each member of a record's usage tells; the first measures
 * have their names. */
void measure_usage(const struct json *usage, int64_t used[USAGE_COUNT]);

/* The sum; what is not recorded (-1) adds nothing. It stays at INT64_MAX when
 * it gets there, so that it still does not hang on the order. */
int64_t measure_add(int64_t sum, int64_t amount);

#endif
