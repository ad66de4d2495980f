#include "extract/run/trace_write.h"

#include "extract/run/put_member.h"
#include "extract/run/step_result.h"
#include "extract/run/usage_sums.h"
#include "trace/prices.h"

enum { NESTING_MAX = 100 }; /* of sub-agents; JSON readers limit depth */

/* ---- members, each left out if there is nothing to write ---- */

static void
put_text(struct out *o, const char *key, const struct text *t)
{
	put_body(o, key, (struct str){ t->s, t->n });
}

/* Writes the milliseconds from `first` to `last`. */
static void
put_span(struct out *o, const char *key, const struct moment *first,
    const struct moment *last)
{
	if (first->text.s == NULL || last->text.s == NULL ||
	    last->ms < first->ms)
		return;
	out_member_int(o, key, last->ms - first->ms);
}

/* Returns the first turn of the sub-agents that the step started, or NULL; also
 * NULL at a depth beyond which a reader of JSON would not follow. */
static const struct turn *
first_inner(const struct step *s, unsigned depth)
{
	const struct thread *t = depth == NESTING_MAX ? NULL : s->started;

	while (t != NULL && t->turns == NULL)
		t = t->sibling;
	return t == NULL ? NULL : t->turns;
}

/* Returns the turn after `turn` in the sequence that first_inner begins. */
static const struct turn *
next_inner(const struct turn *turn)
{
	const struct thread *t = turn->thread;

	if (turn->next != NULL)
		return turn->next;
	do
		t = t->sibling;
	while (t != NULL && t->turns == NULL);
	return t == NULL ? NULL : t->turns;
}

/* ---- steps ---- */

/* Returns whether the step's text or result is written incompletely. */
static bool
is_cut(const struct step *s, size_t limit)
{
	if (!s->is_call)
		return s->cut;
	return step_result_is_longer(s->result, limit) ||
	    (s->cut && limit != 0);
}

/* Writes the number of the step's message and the step's agent, and lists the
 * members of the step that are incomplete. */
static void
put_step_cut(struct out *o, const struct step *s, size_t limit)
{
	bool cut = is_cut(s, limit);

	if (s->number != 0)
		out_member_number(o, STR("message"), (int64_t)s->number - 1);
	put_body(o, "agent", run_step_agent(s));
	if (s->by_user)
		out_member_str(o, "by", STR("user"));
	if (!cut && !s->args_cut)
		return;
	out_member_begin(o, "cut", '[');
	if (s->args_cut)
		out_json_str(o, STR("args"));
	if (cut)
		out_json_str(o, s->is_call ? STR("result") : STR("text"));
	out_end(o, ']');
}

static void
put_duration(struct out *o, const struct step *s)
{
	bool wall = s->duration.s == NULL && s->ts.text.s != NULL &&
	    s->end.text.s != NULL && s->end.ms > s->ts.ms;

	put_value(o, "duration_ms", s->duration);
	if (wall)
		put_span(o, "duration_ms", &s->ts, &s->end);
	put_true(o, "wall", wall);
}

static void put_steps(
    struct out *, const struct turn *, size_t limit, unsigned depth);

static void
put_started(struct out *o, const struct step *s, size_t limit, unsigned depth)
{
	if (s->started == NULL || depth == NESTING_MAX)
		return;
	out_member_begin(o, "steps", '[');
	for (const struct turn *n = first_inner(s, depth); n != NULL;
	     n = next_inner(n))
		put_steps(o, n, limit, depth + 1);
	out_end(o, ']');
}

static void
put_call(struct out *o, const struct step *s, size_t limit, unsigned depth)
{
	put_body(o, "tool", s->tool);
	put_body(o, "id", s->id);
	put_body(o, "server", s->server);
	put_body(o, "name", s->name);
	put_value(o, "args", s->args);
	if (s->result.n != 0)
		step_result_put(o, s->result, limit);
	if (s->is_error != NULL)
		put_value(o, "is_error", str_of(s->is_error));
	put_duration(o, s);
	put_body(o, "ts", s->ts.text);
	put_step_cut(o, s, limit);
	put_true(o, "pending", s->pending);
	put_started(o, s, limit, depth);
}

