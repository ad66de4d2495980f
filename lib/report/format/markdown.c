/*
 * The markdown report: a comment for a pull request in GitHub's Markdown, as
 * long as a comment may be. No text of the data can mean anything in it: no
 * markup, no mention, no link.
 */
#include <string.h>

#include "base/ascii.h"
#include "report/format/format.h"
#include "report/table/changes.h"
#include "report/table/details.h"
#include "report/table/over_time.h"
#include "report/table/permissions.h"
#include "report/table/summary.h"
#include "report/table/triggers.h"
#include "report/table/why.h"
#include "text/layout.h"

/* Puts the text as HTML's code element, for characters that a code span within
 * a table cannot hold. Empty comments keep an address from becoming a link. */
static void
put_code_element(struct out *o, struct str text)
{
	out_text(o, "<code>");
	for (size_t i = 0; i < text.n; i++) {
		if (strchr(":@.", text.s[i]) != NULL)
			out_text(o, "<!-- -->");
		if (strchr("&<>|`\\*_[]~", text.s[i]) != NULL)
			out_printf(o, "&#%d;", text.s[i]);
		else
			out_char(o, text.s[i]);
	}
	out_text(o, "</code>");
}

/* Puts the text as a line of code, also in a table; "-" if it is blank. */
static void
put_code_span(struct out *o, struct str text, struct arena *a)
{
	text = layout_clean(a, text, false);
	if (str_trim(text).n == 0)
		out_text(o, "-");
	else if (str_find_char(text, '|') < text.n ||
	    str_find_char(text, '`') < text.n)
		put_code_element(o, text);
	else
		out_printf(o, "`%.*s`", STR_FMT(text));
}

/* Puts the text between fences that it does not contain, each line indented. */
static void
put_code_block(
    struct out *o, struct str text, const char *indent, struct arena *a)
{
	size_t fence = 3, run = 0;

	text = layout_clean(a, text, true);
	for (size_t i = 0; i < text.n; i++) {
		run = text.s[i] == '`' ? run + 1 : 0;
		if (run >= fence)
			fence = run + 1;
	}
	for (int edge = 0; edge < 2; edge++) {
		out_text(o, indent);
		for (size_t i = 0; i < fence; i++)
			out_char(o, '`');
		out_text(o, edge == 0 ? "text" : "");
		out_line(o);
		while (edge == 0 && text.s != NULL) {
			out_text(o, indent);
			out_str(o, str_cut(&text, '\n'));
			out_line(o);
		}
	}
}

enum {
	COMMENT_MAX = 65536, /* characters that GitHub accepts */
	RESERVED =
	    8192, /* of COMMENT_MAX: for notes, and for a program's own words */
	TABLE_MAX = 24000, /* bytes of a table */
	REASON_MAX = 1000,
	CHANGES_MOST = 50,
};

/* A comment is made of pieces, each of which fits as a whole or is left out. */
struct comment {
	struct report_job job; /* a copy, whose out is the piece */
	struct out piece;      /* in memory */
	struct out *out;
	size_t left; /* bytes that the comment may still take */
};

/* Moves the piece to the comment. Returns false if there is no room for it. */
static bool
take(struct comment *c)
{
	struct str text = out_memory(&c->piece);
	bool fits = text.n <= c->left;

	if (fits) {
		out_str(c->out, text);
		c->left -= text.n;
	}
	out_clear(&c->piece);
	return fits;
}

/* Like take(), but uses the reserved bytes; for fixed words only. */
static void
take_anyway(struct comment *c)
{
	out_str(c->out, out_memory(&c->piece));
	out_clear(&c->piece);
}

static void
put_code(struct report_job *job, struct str text)
{
	put_code_span(job->out, text, job->arena);
}

static void
put_row_end(struct out *o)
{
	out_text(o, " |");
	out_line(o);
}

/* Puts the name of a sum: a fixed word, or a name like any other. */
static void
put_sum_name(struct report_job *job, struct str name)
{
	out_text(job->out, "**");
	if (str_is(name, "all") || str_is(name, "sum") || str_is(name, "-"))
		out_str(job->out, name);
	else
		put_code(job, name);
	out_text(job->out, "**");
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
	else if (c->text.n != 0)
		put_sum_name(job, c->text);
}

