#include "report/table/summary.h"

#include <math.h>
#include <stdlib.h>

#include "base/stats.h"
#include "report/table/cells.h"
#include "text/humanize.h"

struct str
summary_rate(struct arena *a, size_t passed, size_t n)
{
	size_t tenths;

	if (n == 0)
		return STR("-");
	tenths = (size_t)floor(1000 * (double)passed / (double)n + 0.5);
	if (tenths == 1000 && passed < n)
		tenths = 999;
	if (tenths == 0 && passed > 0)
		tenths = 1;
	return str_printf(a, "%zu.%zu%%", tenths / 10, tenths % 10);
}

/* ---- verdicts ---- */

/* The titles are short, so that a table of five of them fits 80 cells. */
static const struct status_column {
	const char *title;
	enum tone tone;
	int optional; /* as in struct table_column */
} status_columns[STATUS_COUNT] = {
	[STATUS_PASSED] = { "pass", TONE_GOOD, 0 },
	[STATUS_FAILED] = { "fail", TONE_BAD, 0 },
	[STATUS_ERROR] = { "error", TONE_BAD, 1 },
	[STATUS_PENDING] = { "pend", TONE_WARN, 2 },
	[STATUS_SKIPPED] = { "skip", TONE_WARN, 4 },
	[STATUS_UNCHECKED] = { "unchecked", TONE_WARN, 5 },
};

/* Returns whether a status has a column: passed and failed always, the others
 * if a run has them. */
static bool
status_shown(const struct tally *t, int status)
{
	return status == STATUS_PASSED || status == STATUS_FAILED ||
	    t->total.status[status] != 0;
}

static struct str
rate_text(const struct tally_group *g, struct arena *a)
{
	size_t passed = g->status[STATUS_PASSED], n = tally_rated(g);
	struct stats_interval ci = stats_wilson(passed, n);

	if (n == 0)
		return STR("-");
	return str_printf(a, "%.*s (%.0f-%.0f)",
	    STR_FMT(summary_rate(a, passed, n)), 100 * ci.low, 100 * ci.high);
}

static void
verdict_cells(
    struct table *table, const struct tally *t, const struct tally_group *g)
{
	size_t passed = g->status[STATUS_PASSED], n = tally_rated(g);

	cells_number(table, g->runs, TONE_PLAIN);
	for (int s = 0; s < STATUS_COUNT; s++)
		if (status_shown(t, s))
			cells_number(
			    table, g->status[s], status_columns[s].tone);
	table_cell(table, rate_text(g, table->arena),
	    n == 0            ? TONE_FAINT
		: passed == n ? TONE_GOOD
			      : TONE_PLAIN);
}

struct table
summary_verdicts(struct arena *a, const struct tally *t, const struct rows *r)
{
	struct table table = { .arena = a };

	if (tally_checked(&t->total) == 0)
		return table;
	cells_name_columns(&table, r);
	cells_optional_column(&table, "runs", 3);
	for (int s = 0; s < STATUS_COUNT; s++)
		if (status_shown(t, s))
			cells_optional_column(&table, status_columns[s].title,
			    status_columns[s].optional);
	cells_number_column(&table, "pass rate (95%)");
	for (size_t i = 0; i < r->n; i++) {
		cells_names(&table, r, r->list[i], i >= r->groups);
		verdict_cells(&table, t, r->list[i]);
	}
	return table;
}

struct str
summary_rows_left_out(struct arena *a, size_t n)
{
	if (n == 0)
		return (struct str){ 0 };
	return str_cat(a, humanize_of(a, n, "row"),
	    n == 1 ? STR(" whose runs all passed is not shown (see --details)")
		   : STR(" whose runs all passed are not shown (see "
			 "--details)"));
}

/* ---- use ---- */

/* A column of usage: the metric, a second one that is added to it, and the
 * function that prints the amount. */
