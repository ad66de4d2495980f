#include "report/table/changes.h"

#include <math.h>

#include "report/table/cells.h"
#include "report/table/summary.h"
#include "text/humanize.h"
#include "text/layout.h"

static const enum tone tones[CHANGE_COUNT] = {
	[CHANGE_WORSE] = TONE_BAD,
	[CHANGE_GONE] = TONE_BAD,
	[CHANGE_BETTER] = TONE_GOOD,
	[CHANGE_NEW] = TONE_PLAIN,
	[CHANGE_SAME] = TONE_FAINT,
};

static void
side_cell(struct table *t, const struct compare_row *row, int side)
{
	size_t passed = row->passed[side], n = row->n[side];
	struct str text = { 0 };

	if (n != 0)
		text = str_printf(t->arena, "%zu/%zu", passed, n);
	cells_text(t, text);
}

static struct str
probability(double p, struct arena *a)
{
	if (isnan(p))
		return (struct str){ 0 };
	return p < 0.001 ? STR("<0.001") : str_printf(a, "%.2g", p);
}

/* Returns "-12 (-20 to -4)", the difference of the rates in percentage points
 * with its interval; an absent text if a side has nothing. */
static struct str
difference(const struct compare_row *row, const char *unit, struct arena *a)
{
	double rate[2], points;

	if (isnan(row->p))
		return (struct str){ 0 };
	for (int side = 0; side < 2; side++)
		rate[side] = (double)row->passed[side] / (double)row->n[side];
	points = 100 * (rate[COMPARE_NOW] - rate[COMPARE_WAS]);
	/* Adding 0 turns a rounded -0 into 0. */
	return str_printf(a, "%+.*f%s (%.0f to %.0f)",
	    fabs(points) < 9.95 ? 1 : 0, points + 0.0, unit,
	    round(100 * row->difference.low) + 0.0,
	    round(100 * row->difference.high) + 0.0);
}

static void
number_columns(struct table *t)
{
	cells_number_column(t, "was");
	cells_number_column(t, "now");
	cells_number_column(t, "points (95%)");
	cells_optional_column(t, "p", 1);
}

static void
number_cells(struct table *t, const struct compare_row *row)
{
	side_cell(t, row, COMPARE_WAS);
	side_cell(t, row, COMPARE_NOW);
	cells_text(t, difference(row, "", t->arena));
	cells_text(t, probability(row->p, t->arena));
}

/* Adds the change, or in place of a drop or rise that proves nothing, the reason
 * for that. */
static void
change_cell(struct table *t, const struct compare_row *row)
{
	if (row->evidence == EVIDENCE_NOISE)
		table_cell(t, STR("within noise"), TONE_FAINT);
	else if (row->evidence == EVIDENCE_FEW && row->regression)
		table_cell(t, STR("too few runs to tell"), TONE_BAD);
	else
		table_cell(t, str_of(compare_change_name(row->change)),
		    tones[row->change]);
}

/* Returns the assertion's name, with its number if it is not the first of that
 * name. */
static struct str
assertion_name(const struct assertion *it, struct arena *a)
{
	struct str name = it->label.n != 0 ? it->label : it->type;

	if (it->ordinal == 0)
		return name;
	return str_printf(a, "%.*s (%zu)", STR_FMT(name), it->ordinal + 1);
}

/* Returns the rows that changed; `what` is the title of the column of agents or
 * assertions. */
static struct table
changed(struct arena *a, const struct compare_rows *rows, const char *what,
    size_t most)
{
	struct table t = { .arena = a };

	table_column(&t, (struct table_column){ .title = "change" });
	cells_name_column(&t, "scenario");
	cells_name_column(&t, what);
	number_columns(&t);
	for (size_t i = 0; i < rows->n && i < most; i++) {
		const struct compare_row *row = &rows->list[i];

		if (row->change == CHANGE_SAME)
			continue;
		change_cell(&t, row);
		cells_name(&t, row->scenario);
		cells_name(&t,
		    row->assertion == NULL ? row->agent
					   : assertion_name(row->assertion, a));
		number_cells(&t, row);
	}
	t.more = rows->n - rows->change[CHANGE_SAME] - table_rows(&t);
	return t;
}

struct table
changes_scenarios(struct arena *a, const struct compare *c, size_t most)
{
	return changed(a, &c->scenarios, "agent", most);
}

struct table
changes_assertions(struct arena *a, const struct compare *c, size_t most)
{
	return changed(a, &c->assertions, "assertion", most);
}

struct str
changes_counts(
    struct arena *a, const struct compare_rows *rows, const char *noun)
{
	struct str text = humanize_of(a, rows->n, noun);
	const char *before = ": ";

