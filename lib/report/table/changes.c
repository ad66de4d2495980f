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

/* Returns the name of the row's test; an absent text if the row was not
 * tested. */
static struct str
test_name(const struct compare_row *row)
{
	if (isnan(row->p))
		return (struct str){ 0 };
	return row->pairs != 0 ? STR("McNemar") : STR("Fisher");
}

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
probability(const struct compare_row *row, struct arena *a)
{
	if (isnan(row->p))
		return (struct str){ 0 };
	return row->p < 0.0001 ? STR("<0.0001") : str_printf(a, "%.2g", row->p);
}

static void
number_columns(struct table *t)
{
	cells_number_column(t, "was");
	cells_number_column(t, "now");
	cells_number_column(t, "p");
	table_column(t, (struct table_column){ .title = "test" });
}

static void
number_cells(struct table *t, const struct compare_row *row)
{
	side_cell(t, row, COMPARE_WAS);
	side_cell(t, row, COMPARE_NOW);
	cells_text(t, probability(row, t->arena));
	cells_text(t, test_name(row));
}

static void
change_cell(struct table *t, const struct compare_row *row)
{
	enum tone tone = tones[row->change];

	if (row->change == CHANGE_WORSE && !row->regression)
		tone = TONE_WARN;
	table_cell(t, str_of(compare_change_name(row->change)), tone);
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

	for (int i = 0; i < CHANGE_COUNT; i++) {
		if (rows->change[i] == 0)
			continue;
		text = str_printf(a, "%.*s%s%zu %s", STR_FMT(text), before,
		    rows->change[i],
		    compare_change_name((enum compare_change)i));
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
	struct str test = test_name(all), text;

	text = str_printf(a, "all runs: %.*s of %zu, now %.*s of %zu",
	    STR_FMT(
		summary_rate(a, all->passed[COMPARE_WAS], all->n[COMPARE_WAS])),
	    all->n[COMPARE_WAS],
	    STR_FMT(
		summary_rate(a, all->passed[COMPARE_NOW], all->n[COMPARE_NOW])),
	    all->n[COMPARE_NOW]);
	if (test.s == NULL)
		return text;
	text = str_printf(a, "%.*s; p = %.*s (%.*s", STR_FMT(text),
	    STR_FMT(probability(all, a)), STR_FMT(test));
	if (all->pairs != 0)
		text =
		    str_printf(a, "%.*s, %zu pairs", STR_FMT(text), all->pairs);
	return str_cat(a, text, STR(")"));
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
		cells_number_column(&t, scores[i]);
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
