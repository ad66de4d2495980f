/* The github report, annotations as a step of GitHub Actions prints them: one
 * for each failure, at the place of the assertion, or of the run in its log. */
#include <string.h>

#include "report/format/format.h"
#include "report/table/summary.h"
#include "text/layout.h"

/* A step shows 10 annotations of each level; the others are only in its log. */
enum { SHOWN = 10 };

static const char *const levels[SEVERITY_COUNT] = { "error", "warning",
	"notice" };

static enum severity
level_of(const struct failure *k)
{
	return failure_severity(k->status, k->severity);
}

/* Puts the text with `special` characters as %XX. */
static void
put_escaped(struct out *o, struct str text, const char *special)
{
	for (size_t i = 0; i < text.n; i++) {
		if (strchr(special, text.s[i]) != NULL)
			out_printf(o, "%%%02X", (unsigned char)text.s[i]);
		else
			out_char(o, text.s[i]);
	}
}

static void
put_data(struct report_job *job, struct str text)
{
	put_escaped(job->out, layout_clean(job->arena, text, true), "%\r\n");
}

/* Puts a property; `before` is a blank for the first property, a comma for
 * others. */
static void
put_property(
    struct report_job *job, char before, const char *name, struct str v)
{
	out_printf(job->out, "%c%s=", before, name);
	put_escaped(job->out, layout_clean(job->arena, v, false), "%\r\n:,");
}

static void
put_properties(struct report_job *job, const struct failure *k)
{
	const struct failure_run *r = &k->examples[0];
	struct str title = failure_name(k), file;
	size_t line;

	file = failure_place(k->at, &line);
	if (line == 0) {
		file = r->file;
		line = r->line > 0 ? (size_t)r->line : 1;
	}
	if (k->scenario.s != NULL)
		title = str_cat(job->arena,
		    str_cat(job->arena, k->scenario, STR(": ")), title);
	if (file.s != NULL) {
		put_property(job, ' ', "file", file);
		out_printf(job->out, ",line=%zu", line);
	}
	put_property(job, file.s != NULL ? ',' : ' ', "title", title);
}

/* Puts the reason, and the first run with the failure. */
static void
put_message(struct report_job *job, const struct failure *k)
{
	const struct failure_run *r = &k->examples[0];
	struct str reason = failure_why(k);

	put_data(job, reason.n != 0 ? reason : str_of(status_name(k->status)));
	if (r->got.s != NULL) {
		put_data(job, STR("\ngot: "));
		put_data(job, r->got);
	}
	put_data(job, STR("\nrun "));
	put_data(job, r->id);
	if (r->file.s != NULL) {
		put_data(job, STR(" ("));
		put_data(job, failure_log(r->file, r->line, job->arena));
		out_char(job->out, ')');
	}
	if (k->runs > 1)
		out_printf(job->out, " and %zu more", k->runs - 1);
}

static void
put_failure(struct report_job *job, const struct failure *k)
{
	out_printf(job->out, "::%s", levels[level_of(k)]);
	put_properties(job, k);
	out_text(job->out, "::");
	put_message(job, k);
	out_line(job->out);
}

static size_t
count(const struct failures *f, enum severity level)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++)
		n += level_of(f->list[i]) == level;
	return n;
}

/* Puts the failures of a level. If there are more than are shown, the last one
 * that is shown says that. */
static void
put_level(struct report_job *job, enum severity level)
{
	const struct failures *f = &job->tally->failures;
	size_t all = count(f, level), put = 0;

	for (size_t i = 0; i < f->n; i++) {
		if (level_of(f->list[i]) != level)
			continue;
		if (++put == SHOWN && all > SHOWN) {
			out_printf(job->out,
			    "::%s title=mcpl-report::%zu more in the log of "
			    "this step",
			    levels[level], all - SHOWN + 1);
			out_line(job->out);
		}
		put_failure(job, f->list[i]);
	}
}

static void
end(struct report_job *job)
{
	struct str_list more =
	    summary_left_out(job->arena, &job->tally->failures, STATUS_SKIPPED);

	for (int level = 0; level < SEVERITY_COUNT; level++)
		put_level(job, (enum severity)level);
	for (size_t i = 0; i < more.n; i++) {
		out_str(job->out, more.list[i]);
		out_line(job->out);
	}
	out_printf(job->out, "%.*s: exit %d", STR_FMT(job->verdict.why),
	    job->verdict.status);
	out_line(job->out);
}

const struct report_format report_github = {
	.name = "github",
	.what = "annotations, for a step of GitHub Actions",
	.brief = true,
	.end = end,
};
