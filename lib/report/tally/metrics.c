#include "report/tally/metrics.h"

#include <math.h>

const char *
measure_name(int measure)
{
	switch (measure) {
	case MEASURE_TOOL_CALLS:
		return "tool_calls";
	case MEASURE_DURATION:
		return "duration_ms";
	default:
		return usage_names[measure].s;
	}
}

double
measure_units(int measure)
{
	switch (measure) {
	case USAGE_COST:
		return 1e9;
	case MEASURE_DURATION:
		return 1e3;
	default:
		return 1;
	}
}

int64_t
measure_add(int64_t sum, int64_t amount)
{
	if (amount < 0)
		return sum;
	return amount > INT64_MAX - sum ? INT64_MAX : sum + amount;
}

int64_t
measure_read(const struct json *v, int measure)
{
	double n;

	if (v == NULL)
		return -1;
	n = json_double(v) * measure_units(measure);
	return n >= 0 && n < 0x1p62 ? llround(n) : -1;
}

void
measure_usage(const struct json *usage, int64_t used[USAGE_COUNT])
{
	const struct json *found[USAGE_COUNT];

	json_pick(usage, usage_names, USAGE_COUNT, found);
	for (int i = 0; i < USAGE_COUNT; i++)
		used[i] = measure_read(found[i], i);
}
