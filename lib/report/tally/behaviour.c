#include "report/tally/behaviour.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/stats.h"

#define ALPHA 0.05 /* of a change of tools */

const char *
behaviour_name(int amount)
{
	switch (amount) {
	case TALLY_FAILED_CALLS:
		return "failed_calls";
	case TALLY_ANSWER:
		return "answer_chars";
	default:
		return metric_name(amount);
	}
}

const char *
behaviour_change_name(enum behaviour_change change)
{
	static const char *const names[] = {
		[BEHAVIOUR_MORE] = "more",
		[BEHAVIOUR_LESS] = "less",
		[BEHAVIOUR_ADDED] = "new",
		[BEHAVIOUR_GONE] = "gone",
		[BEHAVIOUR_SAME] = "same",
	};

	return names[change];
}

/* Returns whether a rise of the amount is a rise in usage. A larger part of the
 * input that is read from a cache, or of the output that is reasoning, is none,
 * and neither is a longer answer. */
static bool
is_usage(int amount)
{
	return amount != USAGE_CACHE_READ && amount != USAGE_REASONING &&
	    amount != TALLY_ANSWER;
}

static double
units(int amount)
{
	return amount < METRICS ? metric_units(amount) : 1;
}

/* ---- pairs of groups ---- */

/* The runs of a scenario and agent on both sides, of all models; NULL: none. */
struct pair {
	struct str scenario, agent;
	const struct tally_group *side[2];
	struct tally_group
	    *sum[2]; /* is the side, where there are several models */
};

struct pairs {
	struct pair **list;
	size_t n;
	struct hash_table table;
	struct arena *arena;
};

static void
add_group(
    struct pair *p, int side, const struct tally_group *g, struct arena *a)
{
	struct tally_group **sum = &p->sum[side];

	if (p->side[side] == NULL) {
		p->side[side] = g;
		return;
	}
	if (*sum == NULL) {
		*sum = tally_group_new(a, 0);
		tally_group_merge(*sum, p->side[side], a);
		p->side[side] = *sum;
	}
	tally_group_merge(*sum, g, a);
}

static void
add_side(struct pairs *p, const struct tally *t, int side)
{
	for (size_t i = 0; i < t->n_tasks; i++) {
		const struct tally_group *g = t->tasks[i];
		struct str key = hash_key(p->arena, g->names.list, 2);
		void **slot = hash_put(&p->table, key);
		struct pair *pair = *slot;

		if (pair == NULL) {
			*slot = pair = arena_new(p->arena, struct pair);
			pair->scenario = g->names.list[0];
			pair->agent = g->names.list[1];
			*arena_push(p->arena, p->list, p->n) = pair;
		}
		add_group(pair, side, g, p->arena);
	}
}

static int
compare_names(struct str scenario, struct str agent, struct str other_scenario,
    struct str other_agent)
{
	int c = str_cmp(agent, other_agent);

	return c != 0 ? c : str_cmp(scenario, other_scenario);
}

static int
compare_pairs(const void *a, const void *b)
{
	const struct pair *p = *(struct pair *const *)a;
	const struct pair *q = *(struct pair *const *)b;

	return compare_names(p->scenario, p->agent, q->scenario, q->agent);
}

static bool
is_both(const struct pair *p)
{
	return p->side[COMPARE_WAS] != NULL && p->side[COMPARE_NOW] != NULL;
}

/* ---- amounts ---- */

static double
mean_of(const struct tally_sum *s, int amount)
{
	return (double)s->sum / (double)s->runs / units(amount);
}

/* Returns the least variance of single runs. A few runs that happen to make
 * equally many calls do not show that all runs do. */
static double
least_variance(int amount)
{
	switch (amount) {
	case METRIC_TOOL_CALLS:
	case USAGE_LLM_CALLS:
	case TALLY_FAILED_CALLS:
		return 0.25;
	default:
		return 0;
	}
}

/* Returns the sum of the squares of the distances from the mean. Only the last steps,
 * where the numbers are small, round. */
static double
squares_around_mean(const struct tally_sum *s, struct wide squares)
{
	uint64_t n = s->runs, sum = s->sum < 0 ? 0 : (uint64_t)s->sum;
	uint64_t mean = sum / n, rest = sum % n;
	struct wide off =
	    wide_subtract(squares, wide_product(mean, sum + rest));

	return fmax(
	    wide_double(off) - (double)rest * (double)rest / (double)n, 0);
}

/* Returns the variance of the mean; NAN if there are fewer than two runs. */
static double
variance_of(const struct tally_group *g, int amount)
{
	const struct tally_sum *s = &g->used[amount];
	double n = (double)s->runs, unit = units(amount), squares;

	if (s->runs < 2)
		return NAN;
	squares = squares_around_mean(s, tally_group_squares(g, amount)) /
	    (unit * unit);
	return fmax(squares / (n - 1), least_variance(amount)) / n;
}

