/* The json report: one JSON object, described member by member in
 * mcpl-report(1) and report.schema.json. */
#include <math.h>

#include "base/stats.h"
#include "report/format/format.h"
#include "report/table/triggers.h"

static void
put_names(struct out *o, struct str_list by, struct str_list names)
{
	for (size_t i = 0; i < names.n; i++) {
		if (names.list[i].s == NULL)
			continue;
		out_key_str(o, by.list[i]);
		out_json_str(o, names.list[i]);
	}
}

static void
put_statuses(struct out *o, const size_t counts[], enum status last)
{
	for (int s = 0; s <= (int)last; s++)
		out_member_size(o, status_name((enum status)s), counts[s]);
}

static void
put_rate(struct out *o, const struct tally_group *g)
{
	size_t passed = g->status[STATUS_PASSED], n = tally_rated(g);
	struct stats_interval ci = stats_wilson(passed, n);

	out_key(o, "pass_rate");
	if (n == 0) {
		out_json_null(o);
		return;
	}
	out_json_double(o, (double)passed / (double)n);
	out_member_double(o, "pass_rate_low", ci.low);
	out_member_double(o, "pass_rate_high", ci.high);
}

/* Puts the means over the tasks that have k runs; null if no task has. */
static void
put_k(struct out *o, const struct tally *t, const struct tally_group *g)
{
	out_member_begin(o, "k", '[');
	for (size_t i = 0; i < g->n_k; i++) {
		double n = (double)g->k[i].tasks;

		out_begin(o, '{');
		out_member_size(o, "k", t->plan.k[i]);
		out_member_size(o, "tasks", g->k[i].tasks);
		out_member_double(o, "pass_at_k", g->k[i].pass_at / n);
		out_member_double(o, "pass_hat_k", g->k[i].pass_all / n);
		out_end(o, '}');
	}
	out_end(o, ']');
}

/* Puts an amount: a whole number where metric_units() is 1, so that sums of
 * tokens are whole. */
static void
put_amount(struct out *o, const char *key, int64_t amount, int metric)
{
	out_key(o, key);
	metric_write(o, amount, metric);
}

static void
put_sum(struct out *o, const struct tally_sum *s, int metric)
{
	static const struct {
		const char *key;
		double percent;
	} percentiles[] = { { "p50", 50 }, { "p90", 90 }, { "p95", 95 },
		{ "p99", 99 } };

	const struct quantiles *spread = tally_sum_quantiles(s);

	out_begin(o, '{');
	out_member_size(o, "runs", s->runs);
	put_amount(o, "sum", s->sum, metric);
	put_amount(o, "min", spread->low, metric);
	for (size_t i = 0; i < sizeof percentiles / sizeof percentiles[0]; i++)
		put_amount(o, percentiles[i].key,
		    quantiles_percentile(spread, percentiles[i].percent),
		    metric);
	put_amount(o, "max", spread->high, metric);
	out_end(o, '}');
}

/* Puts an object of the sums that some run recorded, by metric. */
static void
put_sums(struct out *o, const char *key, const struct tally_sum *sums, int n)
{
	out_member_begin(o, key, '{');
	for (int i = 0; i < n; i++) {
		if (sums[i].runs == 0 && sums[i].sum == 0)
			continue;
		out_key(o, metric_name(i));
		put_sum(o, &sums[i], i);
	}
	out_end(o, '}');
}

static void
put_tools(struct out *o, const struct bounded_map *tools)
{
	out_member_begin(o, "tools", '[');
	for (size_t i = 0; i < tools->n; i++) {
		const struct tally_tool *t = tools->list[i];

		out_begin(o, '{');
		out_member_str(o, "tool", t->item.key.text);
		out_member_size(o, "runs", t->runs);
		out_member_size(o, "calls", t->calls);
		out_member_size(o, "errors", t->errors);
		if (t->time.runs != 0) {
			out_key(o, "duration_ms");
			put_sum(o, &t->time, METRIC_DURATION);
		}
		out_end(o, '}');
	}
	out_end(o, ']');
}