static void
put_steps(struct out *o, const struct turn *turn, size_t limit, unsigned depth)
{
	for (const struct step *s = turn->steps; s != NULL; s = s->next) {
		out_begin(o, '{');
		if (s->is_call) {
			put_call(o, s, limit, depth);
		} else {
			put_text(o, "text", &s->text);
			put_step_cut(o, s, limit);
		}
		out_end(o, '}');
	}
}

struct trace_sums {
	struct usage_sums counted, repeated; /* repeated: by earlier runs */
	bool partial; /* some output was counted before it was complete */
	struct prices *prices; /* NULL: no cost is estimated */
	struct str provider;
	struct str model; /* the record's; empty: several or none */
	bool unpriced;    /* the cost of some tokens cannot be estimated */
	struct arena *arena;
};

/* Adds the usage of a message, with its cost if that is to be estimated. */
static void
add_message(struct trace_sums *sums, const struct turn_usage *u,
    const struct thread *thread)
{
	const struct run_item *model = u->model;
	struct str name;
	struct usage priced;

	if (model == NULL && thread->models != NULL &&
	    thread->models->next == NULL)
		model = thread->models;
	name = model != NULL ? model->name : (struct str){ 0 };
	sums->partial |= u->partial;
	if (sums->prices != NULL) {
		priced = u->usage;
		sums->unpriced |=
		    !prices_add(sums->prices, &priced, name, sums->provider);
	}
	usage_sums_add(u->repeated ? &sums->repeated : &sums->counted, name,
	    sums->prices == NULL ? &u->usage : &priced, sums->arena);
}

/* Removes the estimate if it is only of a part of the tokens. */
static void
forget_part(struct trace_sums *sums, struct usage *u)
{
	static const struct usage cost = { .known = 1U << USAGE_COST };

	if (sums->unpriced && u->estimated) {
		usage_forget(u, &cost);
		u->estimated = false;
	}
}

/* ---- walks over a turn and its sub-agents; depth is 0 at first ---- */

static void
put_tools(struct out *o, const struct turn *turn, unsigned depth)
{
	for (const struct step *s = turn->steps; s != NULL; s = s->next) {
		if (s->is_call && !s->by_user)
			out_body(o, s->tool);
		for (const struct turn *n = first_inner(s, depth); n != NULL;
		     n = next_inner(n))
			put_tools(o, n, depth + 1);
	}
}

/* Returns whether the log names the tool of each call of the agent. */
static bool
has_names(const struct turn *turn, unsigned depth)
{
	for (const struct step *s = turn->steps; s != NULL; s = s->next) {
		if (s->is_call && !s->by_user && s->tool.n == 0)
			return false;
		for (const struct turn *n = first_inner(s, depth); n != NULL;
		     n = next_inner(n))
			if (!has_names(n, depth + 1))
				return false;
	}
	return true;
}

static bool
has_cut(const struct turn *turn, size_t limit, unsigned depth)
{
	for (const struct step *s = turn->steps; s != NULL; s = s->next) {
		if (is_cut(s, limit) || s->args_cut)
			return true;
		for (const struct turn *n = first_inner(s, depth); n != NULL;
		     n = next_inner(n))
			if (has_cut(n, limit, depth + 1))
				return true;
	}
	return false;
}

static void
add_usage(struct trace_sums *sums, const struct turn *turn, unsigned depth)
{
	for (struct turn_usage *u = turn->usages; u != NULL; u = u->next)
		add_message(sums, u, turn->thread);
	for (const struct step *s = turn->steps; s != NULL; s = s->next)
		for (const struct turn *n = first_inner(s, depth); n != NULL;
		     n = next_inner(n))
			add_usage(sums, n, depth + 1);
}

/* ---- turns and workflow ---- */

/* Writes a list of objects that are JSON text already. */
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

