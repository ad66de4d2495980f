/* The text report, for people at a terminal: tables, then what failed and
 * where. */
#include "report/format/format.h"
#include "report/table/changes.h"
#include "report/table/details.h"
#include "report/table/over_time.h"
#include "report/table/permissions.h"
#include "report/table/summary.h"
#include "report/table/triggers.h"
#include "report/table/why.h"
#include "text/layout.h"

enum {
	DETAILS_MOST = 50, /* rows of a table */
	INDENT = 9,        /* cells of the word that opens a failure */
	REASON_LINES = 12,
};

static const struct failure_word {
	const char *word; /* INDENT cells */
	enum tone tone;
	size_t runs; /* how many of the runs are named, the first ones */
} words[STATUS_COUNT] = {
	[STATUS_FAILED] = { "FAILED   ", TONE_BAD, FAILURE_EXAMPLES },
	[STATUS_ERROR] = { "ERROR    ", TONE_BAD, FAILURE_EXAMPLES },
	[STATUS_PENDING] = { "PENDING  ", TONE_WARN, 1 },
	[STATUS_SKIPPED] = { "SKIPPED  ", TONE_WARN, 1 },
};

static void
put_toned(struct report_job *job, enum tone tone, struct str text)
{
	if (job->look.color)
		out_text(job->out, tone_begin(tone));
	out_str(job->out, text);
	if (job->look.color)
		out_text(job->out, tone_end(tone));
}

static struct str
clean(struct report_job *job, struct str text)
{
	return layout_clean(job->arena, text, false);
}

/* Returns the scenario and the assertion. */
static struct str
title(struct report_job *job, const struct failure *k)
{
	struct arena *a = job->arena;
	struct str text = clean(job, failure_name(k));

	if (k->scenario.s != NULL)
		text = str_printf(a, "%.*s: %.*s",
		    STR_FMT(clean(job, k->scenario)), STR_FMT(text));
	if (k->severity != SEVERITY_ERROR)
		text = str_printf(
		    a, "%.*s [%s]", STR_FMT(text), severity_name(k->severity));
	return text;
}

/* Returns the text with how many runs failed. */
static struct str
heading(struct report_job *job, struct str text, const struct failure *k)
{
	if (k->runs == 1)
		return text;
	return str_printf(
	    job->arena, "%.*s (%zu runs)", STR_FMT(text), k->runs);
}

static void
put_run(struct report_job *job, const struct failure_run *r)
{
	struct str id = clean(job, r->id), agent = clean(job, r->agent);

	out_str(job->out, id);
	if (agent.n != 0 && !str_contains(id, agent))
		out_printf(job->out, " (%.*s)", STR_FMT(agent));
	if (r->file.s != NULL) {
		layout_space(job->out, 2);
		out_str(job->out,
		    clean(job, failure_log(r->file, r->line, job->arena)));
	}
	out_line(job->out);
}

static void
put_runs(struct report_job *job, const struct failure *k, size_t most)
{
	size_t shown = k->runs < most ? k->runs : most;

	for (size_t i = 0; i < shown; i++) {
		layout_space(job->out, INDENT);
		out_text(job->out, i == 0 ? "run    " : "       ");
		put_run(job, &k->examples[i]);
	}
	if (shown < k->runs) {
		out_printf(job->out, "%*s       and %zu more", INDENT, "",
		    k->runs - shown);
		out_line(job->out);
	}
}

/* Puts how the checks ended, and the reason, which is the same for all. */
static void
put_opening(struct report_job *job, struct str text, const struct failure *k)
{
	const struct failure_word *w = &words[k->status];
	struct str reason = failure_why(k);
	struct layout l = {
		.indent = INDENT, .width = job->look.width, .most = REASON_LINES
	};

	put_toned(job, k->severity == SEVERITY_ERROR ? w->tone : TONE_WARN,
	    str_of(w->word));
	l.begun = true;
	layout_wrap(job->out, heading(job, text, k), &l);
	l.begun = false;
	if (reason.n != 0)
		layout_wrap(
		    job->out, layout_clean(job->arena, reason, true), &l);
	if (k->examples[0].got.s != NULL)
		layout_wrap(job->out,
		    layout_clean(job->arena,
			str_cat(job->arena, STR("got: "), k->examples[0].got),
			true),
		    &l);
}

