#include "report/table/details.h"

#include <stdlib.h>
#include <string.h>

#include "report/table/cells.h"
#include "report/table/permissions.h"
#include "text/humanize.h"
#include "text/layout.h"

/* ---- repeated runs ---- */

/* Adds the mean over tasks; if the mean is not of all tasks, "of" how many. */
static void
rate_cell(struct table *t, double sum, size_t tasks, size_t all)
{
	struct str rate = { 0 };

	if (tasks != 0)
		rate =
		    str_printf(t->arena, "%.1f%%", 100 * sum / (double)tasks);
	if (tasks != 0 && tasks < all)
		rate =
		    str_printf(t->arena, "%.*s of %zu", STR_FMT(rate), tasks);
	cells_text(t, rate);
}

static const char *
k_title(struct arena *a, const char *sign, size_t k)
{
	return str_c(a, str_printf(a, "pass%s%zu", sign, k));
}

static struct table
repeats(struct arena *a, const struct tally *t, const struct rows *r)
{
	struct table table = { .arena = a };

	if (t->total.tasks == 0)
		return table;
	cells_name_columns(&table, r);
	cells_number_column(&table, "tasks");
	cells_number_column(&table, "flaky");
	for (size_t i = 0; i < t->plan.n_k; i++) {
		if (t->total.k[i].tasks == 0)
			continue;
		cells_optional_column(
		    &table, k_title(a, "@", t->plan.k[i]), (int)i);
		cells_optional_column(
		    &table, k_title(a, "^", t->plan.k[i]), (int)i);
	}
	for (size_t i = 0; i < r->n; i++) {
		const struct tally_group *g = r->list[i];

		cells_names(&table, r, g, i >= t->n);
		cells_number(&table, g->tasks, TONE_PLAIN);
		cells_number(&table, g->flaky, TONE_WARN);
		for (size_t j = 0; j < g->n_k; j++) {
			const struct tally_k *k = &g->k[j];

			if (t->total.k[j].tasks == 0)
				continue;
			rate_cell(&table, k->pass_at, k->tasks, g->tasks);
			rate_cell(&table, k->pass_all, k->tasks, g->tasks);
		}
	}
	return table;
}

enum { FLAKY_SHOWN = 10 };

enum { MODEL = 2 }; /* the place of the model among a task's names */

/* Returns whether only the model distinguishes the task from another task. */
static bool
needs_model(const struct tally *t, const struct tally_group *task)
{
	for (size_t i = 0; i < t->n_tasks; i++) {
		const struct str_list *other = &t->tasks[i]->names;
		size_t same = 0;

		for (size_t j = 0; j < other->n; j++)
			same += j != MODEL &&
			    str_eq(other->list[j], task->names.list[j]);
		if (t->tasks[i] != task && same == other->n - 1)
			return true;
	}
	return false;
}

/* Returns "account-lookup gpt (1 of 2 passed)". */
static struct str
task_text(const struct tally *t, const struct tally_group *g, struct arena *a)
{
	struct str *names = arena_new_n(a, struct str, g->names.n);
	size_t n = 0;

	for (size_t i = 0; i < g->names.n; i++)
		if (g->names.list[i].s != NULL &&
		    (i != MODEL || n == 0 || needs_model(t, g)))
			names[n++] = layout_clean(a, g->names.list[i], false);
	if (n == 0)
		names[n++] = STR("-"); /* as in the tables */
	return str_printf(a, "%.*s (%zu of %zu passed)",
	    STR_FMT(str_join(a, names, n, STR(" "))), g->status[STATUS_PASSED],
	    tally_rated(g));
}

struct str
details_flaky(struct arena *a, const struct tally *t)
{
	struct str text = { 0 };
	size_t shown = 0;

	if (t->total.flaky == 0)
		return text;
	text = str_printf(a, "%zu of %zu task%s flaky: ", t->total.flaky,
	    t->total.tasks, t->total.tasks == 1 ? " is" : "s are");
	for (size_t i = 0; i < t->n_tasks && shown < FLAKY_SHOWN; i++)
		if (t->tasks[i]->flaky != 0)
			text = str_printf(a, "%.*s%s%.*s", STR_FMT(text),
			    shown++ == 0 ? "" : ", ",
			    STR_FMT(task_text(t, t->tasks[i], a)));
	if (shown < t->total.flaky)
		text = str_printf(a, "%.*s and %zu more", STR_FMT(text),
		    t->total.flaky - shown);
	return text;
}

/* ---- percentiles ---- */

static const double percents[] = { 50, 90, 99 };

enum { PERCENTS = sizeof percents / sizeof percents[0] };

