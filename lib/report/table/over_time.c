#include "report/table/over_time.h"

#include <math.h>

#include "report/table/cells.h"
#include "report/table/summary.h"
#include "text/humanize.h"
#include "text/layout.h"

static const char trend_title[] = "trend";

/* ---- trends ---- */

/* Returns the greatest mean of the amount in a mark. */
static double
greatest(const struct change_sample *marks, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		if (marks[i].n != 0)
			most = fmax(most, change_mean(&marks[i]));
	return most;
}

/* Returns a mark for each point, or for as many points as make no more than
 * OVER_TIME_SPARK marks: a bar as high as the pass rate, or as the amount beside the
 * greatest, and a dot where there were no runs. */
static struct str
trend(struct arena *a, const struct history *h, const struct history_series *s,
    enum history_measure m)
{
	static const char *const bars[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇",
		"█" };
	size_t each = (h->n_points + OVER_TIME_SPARK - 1) / OVER_TIME_SPARK;
	size_t n = each == 0 ? 0 : (h->n_points + each - 1) / each;
	struct change_sample marks[OVER_TIME_SPARK] = { 0 };
	struct str list[OVER_TIME_SPARK];
	double most;

	for (size_t i = 0; i < s->n; i++) {
		struct change_sample cell = history_between(s, m, i, i + 1);
		struct change_sample *mark =
		    &marks[s->cells[i]->point->number / each];

		mark->n += cell.n;
		mark->hits += cell.hits;
		mark->sum += cell.sum;
	}
	most = greatest(marks, n);
	for (size_t i = 0; i < n; i++) {
		double share = m == HISTORY_RATE
		    ? (double)marks[i].hits / (double)marks[i].n
		    : most == 0 ? 0
				: change_mean(&marks[i]) / most;

		list[i] = marks[i].n == 0
		    ? STR("·")
		    : str_of(bars[(size_t)fmin(share * 8, 7)]);
	}
	return str_join(a, list, n, STR(""));
}

/* ---- names ---- */

struct str
over_time_amount(struct arena *a, enum history_measure m, double amount)
{
	if (m == HISTORY_COST)
		return humanize_usd(a, amount * metric_units(USAGE_COST));
	return humanize_time(a, amount * metric_units(METRIC_DURATION));
}

const char *
over_time_measure(enum history_measure m)
{
	return m == HISTORY_RATE ? "pass rate"
	    : m == HISTORY_COST  ? "cost"
				 : "time";
}

struct str
over_time_point(struct arena *a, const struct history_point *p)
{
	if (p->alone)
		return p->day;
	if (p->file.s == NULL)
		return str_printf(
		    a, "%.*s (the present ones)", STR_FMT(p->day));
	return str_printf(a, "%.*s in %.*s", STR_FMT(p->day),
	    STR_FMT(layout_clean(a, p->file, false)));
}

/* Returns "refund-flow (sonnet)". */
static struct str
name_of(struct arena *a, const struct history_series *s)
{
	struct str scenario = s->scenario.s == NULL
	    ? STR("runs without a scenario")
	    : layout_clean(a, s->scenario, false);

	if (s->agent.n == 0)
		return scenario;
	return str_printf(a, "%.*s (%.*s)", STR_FMT(scenario),
	    STR_FMT(layout_clean(a, s->agent, false)));
}

/* ---- the table ---- */

static const enum tone state_tones[HISTORY_STATES] = {
	[HISTORY_BROKEN] = TONE_BAD,
	[HISTORY_FAILING] = TONE_BAD,
	[HISTORY_FLAKY] = TONE_WARN,
	[HISTORY_PASSING] = TONE_GOOD,
	[HISTORY_UNRATED] = TONE_FAINT,
};

static struct str
rate_text(struct arena *a, const struct change_sample *s)
{
	struct stats_interval ci = stats_wilson(s->hits, s->n);

	if (s->n == 0)
		return (struct str){ 0 };
	return str_printf(a, "%.*s of %zu (%.0f-%.0f)",
	    STR_FMT(summary_rate(a, s->hits, s->n)), s->n, 100 * ci.low,
	    100 * ci.high);
}

