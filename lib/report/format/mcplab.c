/* The mcplab report, MCPLab's results.json as its own application reads it, and
 * the mcplab-summary report, MCPLab's summary.md. An entry of either is a
 * scenario as one agent with one model ran it. */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "report/format/format.h"
#include "report/mcplab/scenario.h"
#include "report/table/test_case.h"
#include "text/layout.h"

enum { MCPLAB_NAMES = 3 }; /* an entry's names: scenario, agent, model */

/* This program's version in MCPLab's files. */
#define MCPLAB_CLI_VERSION "mcpl-" VERSION

/* ---- counts ---- */

static struct mcplab_scenarios
entries_of(const struct tally *t, struct arena *a)
{
	return mcplab_scenarios_by(t, MCPLAB_NAMES, a);
}

/* Returns the number of evaluated runs: those with a status that is not
 * skipped. */
static size_t
evaluated(const struct tally_group *g)
{
	return tally_checked(g) - g->status[STATUS_UNCHECKED] -
	    g->status[STATUS_SKIPPED];
}

/* Returns the pass rate of the evaluated runs; 0 if there are none. */
static double
pass_rate(const struct tally_group *g)
{
	size_t n = evaluated(g);

	return n == 0 ? 0 : (double)g->status[STATUS_PASSED] / (double)n;
}

/* Returns the number of runs whose calls were not recorded: for MCPLab these
 * runs have called nothing. */
static size_t
silent_runs(const struct tally_group *g)
{
	return g->runs - g->used[METRIC_TOOL_CALLS].runs;
}

/* ---- a run ---- */

static struct str
evaluation_status(const struct result *r)
{
	if (!r->checked || r->status == STATUS_UNCHECKED ||
	    r->status == STATUS_SKIPPED)
		return STR("skipped");
	return r->status == STATUS_PASSED ? STR("passed") : STR("failed");
}

/* Puts {"a":2,"b":1}: the number of calls of each tool, in the order of first
 * calls. */
static void
put_tool_usage(struct out *o, const struct result *r, struct arena *moment)
{
	struct hash_table seen = { .arena = moment };
	size_t **counts = arena_new_n(moment, size_t *, r->n_calls);
	size_t *firsts = arena_new_n(moment, size_t, r->n_calls), n = 0;

	for (size_t i = 0; i < r->n_calls; i++) {
		size_t **count = (size_t **)hash_put(&seen, r->calls[i].tool);

		if (*count == NULL) {
			*count = arena_new(moment, size_t);
			counts[n] = *count;
			firsts[n++] = i;
		}
		++**count;
	}
	out_member_begin(o, "tool_usage", '{');
	for (size_t i = 0; i < n; i++) {
		out_key_str(o, r->calls[firsts[i]].tool);
		out_json_int(o, (int64_t)*counts[i]);
	}
	out_end(o, '}');
}

static void
put_tools(struct out *o, const char *key, const struct result *r)
{
	out_key(o, key);
	out_begin(o, '[');
	for (size_t i = 0; i < r->n_calls; i++)
		out_json_str(o, r->calls[i].tool);
	out_end(o, ']');
}

static void
put_durations(struct out *o, const struct result *r)
{
	out_member_begin(o, "tool_durations_ms", '[');
	for (size_t i = 0; i < r->n_calls; i++)
		if (r->calls[i].duration >= 0)
			metric_write(o, r->calls[i].duration, METRIC_DURATION);
	out_end(o, ']');
}

/* Puts the value as the record has it, or `otherwise` if it is absent. */
static void
put_member(
    struct out *o, const char *key, const struct json *v, const char *otherwise)
{
	out_key(o, key);
	out_json_raw(o, v != NULL ? v->text : str_of(otherwise));
}

/* Returns MCPLab's status of a check. A check that the log has no evidence for
 * is not applicable, and spoils no run; a run that broke off, or a judge that
 * did not answer, leaves checks that were not evaluated. */
static struct str
check_status(const struct result *r, enum status s)
{
	if (s == STATUS_PASSED || s == STATUS_FAILED)
		return str_of(status_name(s));
	return s == STATUS_SKIPPED && !r->error ? STR("not_applicable")
						: STR("not_evaluated");
}

static void
put_checks(struct out *o, const struct result *r)
{
	out_member_begin(o, "check_results", '[');
	for (size_t i = 0; i < r->n; i++) {
		const struct result_check *c = &r->checks[i];

		if (c->of_run)
			continue;
		out_begin(o, '{');
		out_member_str(o, "type", c->type);
		out_member_str(o, "label", c->label);
		out_member_str(o, "status", check_status(r, c->status));
		out_member_str(o, "reason", c->reason);
		if (c->metadata != NULL)
			put_member(o, "metadata", c->metadata, "");
		out_end(o, '}');
	}
	out_end(o, ']');
}