static void
put_failure(struct report_job *job, const struct failure *k)
{
	put_opening(job, title(job, k), k);
	if (k->at.s != NULL) {
		out_printf(job->out, "%*scheck  %.*s", INDENT, "",
		    STR_FMT(clean(job, k->at)));
		out_line(job->out);
	}
	put_runs(job, k, words[k->status].runs);
}

/* ---- skipped checks ---- */

/* The checks that the same runs skipped for the same reason. */
struct skipped {
	struct failure **list;
	size_t n;
};

/* Returns the skipped checks, each once, with the runs of all scenarios. */
static struct skipped
skipped_checks(struct report_job *job)
{
	const struct failures *f = &job->tally->failures;
	struct hash_table seen = { .arena = job->arena };
	struct skipped all = { 0 };

	for (size_t i = 0; i < f->n; i++) {
		const struct failure *k = f->list[i];
		const struct str key[] = { failure_why(k), failure_name(k),
			k->at, str_of(severity_name(k->severity)) };
		struct failure *to;
		void **place;

		if (k->status != STATUS_SKIPPED)
			continue;
		place = hash_put_copy(&seen, hash_key(job->arena, key, 4));
		if (*place == NULL) {
			*place = to = arena_new(job->arena, struct failure);
			*to = *k;
			*arena_push(job->arena, all.list, all.n) = to;
			continue;
		}
		to = *place;
		to->scenario = (struct str){ 0 };
		for (size_t e = 0, n = failure_examples(to);
		     n < FAILURE_EXAMPLES && e < failure_examples(k); e++)
			to->examples[n++] = k->examples[e];
		to->runs += k->runs;
	}
	return all;
}

/* Returns what checks share that the same runs skipped for the same reason. */
static struct str
shared(struct arena *a, const struct failure *k)
{
	const struct failure_run *r = k->examples;
	const struct str parts[] = { failure_why(k), r[0].got,
		str_printf(a, "%zu", k->runs), r[0].id,
		failure_log(r[0].file, r[0].line, a), r[1].id,
		failure_log(r[1].file, r[1].line, a), r[2].id,
		failure_log(r[2].file, r[2].line, a) };

	return hash_key(a, parts, sizeof parts / sizeof parts[0]);
}

static void
put_skipped(struct report_job *job, const struct skipped *s)
{
	struct layout l = { .indent = INDENT + 7,
		.width = job->look.width,
		.most = REASON_LINES,
		.begun = true };

	put_opening(
	    job, str_printf(job->arena, "%zu checks", s->n), s->list[0]);
	for (size_t i = 0; i < s->n; i++) {
		struct str at = clean(job, s->list[i]->at);

		layout_space(job->out, INDENT);
		out_text(job->out, i == 0 ? "check  " : "       ");
		layout_wrap(job->out,
		    str_printf(job->arena, "%.*s%s%.*s", STR_FMT(at),
			at.n == 0 ? "" : "  ", STR_FMT(title(job, s->list[i]))),
		    &l);
	}
	put_runs(job, s->list[0], words[STATUS_SKIPPED].runs);
}

/* Puts the skipped checks, joined where a reader would read the same again. */
static void
put_all_skipped(struct report_job *job)
{
	struct hash_table seen = { .arena = job->arena };
	struct skipped checks = skipped_checks(job);
	struct skipped **list = NULL;
	size_t n = 0;

	for (size_t i = 0; i < checks.n; i++) {
		void **place =
		    hash_put_copy(&seen, shared(job->arena, checks.list[i]));
		struct skipped *s = *place;

		if (s == NULL) {
			*place = s = arena_new(job->arena, struct skipped);
			*arena_push(job->arena, list, n) = s;
		}
		*arena_push(job->arena, s->list, s->n) = checks.list[i];
	}
	for (size_t i = 0; i < n; i++) {
		out_line(job->out);
		if (list[i]->n == 1)
			put_failure(job, list[i]->list[0]);
		else
			put_skipped(job, list[i]);
	}
}

