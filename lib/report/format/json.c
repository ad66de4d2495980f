/* One JSON object, described member by member in mcpl-report(1). */
#include "report/format/json_parts.h"

static void
put_example(struct out *o, const struct failure_run *r)
{
	out_begin(o, '{');
	out_member_str(o, "id", r->id);
	out_member_str(o, "agent", r->agent);
	out_member_str(o, "file", r->file);
	if (r->line > 0)
		out_member_size(o, "line", (size_t)r->line);
	out_end(o, '}');
}

static void
put_finding(struct out *o, const struct failure *k)
{
	out_begin(o, '{');
	out_member_str(o, "status", str_of(status_name(k->status)));
	out_member_str(o, "severity", str_of(severity_name(k->severity)));
	out_member_str(o, "scenario_id", k->scenario);
	out_member_str(o, "dialect", k->dialect);
	out_member_str(o, "type", k->type);
	out_member_str(o, "label", k->label);
	out_member_str(o, "at", k->at);
	out_member_str(o, "reason", k->reason);
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
	json_put_group(o, t, &t->total);
	out_member_begin(o, "groups", '[');
	for (size_t i = 0; i < t->n; i++)
		json_put_group(o, t, t->groups[i]);
	out_end(o, ']');
	out_member_begin(o, "assertions", '[');
	for (size_t i = 0; i < t->checks.n; i++)
		json_put_assertion(o, t->checks.list[i]);
	out_end(o, ']');
	if (job->compare != NULL) {
		out_key(o, "baseline");
		json_put_compare(o, job->compare);
	}
	if (job->drift != NULL) {
		out_key(o, "drift");
		json_put_drift(o, job->drift);
	}
	out_member_begin(o, "findings", '[');
	for (size_t i = 0; i < t->failures.n; i++)
		put_finding(o, t->failures.list[i]);
	out_end(o, ']');
	put_left_out(o, &t->failures);
	out_end(o, '}');
	out_line(o);
}

const struct report_format report_json = {
	.name = "json",
	.what = "one JSON object, for programs",
	.end = end,
};