/* Puts words, as code if they hold a name of the data that could mean anything
 * else: an address, a mention, markup. */
static void
put_words(struct report_job *job, struct str text)
{
	size_t i = 0;

	while (i < text.n &&
	    (ascii_is_alnum((unsigned char)text.s[i]) ||
		strchr(" _-()%^,;'", text.s[i]) != NULL ||
		(strchr(".:", text.s[i]) != NULL &&
		    (i + 1 == text.n || text.s[i + 1] == ' ')) ||
		(text.s[i] == '@' && i == 4 && str_starts(text, "pass"))))
		i++;
	if (i == text.n)
		out_str(job->out, text);
	else
		put_code(job, text);
}

static void
put_head(struct report_job *job, const struct table *t)
{
	for (size_t i = 0; i < t->n_columns; i++) {
		out_text(job->out, i == 0 ? "| " : " | ");
		put_words(job, str_of(t->columns[i].title));
	}
	put_row_end(job->out);
	for (size_t i = 0; i < t->n_columns; i++)
		out_printf(job->out, "%s%s", i == 0 ? "| " : " | ",
		    t->columns[i].right ? "--:" : ":--");
	put_row_end(job->out);
}

static void
put_table(struct comment *c, const struct table *t)
{
	struct out *o = &c->piece;
	size_t before = c->left, row = 0;

	if (table_rows(t) == 0)
		return;
	put_head(&c->job, t);
	do {
		for (size_t i = 0; i < t->n_columns; i++)
			put_cell(&c->job, t, row, i);
		put_row_end(o);
	} while (
	    before - c->left < TABLE_MAX && take(c) && ++row < table_rows(t));
	out_clear(o);
	out_line(o);
	if (row < table_rows(t) || t->more != 0) {
		out_str(o,
		    table_left_out(
			c->job.arena, table_rows(t) - row + t->more));
		out_line(o);
		out_line(o);
	}
	take_anyway(c);
}

/* Puts a line, unless the text is absent. */
static void
put_sentence(struct comment *c, struct str text)
{
	if (text.s == NULL)
		return;
	out_str(&c->piece, text);
	out_line(&c->piece);
	out_line(&c->piece);
	take(c);
}

/* Like put_sentence(), but for a sentence that may hold names of the data. */
static void
put_mixed(struct comment *c, struct str text)
{
	if (text.s == NULL)
		return;
	put_words(&c->job, text);
	out_line(&c->piece);
	out_line(&c->piece);
	take(c);
}

/* Like put_sentence(), but for a sentence with names of the data behind a
 * colon. */
static void
put_names(struct comment *c, struct str text)
{
	struct str words = str_cut(&text, ':');

	if (words.s == NULL)
		return;
	out_str(&c->piece, words);
	if (text.s != NULL) {
		out_text(&c->piece, ": ");
		put_code(&c->job, str_trim(text));
	}
	out_line(&c->piece);
	out_line(&c->piece);
	take(c);
}

static void
put_run(struct report_job *job, const struct failure_run *r)
{
	put_code(job, r->id);
	if (r->file.s == NULL)
		return;
	out_text(job->out, " (");
	put_code(job, failure_log(r->file, r->line, job->arena));
	out_text(job->out, ")");
}

