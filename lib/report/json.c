/* One JSON object, described member by member in mcpl-report(1). */
#include "../report.h"
#include "../stats.h"

static void
put_text(struct out *o, const char *key, struct str text)
{
	if (text.s == NULL)
		return;
	out_key(o, key);
	out_json_str(o, text);
}

static void
put_count(struct out *o, const char *key, size_t n)
{
	out_key(o, key);
	out_json_int(o, (int64_t)n);
}

static void
put_statuses(struct out *o, const size_t counts[], enum status last)
{
	for (int s = 0; s <= (int)last; s++)
		put_count(o, status_name((enum status)s), counts[s]);
}

static void
put_double(struct out *o, const char *key, double value)
{
	out_key(o, key);
	out_json_double(o, value);
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
	put_double(o, "pass_rate_low", ci.low);
	put_double(o, "pass_rate_high", ci.high);
}

static void
put_usage(struct out *o, const struct tally_group *g)
{
	out_key(o, "usage");
	out_begin(o, '{');
	for (int i = 0; i < MEASURES; i++) {
		if (g->used[i].runs == 0)
			continue;
		out_key(o, measure_name(i));
		out_begin(o, '{');
		put_count(o, "runs", g->used[i].runs);
		out_key(o, "sum");
		if (measure_units(i) == 1)
			out_json_int(o, g->used[i].sum);
		else
			out_json_double(
			    o, (double)g->used[i].sum / measure_units(i));
		out_end(o, '}');
	}
	out_end(o, '}');
}

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
put_group(struct out *o, struct str_list by, const struct tally_group *g)
{
	out_begin(o, '{');
	put_names(o, by, g->names);
	put_count(o, "runs", g->runs);
	put_statuses(o, g->status, STATUS_UNCHECKED);
	put_count(o, "not_checked", g->runs - tally_checked(g));
	put_count(o, "ended_in_error", g->errors);
	put_rate(o, g);
	out_key(o, "checks");
	out_begin(o, '{');
	put_statuses(o, g->checks, STATUS_SKIPPED);
	out_end(o, '}');
	put_usage(o, g);
	out_end(o, '}');
}

static void
put_example(struct out *o, const struct finding_run *r)
{
	out_begin(o, '{');
	put_text(o, "id", r->id);
	put_text(o, "agent", r->agent);
	put_text(o, "file", r->file);
	if (r->line > 0)
		put_count(o, "line", (size_t)r->line);
	out_end(o, '}');
}

static void
put_finding(struct out *o, const struct finding *k)
{
	out_begin(o, '{');
	put_text(o, "status", str_of(status_name(k->status)));
	put_text(o, "scenario_id", k->scenario);
	put_text(o, "dialect", k->dialect);
	put_text(o, "type", k->type);
	put_text(o, "label", k->label);
	put_text(o, "at", k->at);
	put_text(o, "reason", k->reason);
	put_count(o, "times", k->times);
	put_count(o, "runs", k->runs);
	out_key(o, "first_runs");
	out_begin(o, '[');
	for (size_t i = 0; i < finding_examples(k); i++)
		put_example(o, &k->examples[i]);
	out_end(o, ']');
	out_end(o, '}');
}

static void
put_gate(struct out *o, const struct report_job *job)
{
	out_key(o, "gate");
	out_begin(o, '{');
	put_count(o, "exit_status", (size_t)job->verdict.status);
	put_text(o, "why", job->verdict.why);
	out_key(o, "fail_on");
	out_begin(o, '[');
	for (int s = 0; s < STATUS_COUNT; s++)
		if (gate_fails_on(job->gate, (enum status)s))
			out_json_str(o, str_of(status_name((enum status)s)));
	out_end(o, ']');
	if (job->gate->fail_under >= 0)
		put_double(o, "fail_under", job->gate->fail_under);
	out_end(o, '}');
}

static void
put_left_out(struct out *o, const struct findings *f)
{
	out_key(o, "findings_left_out");
	out_begin(o, '{');
	for (int s = STATUS_FAILED; s <= STATUS_SKIPPED; s++)
		put_count(o, status_name((enum status)s),
		    findings_left_out(f, (enum status)s));
	out_end(o, '}');
}

static void
end(struct report_job *job)
{
	const struct tally *t = job->tally;
	struct out *o = job->out;

	out_begin(o, '{');
	put_text(o, "type", STR("report"));
	put_count(o, "v", 1);
	put_gate(o, job);
	put_count(o, "other_values", t->other);
	out_key(o, "total");
	put_group(o, t->plan.by, &t->total);
	out_key(o, "groups");
	out_begin(o, '[');
	for (size_t i = 0; i < t->n; i++)
		put_group(o, t->plan.by, t->groups[i]);
	out_end(o, ']');
	out_key(o, "findings");
	out_begin(o, '[');
	for (size_t i = 0; i < t->findings.n; i++)
		put_finding(o, t->findings.list[i]);
	out_end(o, ']');
	put_left_out(o, &t->findings);
	out_end(o, '}');
	out_line(o);
}

const struct report report_json = {
	.name = "json",
	.what = "one JSON object, for programs",
	.end = end,
};