	if (rows->n == 0)
		return (struct str){ 0 };
	for (int i = 0; i < CHANGE_COUNT; i++) {
		if (rows->change[i] == 0)
			continue;
		text = str_printf(a, "%.*s%s%zu %s", STR_FMT(text), before,
		    rows->change[i],
		    compare_change_name((enum compare_change)i));
		if (i == CHANGE_WORSE && rows->noise != 0)
			text = str_printf(a, "%.*s (%zu within noise)",
			    STR_FMT(text), rows->noise);
		before = ", ";
	}
	if (rows->more)
		text = str_printf(a, "%.*s; no more than %d are counted",
		    STR_FMT(text), TALLY_CHECKS_MAX);
	return text;
}

struct str
changes_all(struct arena *a, const struct compare *c)
{
	const struct compare_row *all = &c->all;
	struct str rates[2], text, p;
	bool less;

	if (c->scenarios.n == 0)
		return (struct str){ 0 };
	for (int side = 0; side < 2; side++)
		rates[side] = summary_rate(a, all->passed[side], all->n[side]);
	text = str_printf(a, "all runs: %.*s of %zu, now %.*s of %zu",
	    STR_FMT(rates[COMPARE_WAS]), all->n[COMPARE_WAS],
	    STR_FMT(rates[COMPARE_NOW]), all->n[COMPARE_NOW]);
	if (isnan(all->p))
		return text;
	p = probability(all->p, a);
	less = str_starts(p, "<");
	text = str_printf(a, "%.*s: %.*s, p %c %.*s (%s", STR_FMT(text),
	    STR_FMT(difference(all, " points", a)), less ? '<' : '=',
	    STR_FMT(str_from(p, less)), compare_test_name(all->test));
	if (all->test == COMPARE_MCNEMAR)
		text = str_printf(a, "%.*s, %.*s", STR_FMT(text),
		    STR_FMT(humanize_of(a, all->pairs, "pair")));
	return str_printf(a, "%.*s)%s", STR_FMT(text),
	    all->rows > 1 && all->regression ? ": a regression" : "");
}

/* ---- behaviour ---- */

static const enum tone behaviour_tones[] = {
	[BEHAVIOUR_MORE] = TONE_WARN,
	[BEHAVIOUR_LESS] = TONE_PLAIN,
	[BEHAVIOUR_ADDED] = TONE_WARN,
	[BEHAVIOUR_GONE] = TONE_WARN,
	[BEHAVIOUR_SAME] = TONE_FAINT,
};

static void
behaviour_columns(struct table *t, const char *what)
{
	table_column(t, (struct table_column){ .title = "change" });
	cells_name_column(t, "scenario");
	cells_name_column(t, "agent");
	cells_name_column(t, what);
	cells_number_column(t, "was");
	cells_number_column(t, "now");
}

static void
behaviour_cell(struct table *t, enum behaviour_change change, bool counts)
{
	table_cell(t, str_of(behaviour_change_name(change)),
	    counts ? TONE_BAD : behaviour_tones[change]);
}

static void
where_cells(struct table *t, struct str scenario, bool total, struct str agent)
{
	if (total)
		table_cell(t, STR("all"), TONE_STRONG);
	else
		cells_name(t, scenario);
	cells_name(t, agent);
}

static struct str
amount_text(struct arena *a, int amount, double mean)
{
	switch (amount) {
	case USAGE_COST:
		return humanize_usd(a, mean * metric_units(amount));
	case METRIC_DURATION:
		return humanize_time(a, mean * metric_units(amount));
	case METRIC_TOOL_CALLS:
	case USAGE_LLM_CALLS:
	case AMOUNT_FAILED_CALLS:
		return humanize_count(a, mean);
	default:
		return humanize_tokens(a, mean);
	}
}

/* Returns "x3.00 (2.90-3.10)", without an interval where that is unknown. */
static struct str
ratio_text(struct arena *a, const struct behaviour_amount *row)
{
	if (isinf(row->ratio))
		return STR("from 0");
	if (isnan(row->low))
		return str_printf(a, "x%.2f", row->ratio);
	return str_printf(
	    a, "x%.2f (%.2f-%.2f)", row->ratio, row->low, row->high);
}

/* Returns the number of rows that are not the same. */
static size_t
count_changed(const size_t counts[BEHAVIOUR_CHANGES])
{
	size_t n = 0;

	for (int i = 0; i < BEHAVIOUR_SAME; i++)
		n += counts[i];
	return n;
}

struct table
changes_amounts(struct arena *a, const struct behaviour *b, size_t most)
{
	struct table t = { .arena = a };

	behaviour_columns(&t, "amount");
	cells_number_column(&t, "ratio (95%)");
	for (size_t i = 0; i < b->n_amounts; i++) {
		const struct behaviour_amount *row = &b->amounts[i];

		if (row->change == BEHAVIOUR_SAME || table_rows(&t) == most)
			continue;
		behaviour_cell(&t, row->change, row->counts);
		where_cells(&t, row->scenario, row->total, row->agent);
		cells_text(&t, str_of(behaviour_name(row->amount)));
		for (int side = 0; side < 2; side++)
			cells_text(
			    &t, amount_text(a, row->amount, row->mean[side]));
		cells_text(&t, ratio_text(a, row));
	}
	t.more = count_changed(b->amounts_by) - table_rows(&t);
	return t;
}