static const struct usage_column {
	const char *title;
	int what, more; /* -1: none */
	int optional;   /* as in struct table_column */
	struct str (*text)(struct arena *, double);
} usage_columns[] = {
	{ "calls", METRIC_TOOL_CALLS, -1, 4, humanize_count },
	{ "llm calls", USAGE_LLM_CALLS, -1, 6, humanize_count },
	{ "input", USAGE_INPUT, -1, 0, humanize_tokens },
	{ "cached", USAGE_CACHE_READ, USAGE_CACHE_WRITE, 2, humanize_tokens },
	{ "output", USAGE_OUTPUT, -1, 0, humanize_tokens },
	{ "cost", USAGE_COST, METRIC_ESTIMATE, 0, humanize_usd },
	{ "time", METRIC_DURATION, -1, 5, humanize_time },
};

enum {
	USAGE_COLUMNS = sizeof usage_columns / sizeof usage_columns[0],
	MODELS_SHOWN = 3, /* of a row */
};

/* Returns the sum of the column's metrics; *runs is how many runs recorded
 * them. */
static double
column_sum(
    const struct tally_group *g, const struct usage_column *c, size_t *runs)
{
	double sum = (double)g->used[c->what].sum;

	*runs = g->used[c->what].runs;
	if (c->more != -1) {
		sum += (double)g->used[c->more].sum;
		if (c->what == USAGE_COST) /* a run has one of them */
			*runs += g->used[c->more].runs;
		else if (*runs < g->used[c->more].runs)
			*runs = g->used[c->more].runs;
	}
	return sum;
}

static bool
column_shown(const struct tally *t, const struct usage_column *c)
{
	size_t runs;

	column_sum(&t->total, c, &runs);
	return runs != 0;
}

static void
usage_cells(struct table *table, const struct tally *t,
    const struct tally_group *g, bool mean)
{
	for (const struct usage_column *c = usage_columns;
	     c < usage_columns + USAGE_COLUMNS; c++) {
		size_t runs;
		double amount = column_sum(g, c, &runs);
		struct str text;

		if (!column_shown(t, c))
			continue;
		if (mean && runs != 0)
			amount /= (double)runs;
		text = c->text(table->arena, amount);
		if (!mean && c->what == USAGE_COST && runs < g->runs)
			text = str_printf(table->arena, "%.*s (%zu of %zu)",
			    STR_FMT(text), runs, g->runs);
		/* A day may have usage of runs that began before. */
		cells_text(
		    table, runs != 0 || amount > 0 ? text : (struct str){ 0 });
	}
}

/* Returns whether the rows of a table by keys name their models. */
static bool
shows_models(const struct tally *t)
{
	size_t i = 0;

	if (!t->sums ||
	    tally_name_place(t->plan.by, STR("model")) != t->plan.by.n)
		return false;
	while (i < t->n && t->groups[i]->n_models == 0)
		i++;
	return i != t->n;
}

/* Returns "gpt-5, gpt-5-mini and 2 more"; nothing for a sum of groups. */
static struct str
models_of(struct arena *a, const struct tally_group *g, bool sum)
{
	size_t n = g->n_models < MODELS_SHOWN ? g->n_models : MODELS_SHOWN;
	struct str text = str_join(a, g->models, n, STR(", "));

	if (n == 0)
		return sum ? STR("") : (struct str){ 0 };
	if (n == g->n_models)
		return text;
	return str_printf(
	    a, "%.*s and %zu more", STR_FMT(text), g->n_models - n);
}

const char *
summary_usage_title(const struct tally *t)
{
	return t->sums ? "Usage (sum)" : "Usage per run (mean)";
}

struct table
summary_usage(struct arena *a, const struct tally *t, struct rows r)
{
	struct table table = { .arena = a };
	bool any = false, models = shows_models(t);
	bool runs = t->sums || tally_checked(&t->total) == 0;

	for (const struct usage_column *c = usage_columns;
	     c < usage_columns + USAGE_COLUMNS; c++)
		any |= column_shown(t, c);
	if (!any && tally_checked(&t->total) != 0)
		return table;
	cells_name_columns(&table, &r);
	if (models) {
		cells_name_column(&table, "models");
		table_optional(&table, 3);
	}
	if (runs)
		cells_optional_column(&table, "runs", 1);
	for (const struct usage_column *c = usage_columns;
	     c < usage_columns + USAGE_COLUMNS; c++)
		if (column_shown(t, c))
			cells_optional_column(&table,
			    c->what == USAGE_COST &&
				    t->total.used[METRIC_ESTIMATE].runs != 0
				? "est. cost"
				: c->title,
			    c->optional);
	if (t->total.runs > 1 && !t->sums)
		rows_add_total(&r, t, STR("sum"), a);
	for (size_t i = 0; i < r.n; i++) {
		bool mean = !t->sums && (t->total.runs == 1 || i + 1 < r.n);

		cells_names(&table, &r, r.list[i], i >= r.groups);
		if (models)
			cells_name(
			    &table, models_of(a, r.list[i], i >= r.groups));
		if (runs)
			cells_number(&table, r.list[i]->runs, TONE_PLAIN);
		usage_cells(&table, t, r.list[i], mean);
	}
	return table;
}

