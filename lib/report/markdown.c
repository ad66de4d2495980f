/* A comment for a pull request: GitHub's Markdown, in which no text of the
 * data can mean anything (markup, a mention, a link). */
#include <string.h>

#include "../amount.h"
#include "../layout.h"
#include "../report.h"
#include "../summary.h"

enum { REASON_MAX = 1000 };

/* As HTML's code element: what a code span cannot hold within a table. */
static void
put_code_element(struct out *o, struct str text)
{
	out_text(o, "<code>");
	for (size_t i = 0; i < text.n; i++) {
		if (strchr("&<>|`\\*_[]~", text.s[i]) != NULL)
			out_printf(o, "&#%d;", text.s[i]);
		else
			out_char(o, text.s[i]);
	}
	out_text(o, "</code>");
}

/* One line of text as it is, nothing in it being markup. */
static void
put_code(struct report_job *job, struct str text)
{
	text = layout_clean(job->arena, text, false);
	if (str_trim(text).n == 0)
		out_text(job->out, "-");
	else if (str_find_char(text, '|') < text.n ||
	    str_find_char(text, '`') < text.n)
		put_code_element(job->out, text);
	else
		out_printf(job->out, "`%.*s`", STR_FMT(text));
}

/* Text of several lines in a fence that it does not hold. */
static void
put_block(struct report_job *job, struct str text, const char *indent)
{
	size_t fence = 3, run = 0;

	text = layout_cut(job->arena, str_trim(text), REASON_MAX);
	text = layout_clean(job->arena, text, true);
	for (size_t i = 0; i < text.n; i++) {
		run = text.s[i] == '`' ? run + 1 : 0;
		if (run >= fence)
			fence = run + 1;
	}
	for (int edge = 0; edge < 2; edge++) {
		out_text(job->out, indent);
		for (size_t i = 0; i < fence; i++)
			out_char(job->out, '`');
		out_text(job->out, edge == 0 ? "text" : "");
		out_line(job->out);
		while (edge == 0 && text.s != NULL) {
			out_text(job->out, indent);
			out_str(job->out, str_cut(&text, '\n'));
			out_line(job->out);
		}
	}
}

static void
put_row_end(struct out *o)
{
	out_text(o, " |");
	out_line(o);
}

static void
put_cell(struct report_job *job, const struct table *t, size_t row, size_t i)
{
	const struct table_cell *c = table_at(t, row, i);

	out_text(job->out, i == 0 ? "| " : " | ");
	if (!t->columns[i].name)
		out_str(job->out, c->text);
	else if (c->tone != TONE_STRONG)
		put_code(job, c->text);
	else if (c->text.n != 0) /* a word of ours: "all" */
		out_printf(job->out, "**%.*s**", STR_FMT(c->text));
}

static void
put_table(struct report_job *job, const struct table *t)
{
	if (table_rows(t) == 0)
		return;
	for (size_t i = 0; i < t->n_columns; i++)
		out_printf(job->out, "%s%s", i == 0 ? "| " : " | ",
		    t->columns[i].title);
	put_row_end(job->out);
	for (size_t i = 0; i < t->n_columns; i++)
		out_printf(job->out, "%s%s", i == 0 ? "| " : " | ",
		    t->columns[i].right ? "--:" : ":--");
	put_row_end(job->out);
	for (size_t row = 0; row < table_rows(t); row++) {
		for (size_t i = 0; i < t->n_columns; i++)
			put_cell(job, t, row, i);
		put_row_end(job->out);
	}
	out_line(job->out);
}

static void
put_run(struct report_job *job, const struct finding_run *r)
{
	put_code(job, r->id);
	if (r->file.s == NULL)
		return;
	out_text(job->out, " (");
	put_code(job,
	    r->line <= 0
		? r->file
		: str_cat(job->arena, r->file,
		      str_printf(job->arena, ":%lld", (long long)r->line)));
	out_text(job->out, ")");
}

/* Where it is asserted, and which runs come first that have it. */
static void
put_places(struct report_job *job, const struct finding *k)
{
	size_t shown = finding_examples(k);

	out_text(job->out, "  ");
	if (k->at.s != NULL) {
		out_text(job->out, "check ");
		put_code(job, k->at);
		out_text(job->out, "; ");
	}
	out_text(job->out, k->runs == 1 ? "run " : "runs ");
	for (size_t i = 0; i < shown; i++) {
		if (i != 0)
			out_text(job->out, ", ");
		put_run(job, &k->examples[i]);
	}
	if (shown < k->runs)
		out_printf(job->out, " and %zu more", k->runs - shown);
	out_line(job->out);
}

static void
put_finding(struct report_job *job, const struct finding *k)
{
	out_printf(job->out, "- **%s** ", status_name(k->status));
	if (k->scenario.s != NULL) {
		put_code(job, k->scenario);
		out_text(job->out, ": ");
	}
	put_code(job, finding_name(k));
	if (k->runs > 1)
		out_printf(job->out, " (%zu runs)", k->runs);
	out_line(job->out);
	if (str_trim(k->reason).n != 0)
		put_block(job, k->reason, "  ");
	put_places(job, k);
	out_line(job->out);
}

static void
put_findings(struct report_job *job)
{
	const struct findings *f = &job->tally->findings;

	for (size_t i = 0; i < f->n; i++)
		put_finding(job, f->list[i]);
	for (int s = STATUS_FAILED; s <= STATUS_SKIPPED; s++) {
		struct str more =
		    summary_left_out(job->arena, f, (enum status)s);

		if (more.s == NULL)
			continue;
		out_str(job->out, more);
		out_line(job->out);
		out_line(job->out);
	}
}

/* Folded away: a comment is read for what failed. */
static void
put_usage(struct report_job *job)
{
	struct table usage = summary_usage(job->arena, job->tally);

	if (table_rows(&usage) == 0)
		return;
	out_text(job->out, "<details><summary>Usage per run (mean)</summary>");
	out_line(job->out);
	out_line(job->out);
	put_table(job, &usage);
	out_text(job->out, "</details>");
	out_line(job->out);
}

static void
end(struct report_job *job)
{
	static const char *const marks[] = { "\xe2\x9c\x85", "\xe2\x9d\x8c",
		"\xe2\x9a\xa0\xef\xb8\x8f" };
	struct table verdicts = summary_verdicts(job->arena, job->tally);
	struct str checks = summary_checks(job->arena, &job->tally->total);

	out_printf(job->out, "### %s %.*s", marks[job->verdict.status],
	    STR_FMT(job->verdict.why));
	out_line(job->out);
	out_line(job->out);
	put_table(job, &verdicts);
	if (checks.s != NULL) {
		out_str(job->out, checks);
		out_line(job->out);
		out_line(job->out);
	}
	put_findings(job);
	put_usage(job);
}

const struct report report_markdown = {
	.name = "markdown",
	.what = "a comment for a pull request",
	.end = end,
};
