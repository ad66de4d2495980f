#include "report/tally/spread.h"

struct spread
spread_start(const struct result *r)
{
	struct spread s = { 0 };
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
spread_next(
    struct spread *s, const struct json *turn, int64_t used[METRIC_TOOL_CALLS])
{
	metric_usage(json_get(turn, "usage"), used);
	for (int i = 0; i < METRIC_TOOL_CALLS; i++) {
		int64_t n = metric_add(0, used[i]) - s->excess[i];

		used[i] = n < 0 ? 0 : n;
		s->excess[i] = n < 0 ? -n : 0;
	}
}
