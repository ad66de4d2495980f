/* What the runs did not pass, as a list of the HTML page. */
#include "report/format/html_parts.h"
#include "report/table/summary.h"
#include "text/xml.h"

static void
put_runs(struct report_job *job, const struct failure *k)
{
	size_t shown = failure_examples(k);

	out_text(job->out, k->runs == 1 ? "run " : "runs ");
	for (size_t i = 0; i < shown; i++) {
		const struct failure_run *r = &k->examples[i];

		out_text(job->out, i == 0 ? "<span" : ", <span");
		if (r->id.s != NULL)
			xml_attribute(job->out, "data-run", r->id, job->arena);
		out_char(job->out, '>');
		html_put_text(
		    job, r->id.s != NULL ? r->id : STR("without an id"));
		out_text(job->out, "</span>");
	}
	if (shown < k->runs)
		out_printf(job->out, " and %zu more", k->runs - shown);
}

static void
put_finding(struct report_job *job, const struct failure *k)
{
	const char *status = status_name(k->status);

	out_printf(job->out, "<li><p><span class=\"status %s\">%s</span> ",
	    status, status);
	if (k->scenario.s != NULL) {
		out_text(job->out, "<span class=\"scenario\">");
		html_put_text(job, k->scenario);
		out_text(job->out, "</span> ");
	}
	out_text(job->out, "<strong>");
	html_put_text(job, failure_name(k));
	out_text(job->out, "</strong>");
	if (k->severity != SEVERITY_ERROR)
		out_printf(job->out, " <span class=\"times\">%s</span>",
		    severity_name(k->severity));
	if (k->runs > 1)
		out_printf(job->out, " <span class=\"times\">%zu runs</span>",
		    k->runs);
	out_text(job->out, "</p>\n");
	if (str_trim(k->reason).n != 0) {
		out_text(job->out, "<pre>");
		html_put_text(job, str_trim(k->reason));
		out_text(job->out, "</pre>\n");
	}
	out_text(job->out, "<p class=\"places\">");
	if (k->at.s != NULL) {
		out_text(job->out, "check <code>");
		html_put_text(job, k->at);
		out_text(job->out, "</code> · ");
	}
	put_runs(job, k);
	out_text(job->out, "</p></li>\n");
}

void
html_put_findings(struct report_job *job)
{
	const struct failures *f = &job->tally->failures;

	if (tally_checked(&job->tally->total) == 0)
		return;
	out_text(job->out, "<section id=\"findings\">\n<h2>Findings</h2>\n");
	if (f->n == 0)
		out_text(job->out, "<p>None.</p>\n");
	out_text(job->out, "<ul>\n");
	for (size_t i = 0; i < f->n; i++)
		put_finding(job, f->list[i]);
	out_text(job->out, "</ul>\n");
	for (int s = STATUS_FAILED; s <= STATUS_SKIPPED; s++) {
		struct str more =
		    summary_left_out(job->arena, f, (enum status)s);

		if (more.s == NULL)
			continue;
		out_text(job->out, "<p>");
		html_put_text(job, more);
		out_text(job->out, "</p>\n");
	}
	out_text(job->out, "</section>\n");
}