/* ---- what was judged ---- */

static int
compare_applied(const void *a, const void *b)
{
	const struct tally_pair *p = *(const struct tally_pair *const *)a;
	const struct tally_pair *q = *(const struct tally_pair *const *)b;
	int c = (p->times > q->times) - (p->times < q->times);

	if (c == 0)
		c = failure_place_compare(p->text, q->text);
	return c != 0 ? c : str_cmp(p->item.key.text, q->item.key.text);
}

struct table
summary_applied(struct arena *a, const struct tally *t, bool all, size_t most)
{
	struct table table = { .arena = a };
	const struct tally_pair **list =
	    arena_new_n(a, const struct tally_pair *, t->applied.n);
	size_t n = 0, shown;

	for (size_t i = 0; i < t->applied.n; i++) {
		const struct tally_pair *p = t->applied.list[i];

		if (all || p->times < p->of)
			list[n++] = p;
	}
	qsort(list, n, sizeof *list, compare_applied);
	shown = n < most ? n : most;
	table.more = n - shown;
	cells_name_column(&table, "rule");
	cells_name_column(&table, "applied in");
	cells_name_column(&table, "place");
	table_optional(&table, 1);
	for (size_t i = 0; i < shown; i++) {
		cells_name(&table, list[i]->name);
		cells_text(&table,
		    str_printf(a, "%zu of %.*s", list[i]->times,
			STR_FMT(humanize_of(a, list[i]->of, "run"))));
		cells_name(&table, list[i]->text);
	}
	return table;
}

/* ---- sentences ---- */

struct str
summary_estimates(struct arena *a, const struct tally *t)
{
	struct str text = { 0 };

	if (t->total.used[METRIC_ESTIMATE].runs != 0)
		text = str_printf(a, "cost: estimated by list prices for %.*s",
		    STR_FMT(humanize_of(
			a, t->total.used[METRIC_ESTIMATE].runs, "run")));
	for (size_t i = 0; i < t->unpriced.n; i++) {
		const struct bounded_map_item *model = t->unpriced.list[i];

		text = str_printf(a, "%.*s%s%.*s", STR_FMT(text),
		    i != 0            ? ", "
			: text.n == 0 ? "cost: no price of "
				      : "; no price of ",
		    STR_FMT(model->key.text));
	}
	return t->unpriced.full ? str_cat(a, text, STR(", ...")) : text;
}

struct str
summary_checks(struct arena *a, const struct tally_group *g)
{
	struct str text = { 0 };
	size_t n = 0;

	for (int s = 0; s < STATUS_COUNT; s++) {
		if (g->checks[s] == 0)
			continue;
		n += g->checks[s];
		text = str_printf(a, "%.*s%s%zu %s", STR_FMT(text),
		    text.s == NULL ? "" : ", ", g->checks[s],
		    status_name((enum status)s));
	}
	if (n == 0)
		return text;
	return str_printf(a, "%.*s: %.*s", STR_FMT(humanize_of(a, n, "check")),
	    STR_FMT(text));
}

struct str_list
summary_left_out(struct arena *a, const struct failures *f, enum status last)
{
	struct str *list = NULL;
	size_t n = 0;

	for (int s = STATUS_FAILED; s <= (int)last; s++) {
		size_t left_out = failures_left_out(f, (enum status)s);

		if (left_out == 0)
			continue;
		*arena_push(a, list, n) = str_printf(a,
		    "%zu more %s %s not shown (see --max-failures)", left_out,
		    s == STATUS_ERROR ? "erring" : status_name((enum status)s),
		    left_out == 1 ? "check is" : "checks are");
	}
	return (struct str_list){ list, n };
}
