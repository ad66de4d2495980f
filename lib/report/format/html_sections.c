/* The header of the page, and its tables and findings. */
#include "report/format/html.h"
#include "report/table/changes.h"
#include "report/table/details.h"
#include "report/table/permissions.h"
#include "report/table/rows.h"
#include "report/table/summary.h"
#include "report/table/triggers.h"
#include "report/table/why.h"
#include "text/humanize.h"
#include "text/xml.h"

enum { ROWS_MOST = 200 }; /* of a table whose length is not bounded */

/* The tone of a status in the tiles; NULL: plain. */
static const char *const status_tones[STATUS_COUNT] = {
	[STATUS_PASSED] = "good",
	[STATUS_FAILED] = "bad",
	[STATUS_ERROR] = "bad",
	[STATUS_PENDING] = "warn",
	[STATUS_SKIPPED] = "warn",
};

static void
put_tile(struct report_job *job, const char *name, const char *tone,
    struct str value)
{
	out_printf(job->out, "<div><dt>%s</dt><dd class=\"%s\">", name,
	    tone == NULL ? "" : tone);
	html_text(job, value);
	out_text(job->out, "</dd></div>\n");
}

static struct str
number(struct report_job *job, size_t n)
{
	return str_printf(job->arena, "%zu", n);
}

/* Puts the figures that a reader looks for first, without those that were not
 * recorded. */
static void
put_tiles(struct report_job *job)
{
	const struct tally_group *g = &job->tally->total;
	const struct tally_sum *time = &g->used[METRIC_DURATION];
	const struct tally_sum *cost = &g->used[USAGE_COST],
			       *estimate = &g->used[METRIC_ESTIMATE];
	const struct quantiles *spread = tally_sum_quantiles(time);

	out_text(job->out, "<dl class=\"tiles\">\n");
	put_tile(job, "runs", NULL, number(job, g->runs));
	if (tally_rated(g) != 0)
		put_tile(job, "pass rate", NULL,
		    summary_rate(
			job->arena, g->status[STATUS_PASSED], tally_rated(g)));
	for (int s = 0; s < STATUS_COUNT; s++)
		if (g->status[s] != 0)
			put_tile(job, status_name((enum status)s),
			    status_tones[s], number(job, g->status[s]));
	if (time->runs != 0) {
		put_tile(job, "median time", NULL,
		    humanize_time(
			job->arena, (double)quantiles_percentile(spread, 50)));
		put_tile(job, "95% within", NULL,
		    humanize_time(
			job->arena, (double)quantiles_percentile(spread, 95)));
	}
	if (cost->runs + estimate->runs != 0)
		put_tile(job, estimate->runs == 0 ? "cost" : "estimated cost",
		    NULL,
		    humanize_usd(
			job->arena, (double)(cost->sum + estimate->sum)));
	out_text(job->out, "</dl>\n");
}

/* Puts the runs that have a status as shares of a bar. */
static void
put_shares(struct report_job *job)
{
	const struct tally_group *g = &job->tally->total;
	double n = (double)tally_checked(g), before = 0;

	if (n == 0)
		return;
	out_text(job->out,
	    "<svg class=\"shares\" viewBox=\"0 0 1000 8\" "
	    "preserveAspectRatio=\"none\" aria-hidden=\"true\">");
	for (int s = 0; s < STATUS_COUNT; s++) {
		double width = 1000 * (double)g->status[s] / n;

		if (g->status[s] != 0)
			out_printf(job->out,
			    "<rect class=\"%s\" x=\"%.2f\" width=\"%.2f\" "
			    "height=\"8\"/>",
			    status_name((enum status)s), before, width);
		before += width;
	}
	out_text(job->out, "</svg>\n");
}