/* Sets ratio and interval of two positive means, by the variances of their
 * logarithms and Welch's degrees of freedom. */
static void
set_interval(struct behaviour_amount *row, const double variance[2])
{
	double part[2], sum, freedom, half;

	for (int i = 0; i < 2; i++)
		part[i] = variance[i] / (row->mean[i] * row->mean[i]);
	sum = part[0] + part[1];
	if (isnan(sum))
		return;
	freedom = sum == 0 ? INFINITY
			   : sum * sum /
		(part[0] * part[0] / ((double)row->n[0] - 1) +
		    part[1] * part[1] / ((double)row->n[1] - 1));
	half = stats_student(freedom) * sqrt(sum);
	row->low = row->ratio * exp(-half);
	row->high = row->ratio * exp(half);
}

static void
set_ratio(struct behaviour_amount *row)
{
	const double *mean = row->mean;

	row->ratio = mean[COMPARE_WAS] > 0
	    ? mean[COMPARE_NOW] / mean[COMPARE_WAS]
	    : mean[COMPARE_NOW] > 0 ? INFINITY
				    : 1;
}

/* Fills in a row of the runs of a scenario. If a mean is 0, all amounts are 0,
 * and there is no variance. */
static void
compare_runs(struct behaviour_amount *row, const struct pair *p)
{
	double variance[2];

	for (int i = 0; i < 2; i++) {
		const struct tally_sum *s = &p->side[i]->used[row->amount];

		row->n[i] = s->runs;
		row->mean[i] = mean_of(s, row->amount);
		variance[i] = variance_of(p->side[i], row->amount);
	}
	set_ratio(row);
	if (row->mean[COMPARE_WAS] > 0 && row->mean[COMPARE_NOW] > 0)
		set_interval(row, variance);
	else if (row->ratio == 1)
		row->low = row->high = 1;
	else if (row->mean[COMPARE_WAS] > 0 && row->n[COMPARE_NOW] > 1)
		row->low = row->high = 0;
	else if (row->mean[COMPARE_NOW] >
	    stats_student((double)row->n[COMPARE_NOW] - 1) *
		sqrt(variance[COMPARE_NOW]))
		row->low = row->high = INFINITY;
}

/* The differences of the scenarios' means, or of the logarithms of these, while
 * they are added up. */
struct differences {
	double sum, squares;
	size_t n;
};

static void
add_difference(struct differences *d, double difference)
{
	d->sum += difference;
	d->squares += difference * difference;
	d->n++;
}

/* Returns half the width of the interval of the mean difference; NAN for a
 * single one. */
static double
half_width(const struct differences *d)
{
	double n = (double)d->n, mean = d->sum / n;
	double variance = (d->squares - n * mean * mean) / (n - 1);

	if (d->n < 2)
		return NAN;
	/* a variance of 0 may be a little less, by rounding */
	return stats_student(n - 1) * sqrt(fmax(variance, 0) / n);
}

/* Fills in the row of an agent from the rows of its scenarios. The ratio is the
 * geometric mean of the scenarios' ratios if all means are positive, else that
 * of the sums. */
static void
compare_scenarios(struct behaviour_amount *total,
    const struct behaviour_amount *rows, size_t n)
{
	struct differences plain = { 0 }, logs = { 0 };
	double half;

	for (size_t i = 0; i < n; i++) {
		const double *mean = rows[i].mean;

		for (int side = 0; side < 2; side++)
			total->mean[side] += mean[side] / (double)n;
		add_difference(&plain, mean[COMPARE_NOW] - mean[COMPARE_WAS]);
		if (mean[COMPARE_WAS] > 0 && mean[COMPARE_NOW] > 0)
			add_difference(
			    &logs, log(mean[COMPARE_NOW] / mean[COMPARE_WAS]));
	}
	total->n[COMPARE_WAS] = total->n[COMPARE_NOW] = n;
	set_ratio(total);
	if (logs.n == n) {
		half = half_width(&logs);
		total->ratio = exp(logs.sum / (double)n);
		total->low = total->ratio * exp(-half);
		total->high = total->ratio * exp(half);
	} else if (total->mean[COMPARE_WAS] > 0) {
		half = half_width(&plain) / total->mean[COMPARE_WAS];
		total->low = fmax(total->ratio - half, 0);
		total->high = total->ratio + half;
	} else if (total->ratio == 1) {
		total->low = total->high = 1;
	} else if (plain.sum / (double)n > half_width(&plain)) {
		total->low = total->high = INFINITY;
	}
}

/* Sets the change, and whether the row counts: if even the lower end of the
 * interval exceeds the margin. Without any interval (`bare`), the ratio
 * decides. Differences of rounding are none. */
