/* What is counted of a group of runs, in JSON. */
#include "base/stats.h"
#include "report/format/json_parts.h"

static void
put_names(struct out *o, struct str_list by, struct str_list names)
{
	for (size_t i = 0; i < names.n; i++) {
		if (names.list[i].s == NULL)
			continue;
		out_key_str(o, by.list[i]);
		out_json_str(o, names.list[i]);
	}
}

static void
put_statuses(struct out *o, const size_t counts[], enum status last)
{
	for (int s = 0; s <= (int)last; s++)
		out_member_size(o, status_name((enum status)s), counts[s]);
}

static void
put_rate(struct out *o, const struct tally_group *g)
{
	size_t passed = g->status[STATUS_PASSED], n = tally_rated(g);
	struct stats_interval ci = stats_wilson(passed, n);

	out_key(o, "pass_rate");
	if (n == 0) {
		out_json_null(o);
		return;
	}
	out_json_double(o, (double)passed / (double)n);
	out_member_double(o, "pass_rate_low", ci.low);
	out_member_double(o, "pass_rate_high", ci.high);
}

/* The means over the tasks that have as many runs; null where none has. */
static void
put_k(struct out *o, const struct tally *t, const struct tally_group *g)
{
	out_member_begin(o, "k", '[');
	for (size_t i = 0; i < g->n_k; i++) {
		double n = (double)g->k[i].tasks;

		out_begin(o, '{');
		out_member_size(o, "k", t->plan.k[i]);
		out_member_size(o, "tasks", g->k[i].tasks);
		out_member_double(o, "pass_at_k", g->k[i].pass_at / n);
		out_member_double(o, "pass_hat_k", g->k[i].pass_all / n);
		out_end(o, '}');
	}
	out_end(o, ']');
}

/* Whole where a unit is one, so that sums of tokens are. */
static void
put_amount(struct out *o, const char *key, int64_t humanize, int metric)
{
	out_key(o, key);
	if (metric_units(metric) == 1)
		out_json_int(o, humanize);
	else
		out_json_double(o, (double)humanize / metric_units(metric));
}

static void
put_sum(struct out *o, const struct tally_sum *s, int metric)
{
	static const struct {
		const char *key;
		double percent;
	} percentiles[] = { { "p50", 50 }, { "p90", 90 }, { "p95", 95 },
		{ "p99", 99 } };

	const struct quantiles *spread = tally_sum_sketch(s);

	out_begin(o, '{');
	out_member_size(o, "runs", s->runs);
	put_amount(o, "sum", s->sum, metric);
	put_amount(o, "min", spread->low, metric);
	for (size_t i = 0; i < sizeof percentiles / sizeof percentiles[0]; i++)
		put_amount(o, percentiles[i].key,
		    quantiles_percentile(spread, percentiles[i].percent),
		    metric);
	put_amount(o, "max", spread->high, metric);
	out_end(o, '}');
}

/* An object of the sums that there are, by what they measure. */
static void
put_sums(struct out *o, const char *key, const struct tally_sum *sums, int n)
{
	out_key(o, key);
	out_begin(o, '{');
	for (int i = 0; i < n; i++) {
		if (sums[i].runs == 0)
			continue;
		out_key(o, metric_name(i));
		put_sum(o, &sums[i], i);
	}
	out_end(o, '}');
}

static void
put_tools(struct out *o, const struct bounded_map *tools)
{
	out_member_begin(o, "tools", '[');
	for (size_t i = 0; i < tools->n; i++) {
		const struct tally_tool *t = tools->list[i];

		out_begin(o, '{');
		out_member_str(o, "tool", t->item.key.text);
		out_member_size(o, "runs", t->runs);
		out_member_size(o, "calls", t->calls);
		out_member_size(o, "errors", t->errors);
		if (t->time.runs != 0) {
			out_key(o, "duration_ms");
			put_sum(o, &t->time, METRIC_DURATION);
		}
		out_end(o, '}');
	}
	out_end(o, ']');
}

static void
put_sequences(struct out *o, const struct tally_group *g)
{
	size_t left_out = g->used[METRIC_TOOL_CALLS].runs;

	out_member_begin(o, "sequences", '[');
	for (size_t i = 0; i < g->sequences.n; i++) {
		const struct tally_pair *p = g->sequences.list[i];

		out_begin(o, '{');
		out_member_str(o, "tools", p->text);
		out_member_size(o, "runs", p->times);
		out_end(o, '}');
		left_out -= p->times;
	}
	out_end(o, ']');
	out_member_size(o, "sequences_left_out", left_out);
}

static void
put_values(struct out *o, const struct bounded_map *values)
{
	out_member_begin(o, "extracted", '[');
	for (size_t i = 0; i < values->n; i++) {
		const struct tally_pair *p = values->list[i];

		out_begin(o, '{');
		out_member_str(o, "name", p->name);
		out_member_str(o, "value", p->text);
		out_member_size(o, "runs", p->times);
		out_end(o, '}');
	}
	out_end(o, ']');
}

static void
put_judge(struct out *o, const struct tally_judge *j)
{
	out_member_begin(o, "judge", '{');
	out_member_size(o, "verdicts", j->verdicts);
	out_member_size(o, "cached", j->cached);
	out_member_size(o, "split", j->split);
	put_sums(o, "usage", j->used, USAGE_COUNT);
	put_sums(o, "saved", j->saved, USAGE_COUNT);
	out_end(o, '}');
}

void
json_put_group(
    struct out *o, const struct tally *t, const struct tally_group *g)
{
	out_begin(o, '{');
	put_names(o, t->plan.by, g->names);
	out_member_size(o, "runs", g->runs);
	put_statuses(o, g->status, STATUS_UNCHECKED);
	out_member_size(o, "not_checked", g->runs - tally_checked(g));
	out_member_size(o, "ended_in_error", g->errors);
	put_rate(o, g);
	out_member_size(o, "tasks", g->tasks);
	out_member_size(o, "flaky", g->flaky);
	put_k(o, t, g);
	out_member_begin(o, "checks", '{');
	put_statuses(o, g->checks, STATUS_SKIPPED);
	out_end(o, '}');
	put_sums(o, "usage", g->used, METRICS);
	put_tools(o, &g->tools);
	put_sequences(o, g);
	put_values(o, &g->values);
	put_judge(o, tally_group_judge(g));
	out_end(o, '}');
}