static void
put_sequences(struct out *o, const struct tally_group *g)
{
	size_t left_out = g->used[METRIC_TOOL_CALLS].runs;

	out_member_begin(o, "sequences", '[');
	for (size_t i = 0; i < tally_group_details(g)->sequences.n; i++) {
		const struct tally_pair *p =
		    tally_group_details(g)->sequences.list[i];

		out_begin(o, '{');
		out_member_str(o, "tools", p->text);
		out_member_size(o, "runs", p->times);
		out_end(o, '}');
		left_out -= p->times;
	}
	out_end(o, ']');
	out_member_size(o, "sequences_left_out", left_out);
}

static void
put_values(struct out *o, const struct bounded_map *values)
{
	out_member_begin(o, "extracted", '[');
	for (size_t i = 0; i < values->n; i++) {
		const struct tally_pair *p = values->list[i];

		out_begin(o, '{');
		out_member_str(o, "name", p->name);
		out_member_str(o, "value", p->text);
		out_member_size(o, "runs", p->times);
		out_end(o, '}');
	}
	out_end(o, ']');
}

static void
put_judge(struct out *o, const struct tally_judge *j)
{
	out_member_begin(o, "judge", '{');
	out_member_size(o, "verdicts", j->verdicts);
	out_member_size(o, "cached", j->cached);
	out_member_size(o, "split", j->split);
	put_sums(o, "usage", j->used, METRIC_TOOL_CALLS);
	put_sums(o, "saved", j->saved, METRIC_TOOL_CALLS);
	out_end(o, '}');
}

static void
put_group(struct out *o, const struct tally *t, const struct tally_group *g)
{
	out_begin(o, '{');
	put_names(o, t->plan.by, g->names);
	if (t->sums) {
		out_key(o, "models");
		out_json_strs(o, (struct str_list){ g->models, g->n_models });
	}
	out_member_size(o, "runs", g->runs);
	put_statuses(o, g->status, STATUS_UNCHECKED);
	out_member_size(o, "not_checked", g->runs - tally_checked(g));
	out_member_size(o, "ended_in_error", g->errors);
	put_rate(o, g);
	out_member_size(o, "tasks", g->tasks);
	out_member_size(o, "flaky", g->flaky);
	put_k(o, t, g);
	out_member_begin(o, "checks", '{');
	put_statuses(o, g->checks, STATUS_SKIPPED);
	out_end(o, '}');
	put_sums(o, "usage", g->used, METRICS);
	put_tools(o, &g->tools);
	put_sequences(o, g);
	put_values(o, &tally_group_details(g)->values);
	tally_calls_write(o, &g->permissions);
	put_judge(o, tally_group_judge(g));
	out_end(o, '}');
}

static void
put_label(struct out *o, struct str label, bool expectation)
{
	out_member_str(o, "label", result_check_bare_label(label, expectation));
	if (expectation)
		out_member_str(o, "source", STR("expectation"));
}

/* Puts what identifies an assertion in every report, and its place. */
static void
put_identity(struct out *o, const struct assertion *it)
{
	out_member_str(o, "scenario_id", it->scenario);
	out_member_str(o, "dialect", it->dialect);
	out_member_str(o, "type", it->type);
	put_label(o, it->label, it->expectation);
	out_member_size(o, "ordinal", it->ordinal);
	out_member_str(o, "at", it->at.text);
}

static void
put_assertion(struct out *o, const struct assertion *it)
{
	out_begin(o, '{');
	put_identity(o, it);
	for (int s = 0; s <= STATUS_SKIPPED; s++)
		out_member_size(o, status_name((enum status)s), it->status[s]);
	out_end(o, '}');
}

/* ---- a comparison ---- */

