#include "report/tally/spread.h"

/* Returns the tokens weighted by what they mostly cost. */
static double
weight_of(const int64_t used[METRIC_TOOL_CALLS])
{
	static const struct {
		int kind;
		double weight;
	} kinds[] = { { USAGE_INPUT, 20 }, { USAGE_OUTPUT, 100 },
		{ USAGE_CACHE_READ, 2 }, { USAGE_CACHE_WRITE, 25 } };
	double sum = 0;

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (used[kinds[i].kind] > 0)
			sum += (double)used[kinds[i].kind] * kinds[i].weight;
	return sum;
}

struct spread
spread_start(const struct result *r)
{
	struct spread s = { .estimate = r->used[METRIC_ESTIMATE],
		.weight = weight_of(r->used) };
	int64_t used[METRIC_TOOL_CALLS];

	for (json_each(turn, r->trace->member[TRACE_TURNS])) {
		metric_usage(json_get(turn, "usage"), used);
		for (int i = 0; i < METRIC_TOOL_CALLS; i++)
			s.excess[i] = metric_add(s.excess[i], used[i]);
	}
	for (int i = 0; i < METRIC_TOOL_CALLS; i++)
		if (r->used[i] >= 0)
			s.excess[i] = s.excess[i] > r->used[i]
			    ? s.excess[i] - r->used[i]
			    : 0;
	return s;
}

void
spread_next(struct spread *s, const struct json *turn, int64_t used[METRICS])
{
	double share;

	for (int i = METRIC_TOOL_CALLS; i < METRICS; i++)
		used[i] = 0;
	metric_usage(json_get(turn, "usage"), used);
	for (int i = 0; i < METRIC_TOOL_CALLS; i++) {
		int64_t n = metric_add(0, used[i]) - s->excess[i];

		used[i] = n < 0 ? 0 : n;
		s->excess[i] = n < 0 ? -n : 0;
	}
	if (s->estimate <= 0 || s->weight <= 0)
		return;
	share = weight_of(used) / s->weight;
	used[METRIC_ESTIMATE] =
	    share >= 1 ? s->estimate : (int64_t)((double)s->estimate * share);
}
