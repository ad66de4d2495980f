#include <math.h>

#include "report/format/html.h"
#include "report/table/over_time.h"
#include "report/table/summary.h"

enum { WIDTH = 200, HEIGHT = 36 };

/* A chart of one measure of a series. */
struct chart {
	struct report_job *job;
	const struct history_series *series;
	enum history_measure measure;
	double top; /* the amount at the upper edge */
};

static struct change_sample
sample(const struct chart *c, size_t i)
{
	return history_between(c->series, c->measure, i, i + 1);
}

static double
middle(const struct chart *c, const struct change_sample *s)
{
	return history_value(c->measure, s);
}

static struct stats_interval
interval(const struct chart *c, const struct change_sample *s)
{
	struct stats_interval ci = history_interval(c->measure, s);

	if (!isfinite(ci.low) || !isfinite(ci.high))
		ci.low = ci.high = middle(c, s);
	return ci;
}

/* Returns the place of a cell by the time of its point. */
static double
x_of(const struct chart *c, size_t i)
{
	const struct history *h = c->job->history;
	double first = (double)h->points[0]->start;
	double last = (double)h->points[h->n_points - 1]->start;
	double at = (double)c->series->cells[i]->point->start;

	return last == first ? WIDTH / 2.0
			     : WIDTH * (at - first) / (last - first);
}

static double
y_of(const struct chart *c, double amount)
{
	return c->top == 0 ? HEIGHT : HEIGHT * (1 - fmin(amount / c->top, 1));
}

/* Sets the upper edge to the greatest mean and a half, within which most intervals
 * lie. */
static void
set_top(struct chart *c)
{
	c->top = c->measure == HISTORY_RATE;
	for (size_t i = 0; i < c->series->n && c->measure != HISTORY_RATE;
	     i++) {
		struct change_sample s = sample(c, i);

		if (s.n != 0)
			c->top = fmax(c->top, 1.5 * middle(c, &s));
	}
}

static struct str
value_text(struct report_job *job, enum history_measure m,
    const struct change_sample *s)
{
	if (m == HISTORY_RATE)
		return summary_rate(job->arena, s->hits, s->n);
	return over_time_amount(job->arena, m, change_mean(s));
}

/* Puts the words that stand for the chart: the first and the last point, and the
 * changes. */
static void
put_label(const struct chart *c, size_t first, size_t last)
{
	struct report_job *job = c->job;
	const size_t ends[] = { first, last };
	const char *words[] = { " from ", " to " };

	out_text(job->out, over_time_measure(c->measure));
	for (int i = 0; i < 2; i++) {
		struct change_sample s = sample(c, ends[i]);

		out_text(job->out, words[i]);
		html_text(job, value_text(job, c->measure, &s));
		out_text(job->out, " on ");
		html_text(job, c->series->cells[ends[i]]->point->day);
	}
	for (size_t i = 0; i < c->series->n_changes; i++) {
		const struct history_change *change = &c->series->changes[i];

		if (change->measure != c->measure)
			continue;
		out_text(job->out,
		    change->worse ? ", worse since " : ", better since ");
		html_text(job, c->series->cells[change->at.at]->point->day);
	}
}

static void
put_changes(const struct chart *c)
{
	for (size_t i = 0; i < c->series->n_changes; i++) {
		const struct history_change *change = &c->series->changes[i];

		if (change->measure == c->measure)
			out_printf(c->job->out,
			    "<path class=\"%s\" d=\"M%.1f 0V%d\"/>",
			    change->worse ? "worse" : "better",
			    x_of(c, change->at.at), HEIGHT);
	}
}