static void
put_side(
    struct out *o, const char *key, const struct compare_row *row, int side)
{
	out_member_begin(o, key, '{');
	out_member_size(o, "passed", row->passed[side]);
	out_member_size(o, "of", row->n[side]);
	out_end(o, '}');
}

static void
put_test(struct out *o, const struct compare_row *row)
{
	static const char *const tests[] = {
		[COMPARE_FISHER] = "fisher",
		[COMPARE_MCNEMAR] = "mcnemar",
		[COMPARE_MANTEL_HAENSZEL] = "mantel-haenszel",
	};
	static const char *const evidence[] = {
		[EVIDENCE_SIGNIFICANT] = "significant",
		[EVIDENCE_NOISE] = "within_noise",
		[EVIDENCE_FEW] = "too_few_runs",
	};

	if (isnan(row->p))
		return;
	out_member_double(o, "low", stats_round(row->difference.low));
	out_member_double(o, "high", stats_round(row->difference.high));
	out_member_str(o, "test", str_of(tests[row->test]));
	if (row->test == COMPARE_MCNEMAR) {
		out_member_size(o, "pairs", row->pairs);
		out_member_size(o, "lost", row->lost);
		out_member_size(o, "gained", row->gained);
	}
	out_member_double(o, "p", stats_round(row->p));
	if (row->evidence != EVIDENCE_NONE)
		out_member_str(o, "evidence", str_of(evidence[row->evidence]));
}

static void
put_row(struct out *o, const struct compare_row *row)
{
	out_begin(o, '{');
	out_member_str(o, "change", str_of(compare_change_name(row->change)));
	out_member_bool(o, "regression", row->regression);
	if (row->assertion != NULL) {
		put_identity(o, row->assertion);
	} else {
		out_member_str(o, "scenario_id", row->scenario);
		out_member_str(o, "agent", row->agent);
	}
	put_side(o, "was", row, COMPARE_WAS);
	put_side(o, "now", row, COMPARE_NOW);
	put_test(o, row);
	out_end(o, '}');
}

static void
put_rows(struct out *o, const char *key, const struct compare_rows *rows)
{
	out_member_begin(o, key, '{');
	out_member_size(o, "regressions", rows->regressions);
	for (int i = 0; i < CHANGE_COUNT; i++)
		out_member_size(o, compare_change_name((enum compare_change)i),
		    rows->change[i]);
	out_member_begin(o, "rows", '[');
	for (size_t i = 0; i < rows->n; i++)
		put_row(o, &rows->list[i]);
	out_end(o, ']');
	out_end(o, '}');
}

/* Writes an amount or a ratio, unless it is unknown or infinite. */
static void
put_known(struct out *o, const char *key, double n)
{
	if (isfinite(n))
		out_member_double(o, key, stats_round(n));
}

static void
put_where(struct out *o, struct str scenario, bool total, struct str agent)
{
	if (total)
		out_member_bool(o, "total", true);
	out_member_str(o, "scenario_id", scenario);
	out_member_str(o, "agent", agent);
}

static void
put_amount_change(struct out *o, const struct behaviour_amount *row)
{
	static const char *const keys[] = {
		[COMPARE_WAS] = "was", [COMPARE_NOW] = "now"
	};

	out_begin(o, '{');
	out_member_str(o, "change", str_of(behaviour_change_name(row->change)));
	out_member_bool(o, "counts", row->counts);
	put_where(o, row->scenario, row->total, row->agent);
	out_member_str(o, "amount", str_of(behaviour_name(row->amount)));
	for (int side = 0; side < 2; side++) {
		out_member_begin(o, keys[side], '{');
		put_known(o, "mean", row->mean[side]);
		out_member_size(
		    o, row->total ? "scenarios" : "runs", row->n[side]);
		out_end(o, '}');
	}
	put_known(o, "ratio", row->ratio);
	put_known(o, "low", row->low);
	put_known(o, "high", row->high);
	out_end(o, '}');
}

