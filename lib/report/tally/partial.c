#include "report/tally/partial.h"

/* Writes a list of numbers, one for each status, behind the key if there is
 * one. */
static void
put_counts(struct out *o, const char *key, const size_t counts[STATUS_COUNT])
{
	if (key != NULL)
		out_key(o, key);
	out_begin(o, '[');
	for (int i = 0; i < STATUS_COUNT; i++)
		out_json_int(o, (int64_t)counts[i]);
	out_end(o, ']');
}

/* Writes a sum; {} if nothing recorded the amount. */
static void
put_sum(struct out *o, const struct tally_sum *s)
{
	const struct quantiles *spread = tally_sum_quantiles(s);

	out_begin(o, '{');
	if (s->runs != 0 || s->sum != 0) {
		out_member_size(o, "runs", s->runs);
		out_member_int(o, "sum", s->sum);
		out_member_bool(o, "rounded", spread->rounded);
		out_member_int(o, "low", spread->low);
		out_member_int(o, "high", spread->high);
		out_member_begin(o, "bins", '[');
		for (size_t i = 0; i < spread->n; i++) {
			out_json_int(o, spread->bins[i].amount);
			out_json_int(o, (int64_t)spread->bins[i].times);
		}
		out_end(o, ']');
	}
	out_end(o, '}');
}

static void
put_sums(struct out *o, const char *key, const struct tally_sum *sums, size_t n)
{
	out_member_begin(o, key, '[');
	for (size_t i = 0; i < n; i++)
		put_sum(o, &sums[i]);
	out_end(o, ']');
}

/* Writes the sums of squares, each as four numbers of 32 bits. */
static void
put_squares(struct out *o, const struct tally_group *g)
{
	out_member_begin(o, "squares", '[');
	for (int i = 0; i < AMOUNTS && g->squares != NULL; i++) {
		struct wide w = g->squares[i];

		out_json_int(o, (int64_t)(w.high >> 32));
		out_json_int(o, (int64_t)(w.high & UINT32_MAX));
		out_json_int(o, (int64_t)(w.low >> 32));
		out_json_int(o, (int64_t)(w.low & UINT32_MAX));
	}
	out_end(o, ']');
}

static void
put_tools(struct out *o, const struct bounded_map *tools)
{
	out_member_begin(o, "tools", '[');
	for (size_t i = 0; i < tools->n; i++) {
		const struct tally_tool *t = tools->list[i];

		out_begin(o, '{');
		out_member_str(o, "tool", t->item.key.text);
		out_member_size(o, "calls", t->calls);
		out_member_size(o, "errors", t->errors);
		out_member_size(o, "runs", t->runs);
		out_key(o, "time");
		put_sum(o, &t->time);
		out_end(o, '}');
	}
	out_end(o, ']');
	out_member_bool(o, "tools_full", tools->full);
}

static void
put_pairs(struct out *o, const char *key, const struct bounded_map *pairs)
{
	out_member_begin(o, key, '{');
	out_member_bool(o, "full", pairs->full);
	out_member_begin(o, "list", '[');
	for (size_t i = 0; i < pairs->n; i++) {
		const struct tally_pair *p = pairs->list[i];

		out_begin(o, '{');
		out_member_str(o, "name", p->name);
		out_member_str(o, "text", p->text);
		out_member_size(o, "times", p->times);
		if (p->of != 0)
			out_member_size(o, "of", p->of);
		out_end(o, '}');
	}
	out_end(o, ']');
	out_end(o, '}');
}

static void
put_judge(struct out *o, const struct tally_judge *j)
{
	out_member_begin(o, "judge", '{');
	out_member_size(o, "verdicts", j->verdicts);
	out_member_size(o, "cached", j->cached);
	out_member_size(o, "split", j->split);
	put_sums(o, "used", j->used, METRIC_TOOL_CALLS);
	put_sums(o, "saved", j->saved, METRIC_TOOL_CALLS);
	out_end(o, '}');
}

static void
put_answer(struct out *o, const struct tally_answer *it)
{
	out_member_begin(o, "answer", '{');
	out_member_str(o, "text", it->text.text);
	out_member_str(o, "start", it->start.text);
	out_member_str(o, "agent", it->agent.text);
	out_member_str(o, "id", it->id.text);
	out_member_int(o, "run_index", it->run_index);
	out_end(o, '}');
}

static void
put_task(struct out *o, const struct tally_group *g)
{
	out_begin(o, '{');
	out_member_begin(o, "names", '[');
	for (size_t i = 0; i < g->names.n; i++) {
		if (g->names.list[i].s == NULL)
			out_json_null(o);
		else
			out_json_str(o, g->names.list[i]);
	}
	out_end(o, ']');
	out_member_size(o, "runs", g->runs);
	put_counts(o, "status", g->status);
	put_counts(o, "checks", g->checks);
	out_member_size(o, "errors", g->errors);
	out_member_size(o, "assertion_failures", g->assertion_failures);
	put_sums(o, "used", g->used, METRICS);
	out_key(o, "failed_calls");
	put_sum(o, &g->used[AMOUNT_FAILED_CALLS]);
	out_key(o, "answer_chars");
	put_sum(o, &g->used[AMOUNT_ANSWER]);
	put_squares(o, g);
	put_tools(o, &g->tools);
	tally_calls_write(o, &g->permissions);
	put_pairs(o, "sequences", &tally_group_details(g)->sequences);
	put_pairs(o, "values", &tally_group_details(g)->values);
	put_judge(o, tally_group_judge(g));
	put_answer(o, &tally_group_details(g)->answer);
	out_end(o, '}');
}