static void
put_header(struct report_job *job)
{
	static const char *const classes[] = { "good", "bad", "warn" };
	static const char *const words[] = { "passed", "failed", "trouble" };
	int status = job->verdict.status;

	out_text(job->out,
	    "<header>\n"
	    "<p class=\"name\">mcpl report</p>\n"
	    "<h1>");
	if (status != 0 || job->verdict.passed)
		out_printf(job->out, "<span class=\"verdict %s\">%s</span> ",
		    classes[status], words[status]);
	html_text(job, job->verdict.why);
	out_text(job->out, "</h1>\n");
	put_tiles(job);
	put_shares(job);
	out_text(job->out, "</header>\n<main>\n");
}

/* ---- sections ---- */

/* Puts the text between two pieces of markup; nothing if the text is empty. */
static void
put_words(struct report_job *job, const char *before, struct str text,
    const char *after)
{
	if (text.n == 0)
		return;
	out_text(job->out, before);
	html_text(job, text);
	out_text(job->out, after);
}

static void
put_sentence(struct report_job *job, struct str text)
{
	put_words(job, "<p>", text, "</p>\n");
}

static void
put_verdicts(struct report_job *job)
{
	struct table applied, triggers,
	    verdicts = summary_verdicts(job->arena, job->tally, job->rows);

	html_table(job, "Verdicts", &verdicts, job->rows);
	put_sentence(job, summary_checks(job->arena, &job->tally->total));
	put_sentence(job, details_flaky(job->arena, job->tally));
	put_sentence(job, details_judge(job->arena, &job->tally->total));
	put_sentence(job, permissions_sum(job->arena, job->tally, false));
	applied = summary_applied(job->arena, job->tally, true, ROWS_MOST);
	html_table(
	    job, "Rules by the runs in which they applied", &applied, NULL);
	triggers = triggers_table(job->arena, job->tally);
	html_table(job, "Triggers of skills", &triggers, NULL);
}

static void
put_changes(struct report_job *job)
{
	const struct compare *c = job->compare;
	struct table scenarios, assertions, amounts, tools;

	if (c == NULL)
		return;
	amounts = changes_amounts(job->arena, &c->behaviour, ROWS_MOST);
	tools = changes_tools(job->arena, &c->behaviour, ROWS_MOST);
	scenarios = changes_scenarios(job->arena, c, ROWS_MOST);
	assertions = changes_assertions(job->arena, c, ROWS_MOST);
	out_text(job->out, "<section>\n<h2>Against the baseline</h2>\n");
	put_sentence(job, changes_all(job->arena, c));
	put_sentence(
	    job, changes_counts(job->arena, &c->scenarios, "scenario"));
	put_sentence(
	    job, changes_counts(job->arena, &c->assertions, "assertion"));
	put_sentence(job, changes_amount_counts(job->arena, &c->behaviour));
	put_sentence(job, changes_tool_counts(job->arena, &c->behaviour));
	out_text(job->out, "</section>\n");
	html_table(job, "Scenarios that changed", &scenarios, NULL);
	html_table(job, "Assertions that changed", &assertions, NULL);
	html_table(job, "Amounts that changed", &amounts, NULL);
	html_table(job, "Tools that changed", &tools, NULL);
}

static void
put_drift(struct report_job *job)
{
	struct table table;

	if (job->drift == NULL)
		return;
	table = changes_drift(job->arena, job->drift, ROWS_MOST);
	html_table(job, "Against the snapshot", &table, NULL);
	put_sentence(job, changes_drift_sum(job->arena, job->drift));
}

static void
put_why(struct report_job *job)
{
	const struct why *w = job->why;

	if (w == NULL)
		return;
	for (size_t i = 0; i < w->n; i++) {
		struct table t = why_table(w, &w->list[i], job->arena);

		html_table(job,
		    str_c(job->arena, why_title(w, &w->list[i], job->arena)),
		    &t, NULL);
		put_sentence(job, why_sentence(w, &w->list[i], job->arena));
	}
	put_sentence(job, why_nothing(w, job->arena));
}

/* Puts an attribute, unless the text is absent. */
static void
put_attribute(struct report_job *job, const char *name, struct str text)
{
	if (text.s != NULL)
		xml_attribute(job->out, name, text, job->arena);
}