static void
put_tool_change(struct out *o, const struct behaviour_tool *row)
{
	static const char *const keys[] = {
		[COMPARE_WAS] = "was", [COMPARE_NOW] = "now"
	};

	out_begin(o, '{');
	out_member_str(o, "change", str_of(behaviour_change_name(row->change)));
	out_member_bool(o, "counts", row->counts);
	put_where(o, row->scenario, row->total, row->agent);
	out_member_str(o, "tool", row->tool);
	for (int side = 0; side < 2; side++) {
		out_member_begin(o, keys[side], '{');
		out_member_size(o, "runs", row->runs[side]);
		out_member_size(o, "of", row->n[side]);
		out_end(o, '}');
	}
	put_known(o, "p", row->p);
	out_end(o, '}');
}

static void
put_behaviour(struct out *o, const struct behaviour *b)
{
	out_member_begin(o, "behaviour", '{');
	out_member_double(o, "margin", b->margin);
	out_member_size(o, "usage_rises", b->usage);
	out_member_size(o, "tool_changes", b->tool_changes);
	out_member_begin(o, "amounts", '[');
	for (size_t i = 0; i < b->n_amounts; i++)
		put_amount_change(o, &b->amounts[i]);
	out_end(o, ']');
	out_member_begin(o, "tools", '[');
	for (size_t i = 0; i < b->n_tools; i++)
		put_tool_change(o, &b->tools[i]);
	out_end(o, ']');
	out_end(o, '}');
}

static void
put_compare(struct out *o, const struct compare *c)
{
	out_begin(o, '{');
	out_member_double(o, "alpha", c->alpha);
	out_key(o, "all");
	put_row(o, &c->all);
	put_rows(o, "scenarios", &c->scenarios);
	put_rows(o, "assertions", &c->assertions);
	put_behaviour(o, &c->behaviour);
	out_end(o, '}');
}

/* ---- failures ---- */

static void
put_example(struct out *o, const struct failure_run *r)
{
	out_begin(o, '{');
	out_member_str(o, "id", r->id);
	out_member_str(o, "agent", r->agent);
	out_member_str(o, "file", r->file);
	if (r->line > 0)
		out_member_size(o, "line", (size_t)r->line);
	out_member_str(o, "got", r->got);
	if (r->reason.n != 0)
		out_member_str(o, "reason", r->reason);
	out_end(o, '}');
}

static void
put_failure(struct out *o, const struct failure *k)
{
	out_begin(o, '{');
	out_member_str(o, "status", str_of(status_name(k->status)));
	out_member_str(o, "severity", str_of(severity_name(k->severity)));
	out_member_str(o, "scenario_id", k->scenario);
	out_member_str(o, "dialect", k->dialect);
	out_member_str(o, "type", k->type);
	put_label(o, k->label, k->expectation);
	out_member_str(o, "at", k->at);
	out_member_str(o, "reason",
	    k->reason.s != NULL ? k->reason : k->examples[0].reason);
	out_member_size(o, "times", k->times);
	out_member_size(o, "runs", k->runs);
	out_member_begin(o, "first_runs", '[');
	for (size_t i = 0; i < failure_examples(k); i++)
		put_example(o, &k->examples[i]);
	out_end(o, ']');
	out_end(o, '}');
}

static void
put_gate(struct out *o, const struct report_job *job)
{
	out_member_begin(o, "gate", '{');
	out_member_size(o, "exit_status", (size_t)job->verdict.status);
	out_member_str(o, "why", job->verdict.why);
	out_member_begin(o, "fail_on", '[');
	for (int i = 0; i < GATE_CAUSES; i++)
		if (gate_fails_on(job->gate, i))
			out_json_str(o, str_of(gate_cause_name(i)));
	out_end(o, ']');
	if (job->gate->severity != SEVERITY_COUNT)
		out_member_str(
		    o, "severity", str_of(severity_name(job->gate->severity)));
	if (job->gate->fail_under >= 0)
		out_member_double(o, "fail_under", job->gate->fail_under);
	if (job->gate->fail_under_ci >= 0)
		out_member_double(o, "fail_under_ci", job->gate->fail_under_ci);
	out_end(o, '}');
}