static void
decide_amount(struct behaviour_amount *row, double margin, bool bare)
{
	const double slack = 1e-9;
	bool known = !isnan(row->low);

	if (known)
		row->change = row->low > 1 + slack ? BEHAVIOUR_MORE
		    : row->high < 1 - slack        ? BEHAVIOUR_LESS
						   : BEHAVIOUR_SAME;
	else
		row->change = row->ratio > 1 + margin ? BEHAVIOUR_MORE
		    : row->ratio < 1 / (1 + margin)   ? BEHAVIOUR_LESS
						      : BEHAVIOUR_SAME;
	row->counts = row->change == BEHAVIOUR_MORE && is_usage(row->amount) &&
	    (known ? row->low > 1 + margin + slack : bare);
}

static void
decide_counted(struct behaviour *b, size_t at, bool bare)
{
	struct behaviour_amount *row = &b->amounts[at];

	decide_amount(row, b->margin, bare);
	b->usage += row->counts;
	b->changed_amounts += row->change != BEHAVIOUR_SAME;
}

/* Compares an amount of one agent, whose pairs these are. */
static void
compare_amount(
    struct behaviour *b, struct pair *const *pairs, size_t n, int amount)
{
	struct behaviour_amount empty = { .amount = amount,
		.agent = pairs[0]->agent,
		.ratio = NAN,
		.low = NAN,
		.high = NAN };
	size_t first = b->n_amounts, k;

	for (size_t i = 0; i < n; i++) {
		struct behaviour_amount *row;

		if (pairs[i]->side[COMPARE_WAS]->used[amount].runs == 0 ||
		    pairs[i]->side[COMPARE_NOW]->used[amount].runs == 0)
			continue;
		row = &b->amounts[b->n_amounts++];
		*row = empty;
		row->scenario = pairs[i]->scenario;
		compare_runs(row, pairs[i]);
	}
	k = b->n_amounts - first;
	for (size_t i = first; i < first + k; i++)
		decide_counted(b, i, k == 1);
	if (k < 2)
		return;
	empty.total = true;
	compare_scenarios(&empty, &b->amounts[first], k);
	b->amounts[b->n_amounts++] = empty;
	decide_counted(b, first + k, false);
}

/* ---- tools ---- */

static const struct tally_tool *
tool_at(const struct bounded_map *tools, size_t i)
{
	return i < tools->n ? tools->list[i] : NULL;
}

/* Returns the order of the tools' names; no tool comes last. */
static int
compare_tool_names(const struct tally_tool *a, const struct tally_tool *b)
{
	if (a == NULL || b == NULL)
		return (a == NULL) - (b == NULL);
	return str_cmp(a->item.key.text, b->item.key.text);
}

/* Adds a row for each tool that a run of one of the groups called. Both lists of tools
 * are in the order of the names. */
static void
add_tools(struct behaviour *b, const struct pair *p, bool total)
{
	size_t at[2] = { 0 };

	for (;;) {
		const struct tally_tool *was, *now;
		int order;

		was = tool_at(&p->side[COMPARE_WAS]->tools, at[COMPARE_WAS]);
		now = tool_at(&p->side[COMPARE_NOW]->tools, at[COMPARE_NOW]);
		if (was == NULL && now == NULL)
			return;
		order = compare_tool_names(was, now);
		b->tools[b->n_tools++] = (struct behaviour_tool){
			.tool = (order <= 0 ? was : now)->item.key.text,
			.scenario = p->scenario,
			.agent = p->agent,
			.total = total,
			.runs = { order <= 0 ? was->runs : 0,
			    order >= 0 ? now->runs : 0 },
			.p = NAN,
		};
		at[COMPARE_WAS] += order <= 0;
		at[COMPARE_NOW] += order >= 0;
	}
}

/* Adds the rows of the tools of a pair if the calls of both sides are
 * recorded, and no tool was left out. */
static void
compare_tools(struct behaviour *b, const struct pair *p, bool total)
{
	size_t first = b->n_tools, n[2];

	for (int side = 0; side < 2; side++) {
		n[side] = p->side[side]->used[METRIC_TOOL_CALLS].runs;
		if (n[side] == 0 || p->side[side]->tools.full)
			return;
	}
	add_tools(b, p, total);
	for (size_t i = first; i < b->n_tools; i++)
		memcpy(b->tools[i].n, n, sizeof n);
}

/* Sets the change, and whether the row counts. `tests` is the number of tests
 * for which p is corrected (Bonferroni). An agent that calls a new tool in any
 * run behaves differently; for one scenario only the frequency is tested. */
