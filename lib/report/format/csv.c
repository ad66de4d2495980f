/* The csv report: a row for each run, or for each point of a history, for
 * spreadsheets (RFC 4180). A text that
 * a spreadsheet would take for a formula is marked as text, unless --csv-raw
 * says to leave it. */
#include <math.h>
#include <string.h>

#include "base/timestamp.h"
#include "report/format/format.h"
#include "report/table/test_case.h"
#include "text/layout.h"

/* The current row. */
struct row {
	struct out *out;
	bool raw; /* leave formulas unchanged */
	bool begun;
};

static bool
needs_quotes(struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if (strchr(",\"\n", text.s[i]) != NULL)
			return true;
	return text.n != 0 && (text.s[0] == ' ' || text.s[text.n - 1] == ' ');
}

static void
put_quoted(struct out *o, struct str text)
{
	out_char(o, '"');
	for (size_t i = 0; i < text.n; i++) {
		if (text.s[i] == '"')
			out_char(o, '"');
		out_char(o, text.s[i]);
	}
	out_char(o, '"');
}

/* A spreadsheet computes a text that begins like this, even after blanks. */
static bool
is_formula(struct str text)
{
	struct str rest = str_trim(text);

	return rest.n != 0 && strchr("=+-@", rest.s[0]) != NULL;
}

static void
put_cell(struct row *r, struct str text, struct arena *moment)
{
	text = layout_clean(moment, text, true);
	if (!r->raw && is_formula(text))
		text = str_cat(moment, STR("'"), text);
	if (r->begun)
		out_char(r->out, ',');
	r->begun = true;
	if (needs_quotes(text))
		put_quoted(r->out, text);
	else
		out_str(r->out, text);
}

/* Puts an amount, or an empty cell if the amount is not recorded (-1). */
static void
put_amount(struct row *r, int64_t amount, int metric, struct arena *moment)
{
	struct out o;

	if (amount < 0) {
		put_cell(r, STR(""), moment);
		return;
	}
	out_open_memory(&o);
	metric_write(&o, amount, metric);
	put_cell(r, out_keep(&o, moment), moment);
}

static void
put_count(struct row *r, size_t n, struct arena *moment)
{
	put_cell(r, str_printf(moment, "%zu", n), moment);
}

static void
put_checks(struct row *r, const struct result *run, struct arena *moment)
{
	size_t n[STATUS_COUNT] = { 0 };

	for (size_t i = 0; i < run->n; i++)
		if (!run->checks[i].of_run)
			n[run->checks[i].status]++;
	for (int s = 0; s <= STATUS_SKIPPED; s++)
		put_count(r, n[s], moment);
}

static struct str
tools_of(const struct result *run, struct arena *moment)
{
	struct str *names = arena_new_n(moment, struct str, run->n_calls);

	for (size_t i = 0; i < run->n_calls; i++)
		names[i] = run->calls[i].tool;
	return str_join(moment, names, run->n_calls, STR(" "));
}

/* Returns the reasons of failed checks and errors, one a line. */
static struct str
reasons_of(const struct result *run, struct arena *moment)
{
	struct str *reasons = NULL;
	size_t n = 0;

	for (size_t i = 0; i < run->n; i++) {
		const struct result_check *c = &run->checks[i];

		if ((c->status == STATUS_FAILED || c->status == STATUS_ERROR) &&
		    str_trim(c->reason).n != 0)
			*arena_push(moment, reasons, n) = str_trim(c->reason);
	}
	return str_join(moment, reasons, n, STR("\n"));
}

/* Puts the calls by decision behind a NUL, since the row goes without these cells if no
 * run was tried on permissions; empty cells if this one was not. */
static void
put_permissions(struct row *r, const struct result *run, struct arena *moment)
{
	struct tally_calls calls = { 0 };

	out_char(r->out, '\0');
	tally_calls_add(&calls, run);
	for (int d = 0; d < DECISIONS; d++)
		if (calls.runs == 0)
			put_cell(r, STR(""), moment);
		else
			put_count(r, calls.calls[d], moment);
}

static const char *const titles[] = { "scenario_id", "agent", "model",
	"run_index", "id", "started", "status", "checks_passed",
	"checks_failed", "checks_error", "checks_pending", "checks_skipped" };
static const char *const last_titles[] = { "tools", "reasons", "file", "line",
	"estimated_cost_usd" };

enum {
	TITLES = sizeof titles / sizeof titles[0],
	LAST_TITLES = sizeof last_titles / sizeof last_titles[0],
};

static struct str
number_text(int64_t n, int64_t least, struct arena *moment)
{
	return n < least ? STR("") : str_printf(moment, "%lld", (long long)n);
}