/* Puts the first runs, and what the page's script needs for a link to all. */
static void
put_runs(struct report_job *job, const struct failure *k)
{
	size_t shown = failure_examples(k);

	out_text(job->out, k->runs == 1 ? "run " : "runs ");
	for (size_t i = 0; i < shown; i++) {
		struct str id = k->examples[i].id;

		out_text(job->out, i == 0 ? "<span" : ", <span");
		put_attribute(job, "data-run", id);
		put_attribute(job, "data-got", k->examples[i].got);
		out_char(job->out, '>');
		html_text(job, id.s != NULL ? id : STR("without an id"));
		out_text(job->out, "</span>");
	}
	if (shown == k->runs)
		return;
	out_text(job->out, " <span");
	put_attribute(job, "data-check", failure_name(k));
	put_attribute(job, "data-checked", str_of(status_name(k->status)));
	put_attribute(job, "data-scenario", k->scenario);
	out_printf(job->out, ">and %zu more</span>", k->runs - shown);
}

static void
put_failure(struct report_job *job, const struct failure *k)
{
	const char *status = status_name(k->status);

	out_printf(job->out, "<li><p><span class=\"status %s\">%s</span> ",
	    status, status);
	put_words(job, "<span class=\"scenario\">", k->scenario, "</span> ");
	put_words(job, "<strong>", failure_name(k), "</strong>");
	if (k->severity != SEVERITY_ERROR)
		out_printf(job->out, " <span class=\"times\">%s</span>",
		    severity_name(k->severity));
	if (k->runs > 1)
		out_printf(job->out, " <span class=\"times\">%zu runs</span>",
		    k->runs);
	out_text(job->out, "</p>\n");
	put_words(job, "<pre>", failure_why(k), "</pre>\n");
	put_words(
	    job, "<pre class=\"got\">got: ", k->examples[0].got, "</pre>\n");
	out_text(job->out, "<p class=\"places\">");
	put_words(job, "check <code>", k->at, "</code> · ");
	put_runs(job, k);
	out_text(job->out, "</p></li>\n");
}

static void
put_failures(struct report_job *job)
{
	const struct failures *f = &job->tally->failures;
	struct str_list more = summary_left_out(job->arena, f, STATUS_SKIPPED);

	if (tally_checked(&job->tally->total) == 0)
		return;
	out_text(job->out, "<section id=\"findings\">\n<h2>Findings</h2>\n");
	if (f->n == 0)
		out_text(job->out, "<p>None.</p>\n");
	out_text(job->out, "<ul>\n");
	for (size_t i = 0; i < f->n; i++)
		put_failure(job, f->list[i]);
	out_text(job->out, "</ul>\n");
	for (size_t i = 0; i < more.n; i++)
		put_sentence(job, more.list[i]);
	out_text(job->out, "</section>\n");
}

static void
put_usage(struct report_job *job)
{
	struct table usage = summary_usage(job->arena, job->tally, *job->rows);

	html_table(job, summary_usage_title(job->tally), &usage, NULL);
	put_sentence(job, summary_estimates(job->arena, job->tally));
}

static void
put_overview(struct report_job *job)
{
	for (int i = 0; i < DETAILS_PARTS; i++) {
		enum details part = (enum details)i;
		struct table table = details_table(
		    job->arena, job->tally, job->rows, part, ROWS_MOST);

		html_table(job, details_title(part), &table, NULL);
		arena_reset(job->arena);
	}
}

void
html_sections(struct report_job *job)
{
	put_header(job);
	report_apart(job, put_verdicts);
	put_changes(job);
	html_history(job, ROWS_MOST);
	put_drift(job);
	put_why(job);
	put_failures(job);
	out_text(job->out,
	    "<div id=\"explore\">"
	    "<noscript><p>The single runs and the charts of them need "
	    "JavaScript.</p></noscript></div>\n");
	report_apart(job, put_usage);
	report_apart(job, put_overview);
	out_text(job->out, "</main>\n");
}