static struct str
amount_text(
    struct arena *a, enum history_measure m, const struct change_sample *s)
{
	struct stats_interval ci = change_interval(s);
	struct str mean;

	if (s->n == 0)
		return (struct str){ 0 };
	mean = over_time_amount(a, m, change_mean(s));
	if (isnan(ci.low) || isinf(ci.high))
		return mean;
	return str_printf(a, "%.*s (%.*s-%.*s)", STR_FMT(mean),
	    STR_FMT(over_time_amount(a, m, ci.low)),
	    STR_FMT(over_time_amount(a, m, ci.high)));
}

/* Adds what the measure is since its last change, and its trend. */
static void
measure_cells(struct table *t, const struct history *h,
    const struct history_series *s, enum history_measure m)
{
	struct change_sample last =
	    history_between(s, m, history_since(s, m), s->n);

	cells_text(t,
	    m == HISTORY_RATE ? rate_text(t->arena, &last)
			      : amount_text(t->arena, m, &last));
	cells_name(t, last.n == 0 ? str_of(NULL) : trend(t->arena, h, s, m));
}

static void
pass_all_cell(
    struct table *t, const struct history *h, const struct history_series *s)
{
	struct change_sample last =
	    history_between(s, HISTORY_RATE, s->since, s->n);
	double p = stats_pass_all(last.hits, last.n, h->k);

	cells_text(t,
	    isnan(p) ? str_of(NULL) : str_printf(t->arena, "%.1f%%", 100 * p));
}

struct table
over_time_table(struct arena *a, const struct history *h, size_t most)
{
	struct table t = { .arena = a };

	table_column(&t, (struct table_column){ .title = "state" });
	cells_name_column(&t, "scenario");
	cells_name_column(&t, "agent");
	cells_number_column(&t, "pass rate (95%)");
	table_column(&t, (struct table_column){ .title = trend_title });
	cells_optional_column(&t, str_c(a, str_printf(a, "pass^%zu", h->k)), 1);
	for (int m = HISTORY_COST; m < HISTORY_MEASURES; m++) {
		cells_number_column(&t,
		    str_c(a,
			str_printf(a, "%s (95%%)",
			    over_time_measure((enum history_measure)m))));
		table_optional(&t, 2 + m);
		table_column(&t,
		    (struct table_column){ .title = trend_title,
			.optional = 1 + HISTORY_MEASURES + m });
	}
	for (size_t i = 0; i < h->n && i < most; i++) {
		const struct history_series *s = h->list[i];

		table_cell(&t, str_of(history_state_name(s->state)),
		    state_tones[s->state]);
		cells_name(&t, s->scenario);
		cells_name(&t, s->agent);
		measure_cells(&t, h, s, HISTORY_RATE);
		pass_all_cell(&t, h, s);
		measure_cells(&t, h, s, HISTORY_COST);
		measure_cells(&t, h, s, HISTORY_TIME);
	}
	t.more = h->n - table_rows(&t);
	return t;
}

bool
over_time_is_trend(const struct table *t, size_t column)
{
	return t->columns[column].title == trend_title;
}

/* ---- sentences ---- */

struct str
over_time_points(struct arena *a, const struct history *h)
{
	struct str text;
	size_t undated = h->undated[0] + h->undated[1], runs = 0;

	for (size_t i = 0; i < h->n_points; i++)
		runs += h->points[i]->runs;
	if (h->n_points == 0)
		text = STR("No run has a place in the history");
	else
		text = str_printf(a,
		    "%.*s in %.*s of time from %.*s to %.*s: a point is the "
		    "runs of one file that began on one day",
		    STR_FMT(humanize_of(a, runs, "run")),
		    STR_FMT(humanize_of(a, h->n_points, "point")),
		    STR_FMT(h->points[0]->day),
		    STR_FMT(h->points[h->n_points - 1]->day));
	if (undated != 0)
		text = str_printf(a,
		    "%.*s; %.*s without ts_start, %zu of them present, "
		    "are in no point",
		    STR_FMT(text), STR_FMT(humanize_of(a, undated, "run")),
		    h->undated[1]);
	if (h->twice != 0)
		text = str_printf(a, "%.*s; %.*s came again and count once",
		    STR_FMT(text), STR_FMT(humanize_of(a, h->twice, "run")));
	return str_cat(a, text, STR("."));
}

