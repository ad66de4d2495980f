#include "report/tally/metrics.h"

#include <math.h>

const char *
metric_name(int metric)
{
	switch (metric) {
	case METRIC_TOOL_CALLS:
		return "tool_calls";
	case METRIC_DURATION:
		return "duration_ms";
	case METRIC_ESTIMATE:
		return "estimated_cost_usd";
	default:
		return usage_names[metric].s;
	}
}

double
metric_units(int metric)
{
	switch (metric) {
	case USAGE_COST:
	case METRIC_ESTIMATE:
		return 1e9;
	case METRIC_DURATION:
		return 1e3;
	default:
		return 1;
	}
}

void
metric_write(struct out *o, int64_t amount, int metric)
{
	if (metric_units(metric) == 1)
		out_json_int(o, amount);
	else
		out_json_double(o, (double)amount / metric_units(metric));
}

int64_t
metric_add(int64_t sum, int64_t amount)
{
	if (amount < 0)
		return sum;
	return amount > INT64_MAX - sum ? INT64_MAX : sum + amount;
}

int64_t
metric_read(const struct json *v, int metric)
{
	double n;

	if (v == NULL)
		return -1;
	n = json_double(v) * metric_units(metric);
	return n >= 0 && n < 0x1p62 ? llround(n) : -1;
}

void
metric_usage(const struct json *usage, int64_t used[METRIC_TOOL_CALLS])
{
	const struct json *found[METRIC_TOOL_CALLS];

	json_pick(usage, usage_names, METRIC_TOOL_CALLS, found);
	for (int i = 0; i < METRIC_TOOL_CALLS; i++)
		used[i] = metric_read(found[i], i);
}
