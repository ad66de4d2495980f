#include "extract/run/trace_write.h"

#include "extract/run/put_member.h"
#include "extract/run/trace_step.h"

/* Objects that are JSON already. */
static void
put_list(struct out *o, const char *key, const struct text *objects)
{
	if (objects->s == NULL)
		return;
	out_key(o, key);
	out_begin(o, '[');
	out_json_raw(o, (struct str){ objects->s, objects->n });
	out_end(o, ']');
}

static void
put_workflow(struct out *o, const struct run *run)
{
	if (run->state.s == NULL)
		return;
	out_member_begin(o, "workflow", '{');
	put_body(o, "state", run->state);
	out_member_bool(o, "complete", run->complete);
	put_list(o, "transitions", &run->transitions);
	out_end(o, '}');
}

/* What it used is added to the total. */
static void
put_turn(struct out *o, const struct trace_options *options,
    const struct turn *turn, struct trace_sums *total)
{
	struct trace_sums sums = { 0 };

	trace_sum(&sums, turn, 0);
	out_begin(o, '{');
	put_text(o, "prompt", &turn->prompt);
	put_body(o, "ts", turn->first.text);
	put_true(o, "abandoned", !turn->current);
	out_member_begin(o, "steps", '[');
	trace_steps(o, turn, options->results, 0);
	out_end(o, ']');
	put_usage(o, &sums.usage);
	usage_add(&total->usage, &sums.usage);
	total->partial |= sums.partial;
	put_body(o, "state", turn->state);
	put_list(o, "guardrails", &turn->guardrails);
	if (turn->duration.s != NULL)
		put_value(o, "duration_ms", turn->duration);
	else if (turn->first.ms != turn->last.ms) /* of one time is none */
		put_span(o, "duration_ms", &turn->first, &turn->last);
	out_end(o, '}');
}

/* ---- the record ---- */

/* The turns of a part are those from `from` to before `to`. */
struct extent {
	const struct turn *from, *to;
	bool whole, at_end; /* all of the main agent's turns; its last */
	struct moment first, last;
	const struct turn *prompt; /* that the record's prompt is of */
	const struct step *final;  /* the last text */
	bool cut;                  /* some text or result is */
};

static struct extent
metric(const struct trace_part *part, size_t limit)
{
	bool main = part->thread == &part->run->main;
	struct extent e = { .from = part->thread->turns };
	bool unprompted = main && part->turn == NULL && part->run->unprompted;

	if (part->turn != NULL) {
		e.from = part->turn;
		e.to = part->turn->next;
	}
	e.whole = main && part->turn == NULL;
	e.at_end = main && e.to == NULL;
	for (const struct turn *t = e.from; t != e.to; t = t->next) {
		const struct step *said = run_last_text(t);

		e.cut = e.cut || trace_is_cut(t, limit, 0);
		if (t->first.text.s != NULL &&
		    (e.first.text.s == NULL || t->first.ms < e.first.ms))
			e.first = t->first;
		if (t->last.text.s != NULL &&
		    (e.last.text.s == NULL || t->last.ms > e.last.ms))
			e.last = t->last;
		if (!t->current && part->turn == NULL)
			continue;
		unprompted |=
		    e.prompt == NULL && t->begun && t->prompt.s == NULL;
		if (e.prompt == NULL && t->prompt.s != NULL && !unprompted)
			e.prompt = t;
		if (said != NULL)
			e.final = said;
	}
	return e;
}

static void
put_source(struct out *o, const char *format, const struct trace_part *part)
{
	const struct thread *t = part->thread;

	out_member_begin(o, "source", '{');
	out_member_str(o, "format", str_of(format));
	if (t->file != NULL) {
		out_member_str(o, "file", str_of(t->file));
		out_member_int(o, "line",
		    (int64_t)(part->turn == NULL ? t->line : part->turn->line));
	}
	out_end(o, '}');
}

static void
put_or(struct out *o, const char *key, const char *given, struct str logged)
{
	if (given == NULL) {
		put_value(o, key, logged);
		return;
	}
	out_key(o, key);
	out_json_str(o, str_of(given));
}