static void
put_left_out(struct out *o, const struct failures *f)
{
	out_member_begin(o, "findings_left_out", '{');
	for (int s = STATUS_FAILED; s <= STATUS_SKIPPED; s++)
		out_member_size(o, status_name((enum status)s),
		    failures_left_out(f, (enum status)s));
	out_end(o, '}');
}

/* Puts in how many runs each assertion applied that says so. */
static void
put_applied(struct out *o, const struct bounded_map *applied)
{
	if (applied->n == 0)
		return;
	out_member_begin(o, "applied", '[');
	for (size_t i = 0; i < applied->n; i++) {
		const struct tally_pair *p = applied->list[i];

		out_begin(o, '{');
		out_member_str(o, "label", p->name);
		out_member_str(o, "at", p->text);
		out_member_size(o, "runs", p->times);
		out_member_size(o, "of", p->of);
		out_end(o, '}');
	}
	out_end(o, ']');
}

/* Puts recall and precision of each skill of trigger evals; a rate of nothing is left
 * out. */
static void
put_triggers(struct out *o, const struct tally *t, struct arena *a)
{
	size_t n;
	const struct triggers_row *rows = triggers_rows(a, t, &n);

	if (n == 0)
		return;
	out_member_begin(o, "triggers", '[');
	for (size_t i = 0; i < n; i++) {
		const struct triggers_row *r = &rows[i];

		out_begin(o, '{');
		out_member_str(o, "skill", r->skill);
		out_member_size(o, "queries", r->queries);
		out_member_size(o, "should_trigger", r->wanted);
		out_member_size(o, "triggered", r->hits);
		out_member_size(o, "false_alarms", r->alarms);
		if (r->wanted != 0)
			out_member_double(
			    o, "recall", (double)r->hits / (double)r->wanted);
		if (r->hits + r->alarms != 0)
			out_member_double(o, "precision",
			    (double)r->hits / (double)(r->hits + r->alarms));
		out_end(o, '}');
	}
	out_end(o, ']');
}

static void
end(struct report_job *job)
{
	const struct tally *t = job->tally;
	struct out *o = job->out;

	out_begin(o, '{');
	out_member_str(o, "type", STR("report"));
	out_member_int(o, "v", 1);
	put_gate(o, job);
	out_member_size(o, "other_values", t->other);
	out_key(o, "total");
	put_group(o, t, &t->total);
	out_member_begin(o, "groups", '[');
	for (size_t i = 0; i < t->n; i++)
		put_group(o, t, t->groups[i]);
	out_end(o, ']');
	if (t->unpriced.n != 0)
		tally_put_unpriced(o, t);
	out_member_begin(o, "assertions", '[');
	for (size_t i = 0; i < t->checks.n; i++)
		put_assertion(o, t->checks.list[i]);
	out_end(o, ']');
	put_applied(o, &t->applied);
	put_triggers(o, t, job->arena);
	tally_permissions_write(o, &t->permissions);
	if (job->compare != NULL) {
		out_key(o, "baseline");
		put_compare(o, job->compare);
	}
	if (job->history != NULL) {
		out_key(o, "history");
		history_write(o, job->history);
	}
	if (job->drift != NULL) {
		out_key(o, "drift");
		drift_write(o, job->drift);
	}
	if (job->why != NULL) {
		out_key(o, "why");
		why_write(o, job->why);
	}
	out_member_begin(o, "findings", '[');
	for (size_t i = 0; i < t->failures.n; i++)
		put_failure(o, t->failures.list[i]);
	out_end(o, ']');
	put_left_out(o, &t->failures);
	out_end(o, '}');
	out_line(o);
}

const struct report_format report_json = {
	.name = "json",
	.what = "one JSON object, for programs",
	.guard = OUT_GUARD_JSON,
	.end = end,
};