static void
decide_tool(struct behaviour_tool *t, double margin, size_t tests)
{
	double was = (double)t->runs[COMPARE_WAS] / (double)t->n[COMPARE_WAS];
	double now = (double)t->runs[COMPARE_NOW] / (double)t->n[COMPARE_NOW];

	t->p = fmin(stats_fisher(t->runs, t->n) * (double)tests, 1);
	t->change = BEHAVIOUR_SAME;
	if (t->total && t->runs[COMPARE_WAS] == 0)
		t->change = BEHAVIOUR_ADDED;
	else if (t->total && t->runs[COMPARE_NOW] == 0)
		t->change = BEHAVIOUR_GONE;
	else if (t->p <= ALPHA)
		t->change = now > was ? BEHAVIOUR_MORE : BEHAVIOUR_LESS;
	t->counts = t->change == BEHAVIOUR_ADDED ||
	    t->change == BEHAVIOUR_GONE ||
	    (t->change != BEHAVIOUR_SAME && fabs(now - was) > margin);
}

static void
decide_tools(struct behaviour *b)
{
	for (size_t i = 0; i < b->n_tools; i++) {
		struct behaviour_tool *t = &b->tools[i];

		decide_tool(t, b->margin, b->n_tools);
		b->tool_changes += t->counts;
		b->changed_tools += t->change != BEHAVIOUR_SAME;
	}
}

/* ---- all ---- */

/* Compares the agent of these pairs. */
static void
compare_agent(
    struct behaviour *b, struct pair *const *pairs, size_t n, struct arena *a)
{
	struct pair all = { .agent = pairs[0]->agent };

	for (int i = 0; i < TALLY_AMOUNTS; i++)
		if (i != METRIC_ESTIMATE) /* prices decide nothing */
			compare_amount(b, pairs, n, i);
	for (int side = 0; side < 2; side++) {
		struct tally_group *sum = tally_group_new(a, 0);

		for (size_t i = 0; i < n; i++) {
			const struct tally_group *g = pairs[i]->side[side];

			tally_tools_merge(&sum->tools, &g->tools, a);
			sum->used[METRIC_TOOL_CALLS].runs +=
			    g->used[METRIC_TOOL_CALLS].runs;
		}
		all.side[side] = sum;
	}
	compare_tools(b, &all, true);
	for (size_t i = 0; n > 1 && i < n; i++)
		compare_tools(b, pairs[i], false);
}

static int
compare_amounts(const void *a, const void *b)
{
	const struct behaviour_amount *r = a, *s = b;
	int c = s->counts - r->counts;

	if (c == 0)
		c = str_cmp(r->agent, s->agent);
	if (c == 0)
		c = s->total - r->total;
	if (c == 0)
		c = str_cmp(r->scenario, s->scenario);
	return c != 0 ? c : r->amount - s->amount;
}

static int
compare_tool_rows(const void *a, const void *b)
{
	const struct behaviour_tool *r = a, *s = b;
	int c = s->counts - r->counts;

	if (c == 0)
		c = str_cmp(r->agent, s->agent);
	if (c == 0)
		c = s->total - r->total;
	if (c == 0)
		c = str_cmp(r->scenario, s->scenario);
	return c != 0 ? c : str_cmp(r->tool, s->tool);
}

/* Like qsort, but takes NULL as an empty list. */
static void
sort(void *list, size_t n, size_t size,
    int (*compare)(const void *, const void *))
{
	if (n != 0)
		qsort(list, n, size, compare);
}

/* Makes room for the most rows that there can be: of each pair, and of each agent. */
static void
make_room(
    struct behaviour *b, struct pair *const *pairs, size_t n, struct arena *a)
{
	size_t tools = 0;

	for (size_t i = 0; i < n; i++)
		for (int side = 0; side < 2; side++)
			tools += 2 * pairs[i]->side[side]->tools.n;
	b->amounts =
	    arena_room(a, 2 * n * TALLY_AMOUNTS * sizeof b->amounts[0]);
	b->tools = arena_room(a, tools * sizeof b->tools[0]);
}

void
behaviour_compare(struct behaviour *b, const struct tally *was,
    const struct tally *now, struct arena *a)
{
	struct pairs p = { .table.arena = a, .arena = a };
	size_t n = 0, from = 0;

	add_side(&p, was, COMPARE_WAS);
	add_side(&p, now, COMPARE_NOW);
	sort(p.list, p.n, sizeof p.list[0], compare_pairs);
	for (size_t i = 0; i < p.n; i++)
		if (is_both(p.list[i]))
			p.list[n++] = p.list[i];
	make_room(b, p.list, n, a);
	for (size_t i = 1; i <= n; i++) {
		if (i < n && str_eq(p.list[i]->agent, p.list[from]->agent))
			continue;
		compare_agent(b, p.list + from, i - from, a);
		from = i;
	}
	decide_tools(b);
	sort(b->amounts, b->n_amounts, sizeof b->amounts[0], compare_amounts);
	sort(b->tools, b->n_tools, sizeof b->tools[0], compare_tool_rows);
}