/* Writes the failures of the checks that count for the run, as mcpl-check
 * does. */
static void
put_failures(struct out *o, const struct result *r)
{
	out_member_begin(o, "failures", '[');
	for (size_t i = 0; i < r->n; i++) {
		const struct result_check *c = &r->checks[i];

		if ((c->status == STATUS_FAILED || c->status == STATUS_ERROR) &&
		    c->severity == SEVERITY_ERROR &&
		    !(c->of_run && c->reason.s == NULL))
			out_json_str(
			    o, c->reason.s != NULL ? c->reason : c->label);
	}
	out_end(o, ']');
}

static void
put_run(struct out *o, const struct result *r, struct arena *moment)
{
	const struct trace *t = r->trace;

	out_begin(o, '{');
	out_member_size(
	    o, "run_index", r->run_index < 0 ? 0 : (size_t)r->run_index);
	out_member_str(o, "request_id",
	    json_text(json_path(t->record, "meta.request_id"), moment));
	out_member_str(o, "evaluation_status", evaluation_status(r));
	out_member_bool(o, "pass", r->checked && r->status == STATUS_PASSED);
	if (r->error)
		put_member(o, "error", t->member[TRACE_ERROR], "");
	put_failures(o, r);
	put_checks(o, r);
	put_tools(o, "tool_calls", r);
	out_member_size(o, "tool_call_count", r->n_calls);
	put_tools(o, "tool_sequence", r);
	put_tool_usage(o, r, moment);
	put_durations(o, r);
	put_member(o, "final_text", t->member[TRACE_FINAL_TEXT], "\"\"");
	put_member(o, "extracted", t->member[TRACE_EXTRACTED], "{}");
	out_end(o, '}');
}

/* ---- pieces for the external sort ---- */

/* The sum of the durations of calls. */
struct latency {
	int64_t sum;
	size_t calls;
};

static void
start(struct report_job *job)
{
	job->own = arena_new(job->arena, struct latency);
}

static void
add_latency(struct report_job *job, const struct result *r)
{
	struct latency *l = job->own;

	for (size_t i = 0; i < r->n_calls; i++) {
		l->sum = metric_add(l->sum, r->calls[i].duration);
		l->calls += r->calls[i].duration >= 0;
	}
}

/* Returns the key of a piece: first the entry's names as they are printed; then
 * the entry's key, since two entries may be printed alike; then the usual
 * order. */
static struct str
order_of(const struct result *r, struct str entry, struct arena *moment)
{
	const struct str key[] = { test_case_suite(r, moment), r->agent,
		r->model, entry, test_case_order(r, moment) };

	return str_join(
	    moment, key, sizeof key / sizeof key[0], (struct str){ "\0", 1 });
}

/* Adds a piece that names its run's entry: the length of the entry's key, the
 * key, the run. */
static void
run(struct report_job *job, const struct result *r, struct arena *moment)
{
	const struct str names[] = { r->scenario, r->agent, r->model };
	struct str entry = hash_key(moment, names, MCPLAB_NAMES);
	struct out *o = &job->piece;

	add_latency(job, r);
	out_clear(o);
	out_printf(o, "%zu ", entry.n);
	out_str(o, entry);
	o->comma = false;
	put_run(o, r, moment);
	external_sort_add(
	    job->external_sort, order_of(r, entry, moment), out_memory(o));
}

static struct str
take_entry(struct str *piece)
{
	struct str digits = str_cut(piece, ' '), entry;
	size_t n = 0;

	for (size_t i = 0; i < digits.n; i++)
		n = 10 * n + (size_t)(digits.s[i] - '0');
	entry = str_slice(*piece, 0, n);
	*piece = str_from(*piece, n);
	return entry;
}

/* ---- an entry: a scenario, as one agent ran it ---- */

static void
put_sequences(struct out *o, const struct tally_group *g)
{
	size_t silent = silent_runs(g);

	out_member_begin(o, "distinct_sequences", '{');
	for (size_t i = 0; i < tally_group_details(g)->sequences.n; i++) {
		const struct tally_pair *p =
		    tally_group_details(g)->sequences.list[i];
		size_t times = p->times;

		if (str_is(p->text, "[]")) {
			times += silent;
			silent = 0;
		}
		out_key_str(o, p->text);
		out_json_int(o, (int64_t)times);
	}
	if (silent != 0)
		out_member_size(o, "[]", silent);
	out_end(o, '}');
}