static void
put_failures(struct report_job *job)
{
	const struct failures *f = &job->tally->failures;
	struct str_list more = summary_left_out(job->arena, f, STATUS_SKIPPED);

	for (size_t i = 0; i < f->n && f->list[i]->status != STATUS_SKIPPED;
	     i++) {
		out_line(job->out);
		put_failure(job, f->list[i]);
	}
	put_all_skipped(job);
	for (size_t i = 0; i < more.n; i++) {
		out_line(job->out);
		out_str(job->out, more.list[i]);
		out_line(job->out);
	}
}

static void
put_title(struct report_job *job, const char *title)
{
	out_line(job->out);
	put_toned(job, TONE_STRONG, str_of(title));
	out_line(job->out);
}

static void
put_line(struct report_job *job, struct str text)
{
	if (text.s == NULL)
		return;
	out_str(job->out, text);
	out_line(job->out);
}

static void
put_sentence(struct report_job *job, struct str text)
{
	if (text.s != NULL)
		layout_wrap(job->out, text,
		    &(struct layout){
			.width = job->look.width, .most = SIZE_MAX });
}

static void
put_table(struct report_job *job, const char *title, const struct table *t)
{
	struct table folded;
	struct str note;

	if (table_rows(t) == 0)
		return;
	if (title != NULL)
		put_title(job, title);
	folded = table_fold(t, job->look.width, &note);
	table_write(job->out, &folded, job->look.width, job->look.color);
	put_sentence(job, note);
	if (t->more != 0)
		put_line(job,
		    str_cat(job->arena, table_left_out(job->arena, t->more),
			STR(" (see -f json)")));
}

/* Puts the counts of changes, then the rows that changed. */
static void
put_change_rows(struct report_job *job, const struct compare_rows *rows,
    const char *noun, struct table table)
{
	put_line(job, changes_counts(job->arena, rows, noun));
	put_table(job, NULL, &table);
}

static void
put_behaviour(struct report_job *job, const struct behaviour *b)
{
	struct table amounts = changes_amounts(job->arena, b, DETAILS_MOST);
	struct table tools = changes_tools(job->arena, b, DETAILS_MOST);

	put_line(job, changes_amount_counts(job->arena, b));
	put_table(job, NULL, &amounts);
	put_line(job, changes_tool_counts(job->arena, b));
	put_table(job, NULL, &tools);
}

static void
put_changes(struct report_job *job)
{
	const struct compare *c = job->compare;
	struct arena *a = job->arena;

	if (c == NULL)
		return;
	put_title(job, "Against the baseline");
	put_sentence(job, changes_all(a, c));
	put_change_rows(job, &c->scenarios, "scenario",
	    changes_scenarios(a, c, DETAILS_MOST));
	put_change_rows(job, &c->assertions, "assertion",
	    changes_assertions(a, c, DETAILS_MOST));
	put_behaviour(job, &c->behaviour);
}

static void
put_history(struct report_job *job)
{
	const struct history *h = job->history;
	struct str_list changes;
	struct table table;

	if (h == NULL)
		return;
	changes = over_time_changes(job->arena, h, DETAILS_MOST);
	table = over_time_table(
	    job->arena, h, job->look.details ? SIZE_MAX : SUMMARY_ROWS);
	put_title(job, "Over time");
	put_sentence(job, over_time_points(job->arena, h));
	for (size_t i = 0; i < changes.n; i++)
		put_sentence(job, changes.list[i]);
	put_line(job, over_time_states(job->arena, h));
	put_table(job, NULL, &table);
}

