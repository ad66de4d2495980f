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
	case AMOUNT_FAILED_CALLS:
		return "failed_calls";
	case AMOUNT_ANSWER:
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
	    amount != AMOUNT_ANSWER;
}

static double
units(int amount)
{
	return amount < METRICS ? metric_units(amount) : 1;
}

/* ---- tasks ---- */

static int
compare_names(struct str scenario, struct str agent, struct str other_scenario,
    struct str other_agent)
{
	int c = str_cmp(agent, other_agent);

	return c != 0 ? c : str_cmp(scenario, other_scenario);
}

static int
compare_by_agent(const void *a, const void *b)
{
	const struct compare_task *t = *(struct compare_task *const *)a;
	const struct compare_task *u = *(struct compare_task *const *)b;

	return compare_names(t->scenario, t->agent, u->scenario, u->agent);
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
	case AMOUNT_FAILED_CALLS:
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
compare_runs(struct behaviour_amount *row, const struct compare_task *p)
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
decide_counted(struct behaviour *b, struct behaviour_amount *row, bool bare)
{
	decide_amount(row, b->margin, bare);
	b->usage += row->counts;
	b->amounts_by[row->change]++;
}

/* Fills in a row for each task that recorded the amount. Returns their number. */
static size_t
compare_tasks_amounts(struct behaviour_amount *rows,
    const struct behaviour_amount *empty, struct compare_task *const *tasks,
    size_t n)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		const struct compare_task *task = tasks[i];

		if (task->side[COMPARE_WAS]->used[empty->amount].runs == 0 ||
		    task->side[COMPARE_NOW]->used[empty->amount].runs == 0)
			continue;
		rows[k] = *empty;
		rows[k].scenario = task->scenario;
		compare_runs(&rows[k++], task);
	}
	return k;
}

/* Compares an amount of one agent, whose tasks these are. */
static void
compare_amount(struct behaviour *b, struct compare_task *const *tasks, size_t n,
    int amount)
{
	struct behaviour_amount empty = { .amount = amount,
		.agent = tasks[0]->agent,
		.ratio = NAN,
		.low = NAN,
		.high = NAN };
	struct behaviour_amount *rows = b->amounts + b->n_amounts;
	size_t k = compare_tasks_amounts(rows, &empty, tasks, n);

	for (size_t i = 0; i < k; i++)
		decide_counted(b, &rows[i], k == 1);
	if (k > 1) {
		empty.total = true;
		compare_scenarios(&empty, rows, k);
		decide_counted(b, &empty, false);
		rows[k++] = empty;
	}
	for (size_t i = 0; i < k; i++)
		if (b->same || rows[i].change != BEHAVIOUR_SAME)
			b->amounts[b->n_amounts++] = rows[i];
}

/* ---- tools ---- */

/* An agent with its tasks on both sides, and the sums of these. */
struct agent {
	struct compare_task *const *tasks;
	size_t n;
	struct compare_task all;
};

/* Sums up the tools of the agent's tasks. */
static void
sum_up_tools(struct agent *agent, struct arena *a)
{
	agent->all.agent = agent->tasks[0]->agent;
	for (int side = 0; side < 2; side++) {
		struct tally_group *sum = tally_group_new(a, 0);

		for (size_t i = 0; i < agent->n; i++) {
			const struct tally_group *g =
			    agent->tasks[i]->side[side];

			tally_tools_merge(&sum->tools, &g->tools, a);
			sum->used[METRIC_TOOL_CALLS].runs +=
			    g->used[METRIC_TOOL_CALLS].runs;
		}
		agent->all.side[side] = sum;
	}
}

/* Returns whether the calls of both sides are recorded, and no tool was left out. */
static bool
has_tools(const struct compare_task *task)
{
	for (int side = 0; side < 2; side++)
		if (task->side[side]->used[METRIC_TOOL_CALLS].runs == 0 ||
		    task->side[side]->tools.full)
			return false;
	return true;
}