struct str
over_time_states(struct arena *a, const struct history *h)
{
	struct str text = str_printf(a, "%zu series", h->n);
	const char *before = ": ";

	if (h->n == 0)
		return (struct str){ 0 };
	for (int i = 0; i < HISTORY_STATES; i++) {
		if (h->states[i] == 0)
			continue;
		text = str_printf(a, "%.*s%s%zu %s", STR_FMT(text), before,
		    h->states[i], history_state_name((enum history_state)i));
		before = ", ";
	}
	return text;
}

/* Returns "95.0% (190 of 200)" or "$0.0123 (200 runs)". */
static struct str
side_text(
    struct arena *a, enum history_measure m, const struct change_sample *s)
{
	if (m == HISTORY_RATE)
		return str_printf(a, "%.*s (%zu of %zu)",
		    STR_FMT(summary_rate(a, s->hits, s->n)), s->hits, s->n);
	return str_printf(a, "%.*s (%.*s)",
	    STR_FMT(over_time_amount(a, m, change_mean(s))),
	    STR_FMT(humanize_of(a, s->n, "run")));
}

static struct str
change_text(struct arena *a, const struct history_series *s,
    const struct history_change *c)
{
	struct str p =
	    c->at.p < 0.001 ? STR("< 0.001") : str_printf(a, "= %.2g", c->at.p);

	return str_printf(a,
	    "%s of %.*s: %.*s before, %.*s since the runs of %.*s (p %.*s)",
	    over_time_measure(c->measure), STR_FMT(name_of(a, s)),
	    STR_FMT(side_text(a, c->measure, &c->at.side[0])),
	    STR_FMT(side_text(a, c->measure, &c->at.side[1])),
	    STR_FMT(over_time_point(a, s->cells[c->at.at]->point)), STR_FMT(p));
}

/* Returns a sentence on a series of which the last runs did not pass. */
static struct str
state_text(struct arena *a, const struct history_series *s)
{
	struct change_sample last =
	    history_between(s, HISTORY_RATE, s->state_since, s->n);
	struct str name = name_of(a, s);

	if (s->state == HISTORY_BROKEN && s->state_since == 0)
		return str_printf(a, "%.*s is broken: none of %.*s passed",
		    STR_FMT(name), STR_FMT(humanize_of(a, last.n, "run")));
	return str_printf(a,
	    "%.*s is %s: none of %.*s passed since the runs of %.*s%s",
	    STR_FMT(name), history_state_name(s->state),
	    STR_FMT(humanize_of(a, last.n, "run")),
	    STR_FMT(over_time_point(a, s->cells[s->state_since]->point)),
	    s->state == HISTORY_BROKEN ? "" : ", too few runs to tell");
}

struct str_list
over_time_changes(struct arena *a, const struct history *h, size_t most)
{
	struct str *list = NULL;
	size_t n = 0, changes = 0, named = 0;

	for (size_t i = 0; i < h->n; i++)
		if (h->list[i]->state <= HISTORY_FAILING && n < most)
			*arena_push(a, list, n) = state_text(a, h->list[i]);
	for (int m = 0; m < HISTORY_MEASURES; m++)
		for (size_t i = 0; i < h->n; i++)
			for (size_t j = 0; j < h->list[i]->n_changes; j++) {
				const struct history_change *c =
				    &h->list[i]->changes[j];

				if ((int)c->measure != m || changes++ >= most)
					continue;
				*arena_push(a, list, n) =
				    change_text(a, h->list[i], c);
				named++;
			}
	if (changes > named)
		*arena_push(a, list, n) = str_printf(a,
		    "%zu more changes are not named (see -f json)",
		    changes - named);
	return (struct str_list){ list, n };
}