/* Puts a line from point to point, and each point with its interval. */
static void
put_points(const struct chart *c)
{
	struct out *o = c->job->out;
	bool begun = false;

	out_text(o, "<path class=\"line\" d=\"");
	for (size_t i = 0; i < c->series->n; i++) {
		struct change_sample s = sample(c, i);

		if (s.n != 0)
			out_printf(o, "%c%.1f %.1f", begun ? 'L' : 'M',
			    x_of(c, i), y_of(c, middle(c, &s)));
		begun |= s.n != 0;
	}
	out_text(o, "\"/>");
	for (size_t i = 0; i < c->series->n; i++) {
		struct change_sample s = sample(c, i);
		struct stats_interval ci = interval(c, &s);

		if (s.n != 0)
			out_printf(o,
			    "<path class=\"interval\" d=\"M%.1f %.1fV%.1f\"/>"
			    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2\"/>",
			    x_of(c, i), y_of(c, ci.low), y_of(c, ci.high),
			    x_of(c, i), y_of(c, middle(c, &s)));
	}
}

static void
put_chart(struct report_job *job, const struct history_series *series,
    enum history_measure m)
{
	struct chart c = { job, series, m, 0 };
	size_t first = 0, last = series->n;

	out_text(job->out, "<td class=\"rate time\">");
	while (first < last && sample(&c, first).n == 0)
		first++;
	while (last > first && sample(&c, last - 1).n == 0)
		last--;
	if (first != last) {
		set_top(&c);
		out_printf(job->out,
		    "<svg viewBox=\"-4 -4 %d %d\" role=\"img\" aria-label=\"",
		    WIDTH + 8, HEIGHT + 8);
		put_label(&c, first, last - 1);
		out_printf(job->out,
		    "\"><path class=\"scale\" d=\"M0 0H%dM0 %dH%d\"/>", WIDTH,
		    HEIGHT, WIDTH);
		put_changes(&c);
		put_points(&c);
		out_text(job->out, "</svg>");
	}
	out_text(job->out, "</td>");
}

/* Puts a cell, with a chart where the table has a trend. Returns the next measure. */
static int
put_cell(struct report_job *job, const struct table *t, size_t row,
    size_t column, int m)
{
	if (over_time_is_trend(t, column)) {
		put_chart(
		    job, job->history->list[row], (enum history_measure)m);
		return m + 1;
	}
	html_cell(job, t, row, column);
	return m;
}

static void
put_table(struct report_job *job, const struct table *t)
{
	struct out *o = job->out;

	out_text(o,
	    "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
	    "aria-label=\"Over time\">\n<table class=\"sortable\">\n"
	    "<thead><tr>");
	for (size_t i = 0; i < t->n_columns; i++) {
		out_printf(o, "<th scope=\"col\" class=\"%s\">",
		    over_time_is_trend(t, i)  ? "rate"
			: t->columns[i].right ? "n"
					      : "");
		html_text(job, str_of(t->columns[i].title));
		out_text(o, "</th>");
	}
	out_text(o, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < table_rows(t); i++) {
		int m = 0;

		out_text(o, "<tr>");
		for (size_t j = 0; j < t->n_columns; j++)
			m = put_cell(job, t, i, j, m);
		out_text(o, "</tr>\n");
	}
	out_text(o, "</tbody>\n</table>\n</div>\n");
	if (t->more != 0)
		out_printf(o, "<p>%.*s</p>\n",
		    STR_FMT(table_left_out(job->arena, t->more)));
}

static void
put_paragraph(struct report_job *job, struct str text)
{
	if (text.s == NULL)
		return;
	out_text(job->out, "<p>");
	html_text(job, text);
	out_text(job->out, "</p>\n");
}

void
html_history(struct report_job *job, size_t most)
{
	const struct history *h = job->history;
	struct str_list changes;
	struct table table;

	if (h == NULL)
		return;
	changes = over_time_changes(job->arena, h, most);
	table = over_time_table(job->arena, h, most);
	out_text(job->out, "<section>\n<h2>Over time</h2>\n");
	put_paragraph(job, over_time_points(job->arena, h));
	out_text(job->out, changes.n == 0 ? "" : "<ul class=\"changes\">\n");
	for (size_t i = 0; i < changes.n; i++) {
		out_text(job->out, "<li>");
		html_text(job, changes.list[i]);
		out_text(job->out, "</li>\n");
	}
	out_text(job->out, changes.n == 0 ? "" : "</ul>\n");
	put_paragraph(job, over_time_states(job->arena, h));
	if (table_rows(&table) != 0)
		put_table(job, &table);
	out_text(job->out, "</section>\n");
}
