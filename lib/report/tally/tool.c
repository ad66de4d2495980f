#include "report/tally/tool.h"

#include "report/tally/pair.h"

const struct quantiles *
tally_sum_sketch(const struct tally_sum *s)
{
	static const struct quantiles empty;

	return s->spread == NULL ? &empty : s->spread;
}

struct quantiles *
tally_sum_own_sketch(struct tally_sum *s, struct arena *a)
{
	if (s->spread == NULL)
		s->spread = arena_new(a, struct quantiles);
	return s->spread;
}

void
tally_sum_count(struct tally_sum *to, int64_t humanize)
{
	to->sum = metric_add(to->sum, humanize);
	to->runs += humanize >= 0;
}

void
tally_sum_spread(struct tally_sum *to, int64_t humanize, struct arena *a)
{
	if (humanize >= 0)
		quantiles_add(tally_sum_own_sketch(to, a), humanize, 1, a);
}

void
tally_sum_add(struct tally_sum *to, int64_t humanize, struct arena *a)
{
	tally_sum_count(to, humanize);
	tally_sum_spread(to, humanize, a);
}

void
tally_sum_merge(
    struct tally_sum *to, const struct tally_sum *from, struct arena *a)
{
	to->sum = metric_add(to->sum, from->sum);
	to->runs += from->runs;
	if (from->spread != NULL)
		quantiles_merge(tally_sum_own_sketch(to, a), from->spread, a);
}

struct tally_tool *
tally_tool_put(struct bounded_map *tools, struct str name, struct arena *a)
{
	bool fresh;
	struct tally_tool *t =
	    bounded_map_put(tools, name, sizeof(struct tally_tool), a, &fresh);

	if (t == NULL || !fresh)
		return t;
	t->calls = t->errors = t->runs = t->time.runs = t->last_run = 0;
	t->time.sum = 0;
	if (t->time.spread != NULL)
		quantiles_clear(t->time.spread);
	return t;
}

void
tally_tools_add(struct bounded_map *tools, const struct result *r, size_t run,
    struct arena *a, struct arena *moment)
{
	for (size_t i = 0; i < r->n_calls; i++) {
		const struct result_call *c = &r->calls[i];
		struct tally_tool *t =
		    tally_tool_put(tools, tally_text(c->tool, moment), a);

		if (t == NULL)
			continue;
		t->runs += t->last_run != run;
		t->last_run = run;
		t->calls++;
		t->errors += c->error;
		tally_sum_add(&t->time, c->duration, a);
	}
}

void
tally_tools_merge(
    struct bounded_map *to, const struct bounded_map *from, struct arena *a)
{
	for (size_t i = 0; i < from->n; i++) {
		const struct tally_tool *t = from->list[i];
		struct tally_tool *sum =
		    tally_tool_put(to, t->item.key.text, a);

		if (sum == NULL)
			continue;
		sum->calls += t->calls;
		sum->errors += t->errors;
		sum->runs += t->runs;
		tally_sum_merge(&sum->time, &t->time, a);
	}
	to->full |= from->full;
}