static void
put_drift(struct report_job *job)
{
	struct table table;

	if (job->drift == NULL)
		return;
	table = changes_drift(job->arena, job->drift, DETAILS_MOST);
	put_title(job, "Against the snapshot");
	put_line(job, changes_drift_sum(job->arena, job->drift));
	put_table(job, NULL, &table);
}

static void
put_why(struct report_job *job)
{
	const struct why *w = job->why;
	struct arena *a = job->arena;

	if (w == NULL)
		return;
	for (size_t i = 0; i < w->n; i++) {
		struct table table = why_table(w, &w->list[i], a);

		put_table(job, str_c(a, why_title(w, &w->list[i], a)), &table);
		if (w->list[i].n == 0)
			out_line(job->out);
		put_sentence(job, why_sentence(w, &w->list[i], a));
	}
	put_sentence(job, why_nothing(w, a));
}

static void
put_details(struct report_job *job)
{
	for (int i = 0; i < DETAILS_PARTS; i++) {
		enum details part = (enum details)i;
		struct table table = details_table(
		    job->arena, job->tally, job->rows, part, DETAILS_MOST);

		put_table(job, details_title(part), &table);
		arena_reset(job->arena);
	}
}

/* Puts the rules that did not apply in each run; with --details, all. */
static void
put_applied(struct report_job *job)
{
	bool all = job->look.details;
	struct table table = summary_applied(
	    job->arena, job->tally, all, all ? DETAILS_MOST : SUMMARY_APPLIED);

	put_table(job, "Rules by the runs in which they applied", &table);
}

static void
put_triggers(struct report_job *job)
{
	struct table table = triggers_table(job->arena, job->tally);

	put_table(job, "Triggers of skills", &table);
}

/* Puts verdicts and usage. Without --by and --details, usage has only the sums,
 * if there are verdicts. */
static void
put_summary(struct report_job *job)
{
	struct arena *a = job->arena;
	const struct tally *t = job->tally;
	struct rows rows = *job->rows;
	size_t left_out = 0;
	struct table verdicts, usage;

	if (!job->look.details && !t->sums)
		rows = rows_without_passed(&rows, SUMMARY_ROWS, &left_out, a);
	verdicts = summary_verdicts(a, t, &rows);
	put_table(job, NULL, &verdicts);
	put_line(job, summary_rows_left_out(a, left_out));
	put_line(job, summary_checks(a, &t->total));
	put_sentence(job, details_flaky(a, t));
	put_line(job, details_judge(a, &t->total));
	put_sentence(job, permissions_sum(a, t, !job->look.details));
	put_applied(job);
	put_triggers(job);

	if (tally_checked(&t->total) != 0 && t->plan.by_default &&
	    !job->look.details)
		rows = rows_without_groups(&rows, a);
	usage = summary_usage(a, t, rows);
	put_table(job,
	    table_rows(&verdicts) == 0 ? NULL : summary_usage_title(t), &usage);
	put_sentence(job, summary_estimates(a, t));
}

static void
end(struct report_job *job)
{
	struct rows rows = rows_of(job->tally, job->arena);

	job->rows = &rows;
	report_apart(job, put_summary);
	if (job->look.details)
		report_apart(job, put_details);
	put_changes(job);
	put_history(job);
	put_drift(job);
	put_why(job);
	put_failures(job);
	if (job->tally->n != 0)
		out_line(job->out);
	put_toned(job,
	    job->verdict.passed            ? TONE_GOOD
		: job->verdict.status == 0 ? TONE_PLAIN
					   : TONE_BAD,
	    str_printf(job->arena, "%.*s: exit %d", STR_FMT(job->verdict.why),
		job->verdict.status));
	out_line(job->out);
	job->rows = NULL;
}

const struct report_format report_text = {
	.name = "text",
	.what = "tables and findings, for people",
	.guard = OUT_GUARD_TEXT,
	.brief = true,
	.end = end,
};