/* Writes the turn and adds its usage to the total. */
static void
put_turn(struct out *o, const struct trace_options *options,
    const struct turn *turn, struct trace_sums *total)
{
	struct trace_sums sums = { .prices = total->prices,
		.provider = total->provider,
		.arena = total->arena };
	struct usage used;

	add_usage(&sums, turn, 0);
	used = usage_sums_total(&sums.counted, &sums.repeated);
	forget_part(&sums, &used);
	usage_sums_merge(&total->counted, &sums.counted, total->arena);
	usage_sums_merge(&total->repeated, &sums.repeated, total->arena);
	out_begin(o, '{');
	put_text(o, "prompt", &turn->prompt);
	put_body(o, "ts", turn->first.text);
	put_true(o, "abandoned", !turn->current);
	out_member_begin(o, "steps", '[');
	put_steps(o, turn, options->results, 0);
	out_end(o, ']');
	if (used.known != 0) {
		out_key(o, "usage");
		usage_write(o, &used);
	}
	total->partial |= sums.partial;
	total->unpriced |= sums.unpriced;
	put_body(o, "state", turn->state);
	put_list(o, "guardrails", &turn->guardrails);
	if (turn->duration.s != NULL)
		put_value(o, "duration_ms", turn->duration);
	else if (turn->first.ms != turn->last.ms) /* one time stamp gives no
						   * duration */
		put_span(o, "duration_ms", &turn->first, &turn->last);
	out_end(o, '}');
}

/* ---- the record ---- */

/* The turns of a record, from `from` to before `to`, and what they have in
 * common. */
struct summary {
	const struct turn *from, *to;
	bool main;          /* they are the main agent's */
	bool whole, at_end; /* whole: all turns of the main agent; at_end:
			     * includes its last turn */
	bool broken;        /* the log breaks off in these turns */
	unsigned lost;      /* RUN_LOST_..., with what was not read */
	struct moment first, last;
	const struct turn *prompt; /* the turn whose prompt is the record's */
	const struct step *final;  /* the last text of the assistant */
	const char *ended;         /* why the model stopped, if not by itself */
	bool cut;                  /* a text or result is incomplete */
};