/* Puts the place of the assertion and the first runs with the failure. */
static void
put_places(struct report_job *job, const struct failure *k)
{
	size_t shown = failure_examples(k);

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
put_failure(struct report_job *job, const struct failure *k)
{
	struct str reason = failure_why(k);

	out_printf(job->out, "- **%s** ", status_name(k->status));
	if (k->scenario.s != NULL) {
		put_code(job, k->scenario);
		out_text(job->out, ": ");
	}
	put_code(job, failure_name(k));
	if (k->severity != SEVERITY_ERROR)
		out_printf(job->out, " \\[%s]", severity_name(k->severity));
	if (k->runs > 1)
		out_printf(job->out, " (%zu runs)", k->runs);
	out_line(job->out);
	if (reason.n != 0)
		put_code_block(job->out,
		    layout_cut(job->arena, reason, REASON_MAX), "  ",
		    job->arena);
	if (k->examples[0].got.s != NULL)
		put_code_block(job->out,
		    layout_cut(job->arena,
			str_cat(job->arena, STR("got: "), k->examples[0].got),
			REASON_MAX),
		    "  ", job->arena);
	put_places(job, k);
	out_line(job->out);
}

/* Puts the failures from `from` up to `to` while there is room. Returns the
 * place of the first failure that it did not put. */
static size_t
put_failure_list(struct comment *c, size_t from, size_t to)
{
	const struct failures *f = &c->job.tally->failures;

	for (; from < to; from++) {
		put_failure(&c->job, f->list[from]);
		if (!take(c))
			break;
	}
	return from;
}

/* Puts all failures. Those that are only pending or skipped are folded away
 * behind the others. */
static size_t
put_all_failures(struct comment *c)
{
	const struct failures *f = &c->job.tally->failures;
	size_t bad = 0, i;

	while (bad < f->n && f->list[bad]->status < STATUS_PENDING)
		bad++;
	i = put_failure_list(c, 0, bad == 0 ? f->n : bad);
	if (i < bad || i == f->n)
		return i;
	out_printf(&c->piece,
	    "<details><summary>%zu more pending or skipped</summary>",
	    f->n - bad);
	out_line(&c->piece);
	out_line(&c->piece);
	take_anyway(c);
	i = put_failure_list(c, i, f->n);
	out_text(&c->piece, "</details>");
	out_line(&c->piece);
	out_line(&c->piece);
	take_anyway(c);
	return i;
}

static void
put_failures(struct comment *c)
{
	const struct failures *f = &c->job.tally->failures;
	struct str_list more =
	    summary_left_out(c->job.arena, f, STATUS_SKIPPED);
	size_t shown = put_all_failures(c);

	if (shown < f->n) {
		out_printf(&c->piece,
		    "%zu more findings are not shown: a comment may have "
		    "%d characters",
		    f->n - shown, COMMENT_MAX);
		out_line(&c->piece);
		out_line(&c->piece);
	}
	for (size_t i = 0; i < more.n; i++) {
		out_str(&c->piece, more.list[i]);
		out_line(&c->piece);
		out_line(&c->piece);
	}
	take_anyway(c);
}

static void
put_behaviour(struct comment *c, const struct behaviour *b)
{
	struct arena *a = c->job.arena;
	struct table amounts = changes_amounts(a, b, CHANGES_MOST);
	struct table tools = changes_tools(a, b, CHANGES_MOST);

	put_sentence(c, changes_amount_counts(a, b));
	put_table(c, &amounts);
	put_sentence(c, changes_tool_counts(a, b));
	put_table(c, &tools);
}

static void
put_changes(struct comment *c)
{
	const struct compare *was = c->job.compare;
	struct arena *a = c->job.arena;
	struct table scenarios, assertions;

	if (was == NULL)
		return;
	scenarios = changes_scenarios(a, was, CHANGES_MOST);
	assertions = changes_assertions(a, was, CHANGES_MOST);
	put_sentence(c, STR("#### Against the baseline"));
	put_sentence(c, changes_all(a, was));
	put_sentence(c, changes_counts(a, &was->scenarios, "scenario"));
	put_table(c, &scenarios);
	put_sentence(c, changes_counts(a, &was->assertions, "assertion"));
	put_table(c, &assertions);
	put_behaviour(c, &was->behaviour);
}

static void
put_history(struct comment *c)
{
	const struct history *h = c->job.history;
	struct arena *a = c->job.arena;
	struct str_list changes;
	struct table table;

	if (h == NULL)
		return;
	changes = over_time_changes(a, h, CHANGES_MOST);
	table = over_time_table(a, h, SUMMARY_ROWS);
	put_sentence(c, STR("#### Over time"));
	put_sentence(c, over_time_points(a, h));
	for (size_t i = 0; i < changes.n; i++)
		put_mixed(c, changes.list[i]);
	put_sentence(c, over_time_states(a, h));
	put_table(c, &table);
}

static void
put_drift(struct comment *c)
{
	const struct drift *d = c->job.drift;
	struct table table;

	if (d == NULL)
		return;
	table = changes_drift(c->job.arena, d, CHANGES_MOST);
	put_sentence(c, STR("#### Against the snapshot"));
	put_code(&c->job, changes_drift_sum(c->job.arena, d));
	out_line(&c->piece);
	out_line(&c->piece);
	take(c);
	put_table(c, &table);
}

/* Puts a folded table, because a comment is read for what failed. */
static void
put_folded(struct comment *c, const char *title, struct table table)
{
	if (table_rows(&table) == 0)
		return;
	out_printf(&c->piece, "<details><summary>%s</summary>", title);
	out_line(&c->piece);
	out_line(&c->piece);
	take_anyway(c);
	put_table(c, &table);
	out_text(&c->piece, "</details>");
	out_line(&c->piece);
	out_line(&c->piece);
	take_anyway(c);
}

static void
put_why(struct comment *c)
{
	const struct why *w = c->job.why;
	struct arena *a = c->job.arena;

	if (w == NULL)
		return;
	for (size_t i = 0; i < w->n; i++) {
		struct table table = why_table(w, &w->list[i], a);

		if (w->list[i].n != 0)
			put_mixed(c, why_title(w, &w->list[i], a));
		put_table(c, &table);
		put_mixed(c, why_sentence(w, &w->list[i], a));
	}
	put_mixed(c, why_nothing(w, a));
}

static void
put_all(struct comment *c)
{
	struct arena *a = c->job.arena;
	const struct tally *t = c->job.tally;
	struct rows all = rows_of(t, a), rows = all;
	size_t left_out = 0;
	struct table verdicts, triggers;

	if (!c->job.look.details && !t->sums)
		rows = rows_without_passed(&all, SUMMARY_ROWS, &left_out, a);
	verdicts = summary_verdicts(a, t, &rows);
	put_table(c, &verdicts);
	put_sentence(c, summary_rows_left_out(a, left_out));
	put_sentence(c, summary_checks(a, &t->total));
	put_names(c, details_flaky(a, t));
	put_sentence(c, details_judge(a, &t->total));
	put_sentence(c, permissions_sum(a, t, !c->job.look.details));
	triggers = triggers_table(a, t);
	put_table(c, &triggers);
	put_changes(c);
	put_history(c);
	put_drift(c);
	put_why(c);
	put_failures(c);
	put_folded(c, "Rules by the runs in which they applied",
	    summary_applied(a, t, c->job.look.details, SUMMARY_ROWS));
	put_folded(c, summary_usage_title(t), summary_usage(a, t, all));
	put_mixed(c, summary_estimates(a, t));
	if (!c->job.look.details)
		return;
	for (int i = 0; i < DETAILS_PARTS; i++) {
		enum details part = (enum details)i;

		put_folded(c, details_title(part),
		    details_table(a, t, &all, part, CHANGES_MOST));
	}
}

static void
end(struct report_job *job)
{
	static const char *const marks[] = { "", "\xe2\x9d\x8c ",
		"\xe2\x9a\xa0\xef\xb8\x8f " };
	struct comment c = {
		.job = *job, .out = job->out, .left = COMMENT_MAX - RESERVED
	};

	out_printf(job->out, "### %s%.*s",
	    job->verdict.passed ? "\xe2\x9c\x85 " : marks[job->verdict.status],
	    STR_FMT(job->verdict.why));
	out_line(job->out);
	out_line(job->out);
	out_open_memory(&c.piece);
	c.job.out = &c.piece;
	put_all(&c);
	out_close(&c.piece);
}

const struct report_format report_markdown = {
	.name = "markdown",
	.what = "a comment for a pull request",
	.guard = OUT_GUARD_TEXT,
	.brief = true,
	.end = end,
};