/* Puts for each name an object of its values and how often each was found. */
static void
put_values(struct out *o, const struct mcplab_scenario *s)
{
	out_member_begin(o, "extracted_values", '{');
	for (size_t i = 0; i < s->n_values; i++) {
		struct str name = s->values[i].name;
		const struct bounded_map *all =
		    &tally_group_details(s->runs)->values;

		out_key_str(o, name);
		out_begin(o, '{');
		for (size_t j = 0; j < all->n; j++) {
			const struct tally_pair *p = all->list[j];

			if (!str_eq(p->name, name))
				continue;
			out_key_str(o, p->text);
			out_json_int(o, (int64_t)p->times);
		}
		out_end(o, '}');
	}
	out_end(o, '}');
}

static void
put_frequency(struct out *o, const struct bounded_map *tools)
{
	out_member_begin(o, "tool_usage_frequency", '{');
	for (size_t i = 0; i < tools->n; i++) {
		const struct tally_tool *t = tools->list[i];

		out_key_str(o, t->item.key.text);
		out_json_int(o, (int64_t)t->calls);
	}
	out_end(o, '}');
}

/* Puts for each of the tools the number of runs that called it. */
static void
put_used(struct out *o, const char *key, struct str_list tools,
    const struct bounded_map *called)
{
	out_key(o, key);
	out_begin(o, '{');
	for (size_t i = 0; i < tools.n; i++) {
		const struct tally_tool *t =
		    bounded_map_get(called, tools.list[i]);

		out_key_str(o, tools.list[i]);
		out_json_int(o, t == NULL ? 0 : (int64_t)t->runs);
	}
	out_end(o, '}');
}

static void
begin_entry(struct out *o, const struct mcplab_scenario *e)
{
	const struct str *names = e->names;

	out_begin(o, '{');
	out_member_str(
	    o, "scenario_id", names[0].s == NULL ? STR("") : names[0]);
	out_member_str(o, "agent", names[1].s == NULL ? STR("") : names[1]);
	out_member_str(o, "model", names[2]);
	out_member_begin(o, "runs", '[');
}

static void
end_entry(struct out *o, const struct mcplab_scenario *e)
{
	const struct tally_group *g = e->runs;

	out_end(o, ']');
	if (e->required.n + e->forbidden.n != 0) {
		out_member_begin(o, "tool_constraints_stats", '{');
		put_used(o, "required", e->required, &g->tools);
		put_used(o, "forbidden", e->forbidden, &g->tools);
		out_end(o, '}');
	}
	out_member_double(o, "pass_rate", pass_rate(g));
	put_sequences(o, g);
	put_frequency(o, &g->tools);
	put_values(o, e);
	out_member_str(o, "last_final_answer",
	    tally_group_details(g)->answer.text.text.s == NULL
		? STR("")
		: tally_group_details(g)->answer.text.text);
	out_end(o, '}');
}

/* Puts the entries. The runs come entry by entry, in the order of the entries'
 * names. */
static void
put_scenarios(struct report_job *job, const struct mcplab_scenarios *entries)
{
	struct hash_table table = { .arena = job->arena };
	const struct mcplab_scenario *open = NULL, *entry;
	struct str key, piece;
	struct out *o = job->out;

	for (size_t i = 0; i < entries->n; i++)
		*hash_put(&table,
		    hash_key(job->arena, entries->list[i].names,
			MCPLAB_NAMES)) = &entries->list[i];
	out_member_begin(o, "scenarios", '[');
	while (external_sort_next(job->external_sort, &key, &piece)) {
		entry = hash_get(&table, take_entry(&piece));
		if (entry != open && open != NULL)
			end_entry(o, open);
		if (entry != open)
			begin_entry(o, entry);
		open = entry;
		out_json_raw(o, piece);
	}
	if (open != NULL)
		end_entry(o, open);
	out_end(o, ']');
}

static void
put_metadata(struct out *o, const struct tally *t, struct arena *a)
{
	out_member_begin(o, "metadata", '{');
	out_member_str(o, "run_id", tally_run_id(t));
	out_member_str(o, "timestamp", tally_first_start(t));
	out_member_str(o, "config_hash", tally_config_hash(t, a));
	out_member_str(o, "cli_version", STR(MCPLAB_CLI_VERSION));
	out_member_bool(o, "checks_skipped",
	    t->total.runs != 0 && tally_checked(&t->total) == 0);
	out_member_begin(o, "mcp_server_versions", '{');
	out_end(o, '}');
	out_end(o, '}');
}

static void
put_summary(
    struct report_job *job, const struct tally_group *total, size_t entries)
{
	const struct latency *l = job->own;
	size_t calls = (size_t)total->used[METRIC_TOOL_CALLS].sum;
	double units = metric_units(METRIC_DURATION);
	struct out *o = job->out;