static struct summary
summarize(const struct trace_part *part, size_t limit)
{
	bool main = part->thread == &part->run->main;
	struct summary e = { .from = part->thread->turns, .main = main };
	bool unprompted = main && part->turn == NULL && part->run->unprompted;

	if (part->turn != NULL) {
		e.from = part->turn;
		e.to = part->turn->next;
	}
	e.whole = main && part->turn == NULL;
	e.at_end = main && e.to == NULL;
	e.lost = part->run->lost;
	/* Without a main agent, the log is that of sub-agents. */
	e.broken = part->run->broken && e.to == NULL &&
	    (main || (!part->run->has_main && part->thread->next == NULL));
	for (const struct turn *t = e.from; t != e.to; t = t->next) {
		const struct step *said = run_last_text(t);

		e.cut = e.cut || has_cut(t, limit, 0);
		if (t->first.text.s != NULL &&
		    (e.first.text.s == NULL || t->first.ms < e.first.ms))
			e.first = t->first;
		if (t->last.text.s != NULL &&
		    (e.last.text.s == NULL || t->last.ms > e.last.ms))
			e.last = t->last;
		if (!t->current && part->turn == NULL)
			continue;
		unprompted |=
		    e.prompt == NULL && t->by_input && t->prompt.s == NULL;
		if (e.prompt == NULL && t->prompt.s != NULL && !unprompted)
			e.prompt = t;
		if (said != NULL)
			e.final = said;
		if (t->steps != NULL || t->ended != NULL)
			e.ended = t->ended;
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
put_times(struct out *o, const struct run *run, const struct summary *e)
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

/* Lists the members that are incomplete in the log: see `cut` in mcpl-trace(5). */
static void
put_cut(struct out *o, const struct summary *e, bool final_cut)
{
	bool broken = e->broken;
	bool prompt_cut = e->prompt != NULL && e->prompt->cut;

	if (!prompt_cut && !final_cut && !e->cut && !broken && e->lost == 0)
		return;
	out_member_begin(o, "cut", '[');
	if (prompt_cut)
		out_json_str(o, STR("prompt"));
	if (final_cut || broken || e->lost & RUN_LOST_TEXT)
		out_json_str(o, STR("final_text"));
	if (broken || e->lost & RUN_LOST_CALL)
		out_json_str(o, STR("tool_sequence"));
	if (e->cut || broken || e->lost != 0)
		out_json_str(o, STR("turns"));
	out_end(o, ']');
}

static void
put_texts(struct out *o, const struct run *run, const struct summary *e)
{
	struct str final = run->members[RUN_FINAL];
	bool given = e->at_end && final.s != NULL;

	if (e->prompt != NULL)
		put_text(o, "prompt", &e->prompt->prompt);
	if (e->main && run->system.n != 0)
		put_text(o, "system", &run->system);
	if (given)
		put_value(o, "final_text", final);
	else if (e->final != NULL)
		put_text(o, "final_text", &e->final->text);
	put_cut(o, e, !given && e->final != NULL && e->final->cut);
}

/* Writes the names of the called tools. Checks take them for all calls of the
 * run, so they are left out if one of them is not known, or if a call may not have
 * been read. */
static void
put_sequence(struct out *o, const struct run *run, const struct summary *e)
{
	bool known = !run->no_calls && !(e->lost & RUN_LOST_CALL);

	for (const struct turn *t = e->from; known && t != e->to; t = t->next)
		known = has_names(t, 0);
	if (known) {
		out_member_begin(o, "tool_sequence", '[');
		for (const struct turn *t = e->from; t != e->to; t = t->next)
			put_tools(o, t, 0);
		out_end(o, ']');
	}
}

static void
put_turns(struct out *o, const struct trace_options *options,
    const struct run *run, const struct summary *e, struct trace_sums *total)
{
	put_sequence(o, run, e);
	out_member_begin(o, "turns", '[');
	for (const struct turn *t = e->from; t != e->to; t = t->next)
		put_turn(o, options, t, total);
	out_end(o, ']');
	total->counted.usage = usage_sums_total(&total->counted, NULL);
	total->repeated.usage = usage_sums_total(&total->repeated, NULL);
	forget_part(total, &total->counted.usage);
	forget_part(total, &total->repeated.usage);
	usage_sums_write(o, &total->counted, &total->repeated, total->model);
}

/* Lists the records and blocks that were not read. */
static void
put_unread(struct out *o, const struct run_unread *u)
{
	if (u == NULL)
		return;
	out_member_begin(o, "unread", '[');
	for (; u != NULL; u = u->next) {
		out_begin(o, '{');
		out_member_str(o, "kind", u->kind);
		out_member_size(o, "n", u->n);
		out_member_size(o, "line", u->line);
		out_end(o, '}');
	}
	out_end(o, ']');
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

static void
put_record(struct out *o, const struct trace_options *options,
    const struct trace_part *part)
{
	const struct run *run = part->run;
	const struct str *m = run->members;
	struct summary e = summarize(part, options->results);
	struct arena arena = { 0 };
	struct run_item *models = part->thread->models;
	struct trace_sums total = {
		.arena = &arena,
		.model = models != NULL && models->next == NULL
		    ? models->name
		    : (struct str){ 0 },
		.prices = run->has_cost ? NULL : options->prices,
		.provider =
		    str_slice(m[RUN_PROVIDER], 1, m[RUN_PROVIDER].n - 1),
	};

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
	if (e.ended != NULL)
		out_member_str(o, "ended", str_of(e.ended));
	put_unread(o, run->unread);
	put_meta(o, part, total.partial);
	out_end(o, '}');
	arena_free(&arena);
}

void
trace_write(struct out *o, const struct trace_options *options,
    const struct trace_part *part)
{
	struct arena arena = { 0 };
	struct out record;

	if (options->lone == NULL || !*options->lone) {
		put_record(o, options, part);
	} else {
		out_open_memory(&record);
		put_record(&record, options, part);
		out_str(o, json_mend_surrogates(&arena, out_memory(&record)));
		out_close(&record);
		arena_free(&arena);
	}
	out_line(o);
}