static void
run(struct report_job *job, const struct result *it, struct arena *moment)
{
	const struct str names[] = { it->scenario, it->agent, it->model,
		number_text(it->run_index, 0, moment), it->id, it->start,
		it->checked ? str_of(status_name(it->status)) : STR("") };
	struct row r = { .out = &job->piece, .raw = job->look.csv_raw };
	const struct tally_plan *plan = &job->tally->plan;

	if (job->history != NULL)
		return;
	out_clear(r.out);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		put_cell(&r, names[i], moment);
	put_checks(&r, it, moment);
	for (int i = 0; i < METRIC_ESTIMATE; i++)
		put_amount(&r, it->used[i], i, moment);
	put_cell(&r, tools_of(it, moment), moment);
	put_cell(&r, reasons_of(it, moment), moment);
	put_cell(&r, it->file, moment);
	put_cell(&r, number_text(it->line, 1, moment), moment);
	put_amount(&r, it->used[METRIC_ESTIMATE], METRIC_ESTIMATE, moment);
	for (size_t i = 0; i < plan->by.n; i++)
		if (tally_key(plan->by.list[i]) != NULL)
			put_cell(&r,
			    tally_name_text(
				plan->by.list[i], it, plan->zone, moment),
			    moment);
	put_permissions(&r, it, moment);
	external_sort_add(
	    job->external_sort, test_case_order(it, moment), out_memory(r.out));
}

static void
put_titles(struct out *o, struct str_list by, bool permissions)
{
	for (size_t i = 0; i < TITLES; i++)
		out_printf(o, "%s%s", i == 0 ? "" : ",", titles[i]);
	for (int i = 0; i < METRIC_ESTIMATE; i++)
		out_printf(o, ",%s", metric_name(i));
	for (size_t i = 0; i < LAST_TITLES; i++)
		out_printf(o, ",%s", last_titles[i]);
	for (size_t i = 0; i < by.n; i++)
		if (tally_key(by.list[i]) != NULL)
			out_printf(o, ",%.*s", STR_FMT(by.list[i]));
	for (int d = 0; d < DECISIONS && permissions; d++)
		out_printf(o, ",permission_%s",
		    tally_decision_name((enum tally_decision)d));
	out_line(o);
}

/* ---- a row for each point of a history ---- */

static void
put_number(struct row *r, double n, struct arena *moment)
{
	put_cell(
	    r, isfinite(n) ? str_printf(moment, "%.6g", n) : STR(""), moment);
}

/* Puts how many runs were measured, and the rate or the mean with its interval. */
static void
put_sample(struct row *r, enum history_measure m, const struct change_sample *s,
    struct arena *moment)
{
	struct stats_interval ci = history_interval(m, s);

	put_count(r, s->n, moment);
	if (m == HISTORY_RATE)
		put_count(r, s->hits, moment);
	put_number(r, history_value(m, s), moment);
	put_number(r, ci.low, moment);
	put_number(r, ci.high, moment);
}

/* Puts which measures changed with the cell's point: "pass_rate worse". */
static void
put_changes(struct row *r, const struct history_series *s, size_t cell,
    struct arena *moment)
{
	struct str *list = NULL;
	size_t n = 0;

	for (size_t i = 0; i < s->n_changes; i++)
		if (s->changes[i].at.at == cell)
			*arena_push(moment, list, n) =
			    str_printf(moment, "%s %s",
				history_measure_name(s->changes[i].measure),
				s->changes[i].worse ? "worse" : "better");
	put_cell(r, str_join(moment, list, n, STR("; ")), moment);
}

static void
put_point(struct report_job *job, const struct history_series *s, size_t cell,
    struct arena *moment)
{
	const struct history_cell *c = s->cells[cell];
	struct row r = { .out = job->out, .raw = job->look.csv_raw };
	char start[TIMESTAMP_SIZE];

	put_cell(&r, s->scenario, moment);
	put_cell(&r, s->agent, moment);
	put_cell(&r, str_of(history_state_name(s->state)), moment);
	put_cell(&r, c->point->day, moment);
	put_cell(&r, c->point->file, moment);
	put_cell(&r, timestamp_print(c->point->start, start), moment);
	put_count(&r, c->runs, moment);
	for (int m = 0; m < HISTORY_MEASURES; m++) {
		struct change_sample sample =
		    history_between(s, (enum history_measure)m, cell, cell + 1);

		put_sample(&r, (enum history_measure)m, &sample, moment);
	}
	put_changes(&r, s, cell, moment);
	out_line(r.out);
}

static void
put_history(struct report_job *job)
{
	const struct history *h = job->history;
	struct arena moment = { 0 };

	out_text(job->out,
	    "scenario_id,agent,state,day,file,started,runs,rated,passed,"
	    "pass_rate,pass_rate_low,pass_rate_high,cost_runs,cost_usd,"
	    "cost_usd_low,cost_usd_high,duration_runs,duration_ms,"
	    "duration_ms_low,duration_ms_high,changes");
	out_line(job->out);
	for (size_t i = 0; i < h->n; i++)
		for (size_t j = 0; j < h->list[i]->n; j++) {
			put_point(job, h->list[i], j, &moment);
			arena_reset(&moment);
		}
	arena_free(&moment);
}

static void
end(struct report_job *job)
{
	bool permissions = job->tally->total.permissions.runs != 0;
	struct str key, text;

	if (job->look.csv_raw)
		job->out->guard = OUT_UNGUARDED;
	if (job->history != NULL) {
		put_history(job);
		return;
	}
	put_titles(job->out, job->tally->plan.by, permissions);
	while (external_sort_next(job->external_sort, &key, &text)) {
		out_str(job->out, str_cut(&text, '\0'));
		if (permissions)
			out_str(job->out, text);
		out_line(job->out);
	}
}

const struct report_format report_csv = {
	.name = "csv",
	.what = "a row per run, for spreadsheets",
	.guard = OUT_GUARD_TEXT,
	.mute = true,
	.run = run,
	.end = end,
};