struct table
changes_tools(struct arena *a, const struct behaviour *b, size_t most)
{
	struct table t = { .arena = a };

	behaviour_columns(&t, "tool");
	cells_optional_column(&t, "p", 1);
	for (size_t i = 0; i < b->n_tools; i++) {
		const struct behaviour_tool *row = &b->tools[i];

		if (row->change == BEHAVIOUR_SAME || table_rows(&t) == most)
			continue;
		behaviour_cell(&t, row->change, row->counts);
		where_cells(&t, row->scenario, row->total, row->agent);
		cells_name(&t, row->tool);
		for (int side = 0; side < 2; side++)
			cells_text(&t,
			    str_printf(
				a, "%zu/%zu", row->runs[side], row->n[side]));
		cells_text(&t, probability(row->p, a));
	}
	t.more = count_changed(b->tools_by) - table_rows(&t);
	return t;
}

/* Returns "18 amounts: 6 more, 12 same"; absent if there are none. */
static struct str
behaviour_counts(
    struct arena *a, const size_t counts[BEHAVIOUR_CHANGES], const char *noun)
{
	size_t n = count_changed(counts) + counts[BEHAVIOUR_SAME];
	struct str text = humanize_of(a, n, noun);
	const char *before = ": ";

	if (n == 0)
		return (struct str){ 0 };
	for (int i = 0; i < BEHAVIOUR_CHANGES; i++) {
		if (counts[i] == 0)
			continue;
		text = str_printf(a, "%.*s%s%zu %s", STR_FMT(text), before,
		    counts[i], behaviour_change_name((enum behaviour_change)i));
		before = ", ";
	}
	return text;
}

struct str
changes_amount_counts(struct arena *a, const struct behaviour *b)
{
	struct str text = behaviour_counts(a, b->amounts_by, "amount");

	if (b->usage == 0)
		return text;
	return str_printf(a, "%.*s (%.*s above %.4g%%)", STR_FMT(text),
	    STR_FMT(humanize_of(a, b->usage, "rise")), b->margin * 100);
}

struct str
changes_tool_counts(struct arena *a, const struct behaviour *b)
{
	struct str text = behaviour_counts(a, b->tools_by, "tool");

	if (b->tool_changes == 0)
		return text;
	return str_printf(a, "%.*s (%.*s count%s)", STR_FMT(text),
	    STR_FMT(humanize_of(a, b->tool_changes, "change")),
	    b->tool_changes == 1 ? "s" : "");
}

/* ---- a snapshot ---- */

static void
drift_cells(struct table *t, const struct drift_row *row)
{
	static const enum tone drift_tones[DRIFT_STATUSES] = {
		[DRIFT_MATCH] = TONE_GOOD,
		[DRIFT_WARN] = TONE_WARN,
		[DRIFT_DRIFT] = TONE_BAD,
	};
	const double scores[] = { row->score, row->tools, row->extracts,
		row->semantics };
	size_t n = row->reasons.n < 2 ? row->reasons.n : 2;

	table_cell(t, str_of(drift_status_name(row->status)),
	    drift_tones[row->status]);
	cells_name(t, row->scenario);
	for (size_t i = 0; i < sizeof scores / sizeof scores[0]; i++)
		cells_text(t, str_printf(t->arena, "%.2f", scores[i]));
	cells_name(t, str_join(t->arena, row->reasons.list, n, STR("; ")));
}

struct table
changes_drift(struct arena *a, const struct drift *d, size_t most)
{
	static const char *const scores[] = { "score", "tools", "extracts",
		"words" };
	struct table t = { .arena = a };

	table_column(&t, (struct table_column){ .title = "drift" });
	cells_name_column(&t, "scenario");
	for (size_t i = 0; i < sizeof scores / sizeof scores[0]; i++)
		cells_optional_column(&t, scores[i], (int)i);
	cells_name_column(&t, "reasons");
	for (size_t i = 0; i < d->n && i < most; i++)
		drift_cells(&t, &d->list[i]);
	t.more = d->n - table_rows(&t);
	return t;
}

struct str
changes_drift_sum(struct arena *a, const struct drift *d)
{
	struct str text = str_printf(a, "%.*s: %.2f",
	    STR_FMT(layout_clean(a, d->snapshot, false)), d->score);
	const char *before = " (";

	for (int i = DRIFT_STATUSES; i-- > 0;) {
		if (d->status[i] == 0)
			continue;
		text = str_printf(a, "%.*s%s%zu %s", STR_FMT(text), before,
		    d->status[i], drift_status_name((enum drift_status)i));
		before = ", ";
	}
	return d->n == 0 ? text : str_cat(a, text, STR(")"));
}
