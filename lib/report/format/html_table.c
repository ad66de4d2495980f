#include "base/stats.h"
#include "report/format/html.h"
#include "text/xml.h"

void
html_text(struct report_job *job, struct str text)
{
	xml_text(job->out, text, job->arena);
}

static const char *const tones[] = {
	[TONE_PLAIN] = "",
	[TONE_GOOD] = "good",
	[TONE_BAD] = "bad",
	[TONE_WARN] = "warn",
	[TONE_FAINT] = "faint",
	[TONE_STRONG] = "strong",
};

/* Puts a cell with a drawing of the pass rate and its interval, from 0 to 100
 * %. */
static void
put_rate(struct report_job *job, const struct tally_group *g)
{
	size_t n = tally_rated(g), passed = g->status[STATUS_PASSED];
	struct stats_interval ci = stats_wilson(passed, n);

	out_text(job->out, "<td class=\"rate\">");
	if (n != 0)
		out_printf(job->out,
		    "<svg viewBox=\"-3 0 106 14\" role=\"img\" "
		    "aria-label=\"%.0f%% passed, 95%% interval %.0f%% to "
		    "%.0f%%\"><path class=\"scale\" d=\"M0 2v10M50 2v10M100 "
		    "2v10M0 7h100\"/><path class=\"interval\" d=\"M%.1f "
		    "7H%.1f\"/><circle cx=\"%.1f\" cy=\"7\" r=\"3\"/></svg>",
		    100 * (double)passed / (double)n, 100 * ci.low,
		    100 * ci.high, 100 * ci.low, 100 * ci.high,
		    100 * (double)passed / (double)n);
	out_text(job->out, "</td>");
}

void
html_cell(
    struct report_job *job, const struct table *t, size_t row, size_t column)
{
	const struct table_cell *c = table_at(t, row, column);

	out_printf(job->out, "<td class=\"%s%s%s\">",
	    t->columns[column].right ? "n" : "",
	    t->columns[column].right && *tones[c->tone] != '\0' ? " " : "",
	    tones[c->tone]);
	html_text(job, c->text);
	out_text(job->out, "</td>");
}

static void
put_row(struct report_job *job, const struct table *t, size_t row,
    const struct tally_group *rate)
{
	bool sum = false;

	for (size_t i = 0; i < t->n_columns; i++)
		sum |= t->columns[i].name &&
		    table_at(t, row, i)->tone == TONE_STRONG;
	out_printf(job->out, "<tr%s>", sum ? " class=\"sum\"" : "");
	for (size_t i = 0; i < t->n_columns; i++)
		html_cell(job, t, row, i);
	if (rate != NULL)
		put_rate(job, rate);
	out_text(job->out, "</tr>\n");
}

void
html_table(struct report_job *job, const char *title, const struct table *t,
    const struct rows *rates)
{
	struct out *o = job->out;

	if (table_rows(t) == 0)
		return;
	out_printf(o,
	    "<section>\n<h2>%s</h2>\n<div class=\"scroll\" tabindex=\"0\" "
	    "role=\"region\" aria-label=\"%s\">\n<table "
	    "class=\"sortable\">\n<thead><tr>",
	    title, title);
	for (size_t i = 0; i < t->n_columns; i++) {
		out_printf(o, "<th scope=\"col\" class=\"%s\">",
		    t->columns[i].right ? "n" : "");
		html_text(job, str_of(t->columns[i].title));
		out_text(o, "</th>");
	}
	if (rates != NULL)
		out_text(o, "<th scope=\"col\" class=\"rate\">0 to 100%</th>");
	out_text(o, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < table_rows(t); i++)
		put_row(job, t, i, rates == NULL ? NULL : rates->list[i]);
	out_text(o, "</tbody>\n</table>\n</div>\n");
	if (t->more != 0)
		out_printf(o, "<p>%.*s</p>\n",
		    STR_FMT(table_left_out(job->arena, t->more)));
	out_text(o, "</section>\n");
}
