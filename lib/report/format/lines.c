/* The lines report: FILE:LINE: SCENARIO: WHAT, one line for each failure, as
 * editors and users of compilers read it. FILE:LINE is the place of the
 * assertion, and the line ends with the place of the run in its log; or FILE:LINE
 * is that place, if the assertion has none (an option of the command line, a run
 * that ended early). */
#include "base/diag.h"
#include "report/format/format.h"
#include "report/table/summary.h"
#include "text/layout.h"

static struct str
place(const struct failure *k, struct arena *a)
{
	const struct failure_run *r = &k->examples[0];
	size_t line;

	failure_place(k->at, &line);
	if (line != 0)
		return k->at;
	if (r->file.s == NULL)
		return STR("-:0");
	return failure_log(r->file, r->line > 0 ? r->line : 1, a);
}

/* Returns what failed: the reason, with what was there instead; for a pending
 * check, its name. */
static struct str
what(const struct failure *k, struct arena *a)
{
	struct str reason = str_trim(k->reason), got = k->examples[0].got;

	if (k->status == STATUS_PENDING)
		return str_join(a,
		    (struct str[]){
			failure_name(k), failure_reason(k->status, reason) },
		    reason.n == 0 ? 2 : 1, STR(" "));
	reason = failure_why(k);
	if (reason.n == 0)
		return failure_name(k);
	return got.s == NULL
	    ? reason
	    : str_printf(a, "%.*s (got: %.*s)", STR_FMT(reason), STR_FMT(got));
}

/* Puts the number of runs, and the place of the first one if the line does not
 * begin with it. */
static void
put_runs(struct report_job *job, const struct failure *k)
{
	const struct failure_run *r = &k->examples[0];
	struct str first = failure_log(r->file, r->line, job->arena);
	size_t line;

	failure_place(k->at, &line);
	if (line == 0 || first.s == NULL) {
		if (k->runs > 1)
			out_printf(job->out, " (%zu runs)", k->runs);
		return;
	}
	if (k->runs > 1)
		out_printf(job->out, " (%zu runs, first ", k->runs);
	else
		out_text(job->out, " (run ");
	out_str(job->out, layout_clean(job->arena, first, false));
	out_char(job->out, ')');
}

static void
put_failure(struct report_job *job, const struct failure *k)
{
	struct str parts[] = { place(k, job->arena), k->scenario,
		str_of(status_name(k->status)), what(k, job->arena) };
	const char *before = "";

	if (k->severity != SEVERITY_ERROR)
		parts[2] = str_of(severity_name(k->severity));
	else if (k->status == STATUS_FAILED)
		parts[2].s = NULL; /* failed is the usual status */
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		if (parts[i].s == NULL)
			continue;
		out_text(job->out, before);
		out_str(job->out, layout_clean(job->arena, parts[i], false));
		before = ": ";
	}
	put_runs(job, k);
	out_line(job->out);
}

static void
end(struct report_job *job)
{
	const struct failures *f = &job->tally->failures;
	struct str_list more = summary_left_out(job->arena, f, STATUS_PENDING);

	for (size_t i = 0; i < f->n; i++)
		if (f->list[i]->status != STATUS_SKIPPED)
			put_failure(job, f->list[i]);
	for (size_t i = 0; i < more.n; i++)
		diag_warn((struct place){ 0 }, "%.*s", STR_FMT(more.list[i]));
}

const struct report_format report_lines = {
	.name = "lines",
	.what = "file:line: scenario: what failed, for editors",
	.guard = OUT_GUARD_TEXT,
	.brief = true,
	.mute = true,
	.end = end,
};