static void
put_identity(struct out *o, struct str scenario, struct str dialect,
    struct str type, struct str label)
{
	out_member_str(o, "scenario", scenario);
	out_member_str(o, "dialect", dialect);
	out_member_str(o, "type", type);
	out_member_str(o, "label", label);
}

static void
put_expectation(struct out *o, bool expectation)
{
	if (expectation)
		out_member_bool(o, "expectation", true);
}

static void
put_assertion(struct out *o, const struct assertion *it)
{
	out_begin(o, '{');
	put_identity(o, it->scenario, it->dialect, it->type, it->label);
	put_expectation(o, it->expectation);
	out_member_size(o, "ordinal", it->ordinal);
	out_member_str(o, "at", it->at.text);
	out_member_str(o, "expected", it->expected.text);
	put_counts(o, "status", it->status);
	out_end(o, '}');
}

static void
put_run(struct out *o, const struct failure_run *r)
{
	out_begin(o, '{');
	out_member_str(o, "id", r->id);
	out_member_str(o, "agent", r->agent);
	out_member_str(o, "file", r->file);
	out_member_str(o, "got", r->got);
	if (r->reason.n != 0)
		out_member_str(o, "reason", r->reason);
	out_member_int(o, "run_index", r->run_index);
	out_member_int(o, "line", r->line);
	out_end(o, '}');
}

static void
put_failure(struct out *o, const struct failure *k)
{
	out_begin(o, '{');
	out_member_str(o, "status", str_of(status_name(k->status)));
	if (k->severity != SEVERITY_ERROR)
		out_member_str(
		    o, "severity", str_of(severity_name(k->severity)));
	put_identity(o, k->scenario, k->dialect, k->type, k->label);
	put_expectation(o, k->expectation);
	out_member_str(o, "at", k->at);
	out_member_str(o, "reason", k->reason);
	out_member_size(o, "runs", k->runs);
	out_member_size(o, "times", k->times);
	out_member_begin(o, "examples", '[');
	for (size_t i = 0; i < failure_examples(k); i++)
		put_run(o, &k->examples[i]);
	out_end(o, ']');
	out_end(o, '}');
}

static void
put_failures(struct out *o, struct failures *f)
{
	failures_sort(f);
	out_member_begin(o, "findings", '[');
	for (size_t i = 0; i < f->n; i++)
		put_failure(o, f->list[i]);
	out_end(o, ']');
	out_member_begin(o, "findings_left_out", '[');
	for (int s = 0; s < STATUS_COUNT; s++)
		out_json_int(o, (int64_t)failures_left_out(f, (enum status)s));
	out_end(o, ']');
}

void
partial_runs_begin(struct out *o, struct str partial)
{
	out_begin(o, '{');
	out_member_str(o, "type", STR("runs"));
	out_member_int(o, "v", 1);
	out_member_str(o, "of", partial);
	out_end(o, '}');
	out_line(o);
}

void
partial_write(struct out *o, struct tally *t, const struct part *runs)
{
	tally_groups_sort(t->tasks, t->n_tasks);
	out_begin(o, '{');
	out_member_str(o, "type", STR("partial"));
	out_member_int(o, "v", 1);
	out_key(o, "by");
	out_json_strs(o, t->task_by);
	parts_write(o, &t->parts, &t->own);
	if (runs != NULL) {
		out_key(o, "runs");
		part_write(o, runs);
	}
	out_member_size(o, "other", t->other);
	if (t->filtered != 0)
		out_member_size(o, "filtered", t->filtered);
	out_member_str(o, "run_id", t->run_id.text);
	out_member_str(o, "first_start", t->first_start.text);
	out_member_str(o, "last_start", t->last_start.text);
	out_member_begin(o, "tasks", '[');
	for (size_t i = 0; i < t->n_tasks; i++)
		put_task(o, t->tasks[i]);
	out_end(o, ']');
	out_member_begin(o, "assertions", '[');
	for (size_t i = 0; i < t->checks.n; i++)
		put_assertion(o, t->checks.list[i]);
	out_end(o, ']');
	out_member_bool(o, "assertions_full", t->checks.full);
	out_member_begin(o, "at_least", '[');
	for (int i = 0; i < SEVERITY_COUNT; i++)
		put_counts(o, NULL, t->at_least[i]);
	out_end(o, ']');
	if (t->by_author != 0)
		out_member_size(o, "by_author", t->by_author);
	put_pairs(o, "steps", &t->steps);
	if (t->applied.n != 0)
		put_pairs(o, "applied", &t->applied);
	if (t->triggers.n != 0)
		put_pairs(o, "triggers", &t->triggers);
	tally_permissions_write(o, &t->permissions);
	out_member_begin(o, "judges", '[');
	for (size_t i = 0; i < t->judges.n; i++)
		out_json_str(o,
		    ((struct bounded_map_item *)t->judges.list[i])->key.text);
	out_end(o, ']');
	if (t->judges.full)
		out_member_bool(o, "judges_full", true);
	if (t->unpriced.n != 0)
		tally_put_unpriced(o, t);
	put_failures(o, &t->failures);
	out_end(o, '}');
	out_line(o);
}