static void
percentile_cells(struct table *t, const struct tally_sum *s,
    struct str (*text)(struct arena *, double))
{
	for (size_t i = 0; i < PERCENTS; i++) {
		double amount = (double)quantiles_percentile(
		    tally_sum_quantiles(s), percents[i]);
		struct str cell = { 0 };

		if (s->runs != 0)
			cell = text(t->arena, amount);
		cells_text(t, cell);
	}
}

static void
percentile_columns(struct table *t, const char *what)
{
	for (size_t i = 0; i < PERCENTS; i++)
		cells_optional_column(t,
		    str_c(t->arena,
			str_printf(t->arena, "%s p%.0f", what, percents[i])),
		    (int)i);
}

static struct table
percentiles(struct arena *a, const struct tally *t, const struct rows *r)
{
	const struct tally_sum *all = t->total.used;
	bool time = all[METRIC_DURATION].runs != 0;
	int money = all[USAGE_COST].runs != 0 ? USAGE_COST : METRIC_ESTIMATE;
	bool cost = all[money].runs != 0;
	struct table table = { .arena = a };

	if (!time && !cost)
		return table;
	cells_name_columns(&table, r);
	if (time)
		percentile_columns(&table, "time");
	if (cost)
		percentile_columns(
		    &table, money == USAGE_COST ? "cost" : "est. cost");
	for (size_t i = 0; i < r->n; i++) {
		const struct tally_group *g = r->list[i];

		cells_names(&table, r, g, i >= t->n);
		if (time)
			percentile_cells(
			    &table, &g->used[METRIC_DURATION], humanize_time);
		if (cost)
			percentile_cells(&table, &g->used[money], humanize_usd);
	}
	return table;
}

/* ---- tables of all runs ---- */

static int
more_first(size_t a, size_t b)
{
	return (a < b) - (a > b);
}

static int
compare_tools(const void *a, const void *b)
{
	const struct tally_tool *t = *(struct tally_tool *const *)a;
	const struct tally_tool *u = *(struct tally_tool *const *)b;
	int c = more_first(t->calls, u->calls);

	return c != 0 ? c : str_cmp(t->item.key.text, u->item.key.text);
}

static int
compare_pairs(const void *a, const void *b)
{
	const struct tally_pair *p = *(struct tally_pair *const *)a;
	const struct tally_pair *q = *(struct tally_pair *const *)b;
	int c = str_cmp(p->name, q->name);

	if (c == 0)
		c = more_first(p->times, q->times);
	return c != 0 ? c : str_cmp(p->text, q->text);
}

static size_t
not_passed(const struct assertion *it)
{
	return it->status[STATUS_FAILED] + it->status[STATUS_ERROR];
}

static int
compare_assertions(const void *a, const void *b)
{
	const struct assertion *x = *(struct assertion *const *)a;
	const struct assertion *y = *(struct assertion *const *)b;
	int c = more_first(not_passed(x), not_passed(y));

	if (c == 0)
		c = str_cmp(x->scenario, y->scenario);
	if (c == 0)
		c = failure_place_compare(x->at.text, y->at.text);
	return c != 0 ? c : str_cmp(x->item.key.text, y->item.key.text);
}

/* Returns the map's items in another order. *n is the number of items that the
 * table shows, at most `most`. */
static void **
sorted(struct table *t, const struct bounded_map *s,
    int (*compare)(const void *, const void *), size_t most, size_t *n)
{
	void **list = arena_new_n(t->arena, void *, s->n);

	for (size_t i = 0; i < s->n; i++)
		list[i] = s->list[i];
	qsort(list, s->n, sizeof list[0], compare);
	*n = s->n < most ? s->n : most;
	t->more = s->n - *n;
	return list;
}

static struct table
tools(struct arena *a, const struct tally *t, size_t most)
{
	struct table table = { .arena = a };
	size_t n;
	void **list = sorted(&table, &t->total.tools, compare_tools, most, &n);

	cells_name_column(&table, "tool");
	cells_number_column(&table, "runs");
	cells_number_column(&table, "calls");
	cells_number_column(&table, "errors");
	percentile_columns(&table, "time");
	for (size_t i = 0; i < n; i++) {
		const struct tally_tool *tool = list[i];

		cells_name(&table, tool->item.key.text);
		cells_number(&table, tool->runs, TONE_PLAIN);
		cells_number(&table, tool->calls, TONE_PLAIN);
		cells_number(&table, tool->errors, TONE_BAD);
		percentile_cells(&table, &tool->time, humanize_time);
	}
	return table;
}

/* Returns "a -> b" for ["a","b"], which tally_sequence() wrote. */
static struct str
arrows(struct arena *a, struct str names)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	const struct json *list = json_read(&reader, names, NULL, &error);
	struct str *parts = NULL;
	size_t n = 0;

	for (json_each(name, list))
		*arena_push(a, parts, n) = str_dup(a, json_text(name, a));
	json_reader_free(&reader);
	if (n == 0) /* no calls; or cut short, so that it is not JSON */
		return str_is(names, "[]") ? STR("(no calls)") : names;
	return str_join(a, parts, n, STR(" -> "));
}