static void
put_times(struct out *o, const struct run *run, const struct extent *e)
{
	bool start = e->whole && run->start.text.s != NULL;
	bool end = e->whole && run->end.text.s != NULL;
	const struct moment *first = start ? &run->start : &e->first;
	const struct moment *last = end ? &run->end : &e->last;

	put_body(o, "ts_start", first->text);
	put_body(o, "ts_end", last->text);
	if (e->whole && run->members[RUN_DURATION].s != NULL)
		put_value(o, "duration_ms", run->members[RUN_DURATION]);
	else if ((start && end) || first->ms != last->ms)
		put_span(o, "duration_ms", first, last);
}

/* What the log lacks of the members that are named: see cut in the page. */
static void
put_cut(struct out *o, const struct run *run, const struct extent *e,
    bool final_cut)
{
	bool broken = e->at_end && run->broken;
	bool prompt_cut = e->prompt != NULL && e->prompt->cut;

	if (!prompt_cut && !final_cut && !e->cut && !broken)
		return;
	out_member_begin(o, "cut", '[');
	if (prompt_cut)
		out_json_str(o, STR("prompt"));
	if (final_cut || broken)
		out_json_str(o, STR("final_text"));
	if (broken)
		out_json_str(o, STR("tool_sequence"));
	if (e->cut || broken)
		out_json_str(o, STR("turns"));
	out_end(o, ']');
}

static void
put_texts(struct out *o, const struct run *run, const struct extent *e)
{
	struct str final = run->members[RUN_FINAL];
	bool given = e->at_end && final.s != NULL;

	if (e->prompt != NULL)
		put_text(o, "prompt", &e->prompt->prompt);
	if (given)
		put_value(o, "final_text", final);
	else if (e->final != NULL)
		put_text(o, "final_text", &e->final->text);
	put_cut(o, run, e, !given && e->final != NULL && e->final->cut);
}

static void
put_turns(struct out *o, const struct trace_options *options,
    const struct run *run, const struct extent *e, struct trace_sums *total)
{
	if (!run->no_calls) {
		out_member_begin(o, "tool_sequence", '[');
		for (const struct turn *t = e->from; t != e->to; t = t->next)
			trace_tools(o, t, 0);
		out_end(o, ']');
	}
	out_member_begin(o, "turns", '[');
	for (const struct turn *t = e->from; t != e->to; t = t->next)
		put_turn(o, options, t, total);
	out_end(o, ']');
	put_usage(o, &total->usage);
}

static void
put_models(struct out *o, const struct run_item *models)
{
	if (models == NULL || models->next == NULL)
		return;
	out_member_begin(o, "models", '[');
	for (; models != NULL; models = models->next)
		out_body(o, models->name);
	out_end(o, ']');
}

static void
put_meta(struct out *o, const struct trace_part *part, bool partial)
{
	const struct run_item *models = part->thread->models;
	const struct run_item *m = part->run->meta;

	if (m == NULL && (models == NULL || models->next == NULL) && !partial &&
	    part->parent.s == NULL)
		return;
	out_member_begin(o, "meta", '{');
	for (; m != NULL; m = m->next) {
		out_key_str(o, m->name);
		out_json_raw(o, m->value);
	}
	put_models(o, models);
	put_true(o, "output_tokens_partial", partial);
	put_body(o, "parent_run", part->parent);
	if (part->parent.s != NULL) {
		put_body(o, "parent_call", part->thread->parent);
		put_body(o, "agent_id", part->thread->id);
	}
	out_end(o, '}');
}

void
trace_write(struct out *o, const struct trace_options *options,
    const struct trace_part *part)
{
	const struct run *run = part->run;
	const struct str *m = run->members;
	struct extent e = metric(part, options->results);
	struct trace_sums total = { 0 };

	out_begin(o, '{');
	put_value(o, "type", STR("\"trace\""));
	put_value(o, "v", STR("1"));
	put_body(o, "id", part->id);
	put_or(o, "scenario_id", options->scenario, m[RUN_SCENARIO]);
	put_value(o, "run_index", m[RUN_INDEX]);
	put_or(o, "agent", options->agent, m[RUN_AGENT]);
	put_value(o, "provider", m[RUN_PROVIDER]);
	if (part->thread->models != NULL)
		put_body(o, "model", part->thread->models->name);
	put_source(o, options->format, part);
	put_times(o, run, &e);
	if (e.at_end)
		put_value(o, "error", m[RUN_ERROR]);
	put_texts(o, run, &e);
	put_turns(o, options, run, &e, &total);
	if (e.at_end)
		put_workflow(o, run);
	put_meta(o, part, total.partial);
	out_end(o, '}');
	out_line(o);
}