	out_member_begin(o, "summary", '{');
	out_member_size(o, "total_scenarios", entries);
	out_member_size(o, "total_runs", total->runs);
	out_member_size(o, "evaluated_runs", evaluated(total));
	out_member_size(o, "skipped_runs", total->runs - evaluated(total));
	out_member_double(o, "pass_rate", pass_rate(total));
	out_member_double(o, "avg_tool_calls_per_run",
	    total->runs == 0 ? 0 : (double)calls / (double)total->runs);
	out_key(o, "avg_tool_latency_ms");
	if (l->calls == 0)
		out_json_null(o);
	else
		out_json_double(o, (double)l->sum / units / (double)l->calls);
	out_end(o, '}');
}

static void
end(struct report_job *job)
{
	const struct tally *t = job->tally;
	struct mcplab_scenarios entries = entries_of(t, job->arena);

	out_begin(job->out, '{');
	put_metadata(job->out, t, job->arena);
	put_summary(job, &t->total, entries.n);
	put_scenarios(job, &entries);
	out_end(job->out, '}');
	out_line(job->out);
}

const struct report_format report_mcplab = {
	.name = "mcplab",
	.what = "MCPLab's results.json",
	.guard = OUT_GUARD_JSON,
	.mute = true,
	.start = start,
	.run = run,
	.end = end,
};

/* Returns the number of different sequences; runs without recorded calls have
 * the empty sequence. */
static size_t
count_sequences(const struct tally_group *g)
{
	size_t n = tally_group_details(g)->sequences.n + (silent_runs(g) != 0);

	for (size_t i = 0;
	     i < tally_group_details(g)->sequences.n && silent_runs(g) != 0;
	     i++) {
		const struct tally_pair *p =
		    tally_group_details(g)->sequences.list[i];

		n -= str_is(p->text, "[]");
	}
	return n;
}

/* Returns the rate with one decimal, rounded as JavaScript's toFixed(1): a
 * number halfway between two (an odd number of quarters) is rounded up, not to
 * an even digit. */
static struct str
percent_passed(struct arena *a, const struct tally_group *g)
{
	double percent = 100 * pass_rate(g);

	if (fmod(percent, 0.5) == 0.25)
		percent += 0.01;
	return str_printf(a, "%.1f%%", percent);
}

/* Puts a name in a cell of a table, with escapes for what could end the cell or
 * be markup. */
static void
put_cell(struct report_job *job, struct str name)
{
	name = layout_clean(job->arena, name, false);
	for (size_t i = 0; i < name.n; i++) {
		if (strchr("|\\`*_<>&[]", name.s[i]) != NULL)
			out_char(job->out, '\\');
		out_char(job->out, name.s[i]);
	}
}

static void
put_entry(struct report_job *job, const struct mcplab_scenario *e)
{
	const struct tally_group *g = e->runs;
	struct out *o = job->out;

	out_text(o, "| ");
	put_cell(job, e->names[0]);
	out_text(o, " | ");
	put_cell(job, e->names[1]);
	out_printf(o, " | %zu | %.*s | %zu | %lld |", g->runs,
	    STR_FMT(percent_passed(job->arena, g)), count_sequences(g),
	    (long long)g->used[METRIC_TOOL_CALLS].sum);
	out_line(o);
}

static void
put_line(struct report_job *job, const char *what, struct str text)
{
	out_printf(job->out, "%s: %.*s", what,
	    STR_FMT(layout_clean(job->arena, text, false)));
	out_line(job->out);
}

static void
put_count(struct report_job *job, const char *what, size_t n)
{
	put_line(job, what, str_printf(job->arena, "%zu", n));
}

static void
end_summary(struct report_job *job)
{
	const struct tally *t = job->tally;
	const struct tally_group *total = &t->total;
	struct mcplab_scenarios entries = entries_of(t, job->arena);
	struct arena *a = job->arena;

	out_text(job->out, "# MCP Eval Summary\n\n");
	put_line(job, "Run ID", tally_run_id(t));
	put_line(job, "Timestamp", tally_first_start(t));
	put_line(job, "Config hash", tally_config_hash(t, a));
	put_line(job, "CLI version", STR(MCPLAB_CLI_VERSION));
	out_line(job->out);
	put_count(job, "Total scenarios", entries.n);
	put_count(job, "Total runs", total->runs);
	put_count(job, "Evaluated runs", evaluated(total));
	put_count(job, "Skipped runs", total->runs - evaluated(total));
	put_line(job, "Pass rate", percent_passed(a, total));
	out_text(job->out,
	    "\n| Scenario | Agent | Runs | Pass rate | Distinct sequences | "
	    "Tool calls |\n|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < entries.n; i++)
		put_entry(job, &entries.list[i]);
}

const struct report_format report_mcplab_summary = {
	.name = "mcplab-summary",
	.what = "MCPLab's summary.md",
	.guard = OUT_GUARD_JSON,
	.mute = true,
	.end = end_summary,
};