static struct table
sequences(struct arena *a, const struct tally *t, size_t most)
{
	struct table table = { .arena = a };
	size_t n;
	void **list = sorted(&table, &tally_group_details(&t->total)->sequences,
	    compare_pairs, most, &n);

	cells_number_column(&table, "runs");
	cells_name_column(&table, "calls");
	for (size_t i = 0; i < n; i++) {
		const struct tally_pair *p = list[i];

		cells_number(&table, p->times, TONE_PLAIN);
		cells_name(&table, arrows(a, p->text));
	}
	return table;
}

static struct table
values(struct arena *a, const struct tally *t, size_t most)
{
	struct table table = { .arena = a };
	size_t n;
	void **list = sorted(&table, &tally_group_details(&t->total)->values,
	    compare_pairs, most, &n);

	cells_name_column(&table, "extracted");
	cells_name_column(&table, "value");
	cells_number_column(&table, "runs");
	for (size_t i = 0; i < n; i++) {
		const struct tally_pair *p = list[i];

		cells_name(&table, p->name);
		cells_name(&table, p->text);
		cells_number(&table, p->times, TONE_PLAIN);
	}
	return table;
}

static struct table
assertions(struct arena *a, const struct tally *t, size_t most)
{
	struct table table = { .arena = a };
	size_t n;
	void **list = sorted(&table, &t->checks, compare_assertions, most, &n);

	cells_name_column(&table, "scenario");
	cells_name_column(&table, "assertion");
	cells_number_column(&table, "pass");
	cells_number_column(&table, "fail");
	cells_optional_column(&table, "other", 2);
	cells_name_column(&table, "place");
	table_optional(&table, 1);
	for (size_t i = 0; i < n; i++) {
		const struct assertion *it = list[i];

		cells_name(&table, it->scenario);
		cells_name(&table, it->label.n != 0 ? it->label : it->type);
		cells_number(&table, it->status[STATUS_PASSED], TONE_GOOD);
		cells_number(&table, not_passed(it), TONE_BAD);
		cells_number(&table,
		    it->status[STATUS_PENDING] + it->status[STATUS_SKIPPED],
		    TONE_WARN);
		cells_name(&table, it->at.text);
	}
	return table;
}

struct table
details_table(struct arena *a, const struct tally *t, const struct rows *r,
    enum details part, size_t most)
{
	switch (part) {
	case DETAILS_REPEATS:
		return repeats(a, t, r);
	case DETAILS_PERCENTILES:
		return percentiles(a, t, r);
	case DETAILS_PERMISSIONS:
		return permissions_calls(a, t, r);
	case DETAILS_PERMISSION_LINES:
		return permissions_lines(a, t, most);
	case DETAILS_COVERS:
		return permissions_covers(a, t, most);
	case DETAILS_TOOLS:
		return tools(a, t, most);
	case DETAILS_SEQUENCES:
		return sequences(a, t, most);
	case DETAILS_VALUES:
		return values(a, t, most);
	default:
		return assertions(a, t, most);
	}
}

const char *
details_title(enum details part)
{
	static const char *const titles[DETAILS_PARTS] = {
		[DETAILS_REPEATS] = "Repeated runs",
		[DETAILS_PERCENTILES] = "Percentiles",
		[DETAILS_PERMISSIONS] = "Permissions",
		[DETAILS_PERMISSION_LINES] =
		    "Lines of permissions that applied",
		[DETAILS_COVERS] =
		    "Calls that no line covers, by the line that would",
		[DETAILS_TOOLS] = "Tools",
		[DETAILS_SEQUENCES] = "Sequences of calls",
		[DETAILS_VALUES] = "Extracted values",
		[DETAILS_ASSERTIONS] = "Assertions",
	};

	return titles[part];
}

/* ---- judges ---- */

struct str
details_judge(struct arena *a, const struct tally_group *g)
{
	const struct tally_judge *j = tally_group_judge(g);
	const struct tally_sum *cost = &j->used[USAGE_COST];
	struct str text;

	if (j->verdicts == 0)
		return (struct str){ 0 };
	text = str_printf(a, "%.*s (%zu from the cache, %zu split)",
	    STR_FMT(humanize_of(a, j->verdicts, "judge's verdict")), j->cached,
	    j->split);
	if (cost->runs == 0)
		return text;
	return str_printf(a, "%.*s, %.*s", STR_FMT(text),
	    STR_FMT(humanize_usd(a, (double)cost->sum)));
}