/* Stores what the sides have of the next tool that a run of one of them called. */
static bool
next_tool(const struct compare_task *task, size_t at[2], const void *tools[2])
{
	const struct bounded_map *const maps[2] = { &task->side[0]->tools,
		&task->side[1]->tools };

	return bounded_map_next(maps, at, tools);
}

static size_t
count_tools(const struct compare_task *task)
{
	size_t at[2] = { 0 }, n = 0;
	const void *tools[2];

	while (has_tools(task) && next_tool(task, at, tools))
		n++;
	return n;
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

/* Adds a row for each tool of the task that is kept. */
static void
add_tools(struct behaviour *b, const struct compare_task *task, bool total,
    size_t tests)
{
	size_t at[2] = { 0 };
	const void *tools[2];

	while (has_tools(task) && next_tool(task, at, tools)) {
		struct behaviour_tool row = { .scenario = task->scenario,
			.agent = task->agent,
			.total = total };

		for (int side = 0; side < 2; side++) {
			const struct tally_tool *t = tools[side];

			row.n[side] =
			    task->side[side]->used[METRIC_TOOL_CALLS].runs;
			if (t == NULL)
				continue;
			row.tool = t->item.key.text;
			row.runs[side] = t->runs;
		}
		decide_tool(&row, b->margin, tests);
		b->tool_changes += row.counts;
		b->tools_by[row.change]++;
		if (b->same || row.change != BEHAVIOUR_SAME)
			b->tools[b->n_tools++] = row;
	}
}

/* Compares the tools of each agent, and of each of an agent's tasks if there are
 * several. */
static void
compare_tools(
    struct behaviour *b, struct agent *agents, size_t n, struct arena *a)
{
	size_t tests = 0;

	for (size_t i = 0; i < n; i++) {
		sum_up_tools(&agents[i], a);
		tests += count_tools(&agents[i].all);
		for (size_t k = 0; agents[i].n > 1 && k < agents[i].n; k++)
			tests += count_tools(agents[i].tasks[k]);
	}
	b->tools = arena_room(a, tests * sizeof b->tools[0]);
	for (size_t i = 0; i < n; i++) {
		add_tools(b, &agents[i].all, true, tests);
		for (size_t k = 0; agents[i].n > 1 && k < agents[i].n; k++)
			add_tools(b, agents[i].tasks[k], false, tests);
	}
}

/* ---- all ---- */

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

/* Returns the tasks that both sides have, of each agent, and stores the number of
 * agents. */
static struct agent *
agents_of(const struct compare_tasks *tasks, size_t *n, struct arena *a)
{
	struct compare_task **both =
	    arena_new_n(a, struct compare_task *, tasks->n);
	struct agent *agents = NULL;
	size_t n_both = 0;

	*n = 0;
	for (size_t i = 0; i < tasks->n; i++)
		if (tasks->list[i].side[0] != NULL &&
		    tasks->list[i].side[1] != NULL)
			both[n_both++] = &tasks->list[i];
	sort(both, n_both, sizeof both[0], compare_by_agent);
	for (size_t i = 0; i < n_both; i++) {
		if (i == 0 || !str_eq(both[i]->agent, both[i - 1]->agent))
			*arena_push(a, agents, *n) =
			    (struct agent){ .tasks = &both[i] };
		agents[*n - 1].n++;
	}
	return agents;
}

void
behaviour_compare(
    struct behaviour *b, const struct compare_tasks *tasks, struct arena *a)
{
	size_t n;
	struct agent *agents = agents_of(tasks, &n, a);

	/* a row of each task, and of each agent */
	b->amounts =
	    arena_room(a, 2 * tasks->n * AMOUNTS * sizeof b->amounts[0]);
	for (size_t i = 0; i < n; i++)
		for (int k = 0; k < AMOUNTS; k++)
			if (k != METRIC_ESTIMATE) /* prices decide nothing */
				compare_amount(
				    b, agents[i].tasks, agents[i].n, k);
	compare_tools(b, agents, n, a);
	sort(b->amounts, b->n_amounts, sizeof b->amounts[0], compare_amounts);
	sort(b->tools, b->n_tools, sizeof b->tools[0], compare_tool_rows);
}
