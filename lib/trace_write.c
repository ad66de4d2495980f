#include "trace_write.h"

enum { NESTING_MAX = 100 }; /* sub-agents of sub-agents; JSON has its limit */

/* A body as a string. */
static void
put_body(struct out *o, struct str body)
{
	out_begin(o, '"');
	out_str(o, body);
	out_end(o, '"');
}

static void
put_value(struct out *o, const char *key, struct str value)
{
	if (value.s == NULL)
		return;
	out_key(o, key);
	out_json_raw(o, value);
}

static void
put_string(struct out *o, const char *key, struct str body)
{
	if (body.s == NULL)
		return;
	out_key(o, key);
	put_body(o, body);
}

static struct str
text_of(const struct text *t)
{
	return (struct str){ t->s, t->n };
}

/* ---- steps ---- */

/* How much of a string's source fits in so many bytes: no escape and no
 * character is cut in two. */
static size_t
whole_prefix(struct str body, size_t bytes)
{
	size_t n = 0, unit = 0;

	while (n + unit <= bytes && n + unit < body.n) {
		n += unit;
		if (body.s[n] == '\\') {
			unit = body.s[n + 1] == 'u' ? 6 : 2;
			continue;
		}
		for (unit = 1; n + unit < body.n &&
		     ((unsigned char)body.s[n + unit] & 0xc0) == 0x80;)
			unit++;
	}
	return n + unit <= bytes ? n + unit : n;
}

static bool
is_shortened(const struct step *s, size_t limit)
{
	return limit != 0 && s->result.n > limit;
}

static void
put_result(struct out *o, const struct step *s, size_t limit)
{
	struct str r = s->result;

	if (!is_shortened(s, limit)) {
		if (limit != 0)
			put_value(o, "result", r);
		return;
	}
	out_key(o, "result");
	if (r.s[0] == '"') {
		r = str_slice(r, 1, r.n - 1);
		put_body(o, str_slice(r, 0, whole_prefix(r, limit)));
		return;
	}
	/* A list or an object does not stay one: the start of its text. */
	r = str_slice(r, 0, limit);
	while (r.n != 0 && ((unsigned char)r.s[r.n] & 0xc0) == 0x80)
		r.n--;
	out_json_str(o, r);
}

static void
put_duration(struct out *o, const struct step *s)
{
	if (s->duration.s != NULL) {
		put_value(o, "duration_ms", s->duration);
	} else if (s->ts.text.s != NULL && s->end.text.s != NULL &&
	    s->end.ms >= s->ts.ms) {
		out_key(o, "duration_ms");
		out_json_int(o, s->end.ms - s->ts.ms);
		out_key(o, "wall");
		out_json_bool(o, true);
	}
}

static void put_steps(struct out *, const struct trace_options *,
    const struct turn *, unsigned depth);

static void
put_started(struct out *o, const struct trace_options *options,
    const struct step *s, unsigned depth)
{
	if (s->started == NULL || depth == NESTING_MAX)
		return;
	out_key(o, "steps");
	out_begin(o, '[');
	for (const struct thread *t = s->started; t != NULL; t = t->sibling)
		for (const struct turn *n = t->turns; n != NULL; n = n->next)
			put_steps(o, options, n, depth + 1);
	out_end(o, ']');
}

static void
put_cut(struct out *o, const char *what)
{
	out_key(o, "cut");
	out_begin(o, '[');
	out_json_str(o, str_of(what));
	out_end(o, ']');
}

static void
put_call(struct out *o, const struct trace_options *options,
    const struct step *s, unsigned depth)
{
	put_string(o, "tool", s->tool);
	put_string(o, "id", s->id);
	put_string(o, "server", s->server);
	put_string(o, "name", s->name);
	put_value(o, "args", s->args);
	put_result(o, s, options->results);
	if (s->is_error != NULL)
		put_value(o, "is_error", str_of(s->is_error));
	put_duration(o, s);
	put_string(o, "ts", s->ts.text);
	if (s->cut || is_shortened(s, options->results))
		put_cut(o, "result");
	put_started(o, options, s, depth);
}

static void
put_steps(struct out *o, const struct trace_options *options,
    const struct turn *turn, unsigned depth)
{
	for (const struct step *s = turn->steps; s != NULL; s = s->next) {
		out_begin(o, '{');
		if (s->is_call) {
			put_call(o, options, s, depth);
		} else {
			put_string(o, "text", text_of(&s->text));
			if (s->cut)
				put_cut(o, "text");
		}
		out_end(o, '}');
	}
}

/* ---- walks over a turn and the sub-agents that were started in it ---- */

static void
put_tools(struct out *o, const struct turn *turn, unsigned depth)
{
	for (const struct step *s = turn->steps; s != NULL; s = s->next) {
		if (s->called && s->tool.s != NULL)
			put_body(o, s->tool);
		if (depth == NESTING_MAX)
			continue;
		for (struct thread *t = s->started; t != NULL; t = t->sibling)
			for (struct turn *n = t->turns; n != NULL; n = n->next)
				put_tools(o, n, depth + 1);
	}
}

/* What is the sum, or the or, of all steps. */
struct sums {
	struct usage usage;
	bool partial, cut;
	size_t limit;
};

static void
sum(struct sums *sums, const struct turn *turn, unsigned depth)
{
	for (struct turn_usage *u = turn->usages; u != NULL; u = u->next) {
		usage_add(&sums->usage, &u->usage);
		sums->partial |= u->partial;
	}
	for (const struct step *s = turn->steps; s != NULL; s = s->next) {
		sums->cut |= s->cut || is_shortened(s, sums->limit);
		if (depth == NESTING_MAX)
			continue;
		for (struct thread *t = s->started; t != NULL; t = t->sibling)
			for (struct turn *n = t->turns; n != NULL; n = n->next)
				sum(sums, n, depth + 1);
	}
}

static void
put_usage(struct out *o, const struct usage *usage)
{
	if (usage->known == 0)
		return;
	out_key(o, "usage");
	usage_write(o, usage);
}

/* ---- turns ---- */

static void
put_span(struct out *o, const char *key, const struct moment *first,
    const struct moment *last)
{
	if (first->text.s == NULL || last->text.s == NULL ||
	    last->ms < first->ms)
		return;
	out_key(o, key);
	out_json_int(o, last->ms - first->ms);
}

static void
put_turn(
    struct out *o, const struct trace_options *options, const struct turn *turn)
{
	struct sums sums = { .limit = options->results };

	sum(&sums, turn, 0);
	out_begin(o, '{');
	put_string(o, "prompt", text_of(&turn->prompt));
	put_string(o, "ts", turn->first.text);
	if (!turn->current) {
		out_key(o, "abandoned");
		out_json_bool(o, true);
	}
	out_key(o, "steps");
	out_begin(o, '[');
	put_steps(o, options, turn, 0);
	out_end(o, ']');
	put_usage(o, &sums.usage);
	if (turn->duration.s != NULL)
		put_value(o, "duration_ms", turn->duration);
	else
		put_span(o, "duration_ms", &turn->first, &turn->last);
	out_end(o, '}');
}

/* ---- the record ---- */

/* The turns of a part are those from `from` to before `to`. */
struct extent {
	const struct turn *from, *to;
	bool whole, at_end;
	struct moment first, last;
	const struct turn *prompt; /* that the record's prompt is of */
	const struct step *final;  /* the last text */
	struct sums sums;
};

static struct extent
measure(const struct trace_part *part, size_t limit)
{
	struct extent e = { .from = part->thread->turns, .whole = true };

	if (part->turn != NULL) {
		e.from = part->turn;
		e.to = part->turn->next;
		e.whole = false;
	}
	e.at_end = e.to == NULL;
	e.sums.limit = limit;
	for (const struct turn *t = e.from; t != e.to; t = t->next) {
		const struct step *said = run_last_text(t);

		sum(&e.sums, t, 0);
		if (t->first.text.s != NULL &&
		    (e.first.text.s == NULL || t->first.ms < e.first.ms))
			e.first = t->first;
		if (t->last.text.s != NULL &&
		    (e.last.text.s == NULL || t->last.ms > e.last.ms))
			e.last = t->last;
		if (!t->current && e.whole)
			continue;
		if (e.prompt == NULL && t->prompt.s != NULL)
			e.prompt = t;
		if (said != NULL)
			e.final = said;
	}
	return e;
}

static void
put_source(struct out *o, const char *format, const struct run *run)
{
	out_key(o, "source");
	out_begin(o, '{');
	out_key(o, "format");
	out_json_str(o, str_of(format));
	if (run->file != NULL) {
		out_key(o, "file");
		out_json_str(o, str_of(run->file));
		out_key(o, "line");
		out_json_int(o, (int64_t)run->line);
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

	put_string(o, "ts_start", first->text);
	put_string(o, "ts_end", last->text);
	if (e->whole && run->members[RUN_DURATION].s != NULL)
		put_value(o, "duration_ms", run->members[RUN_DURATION]);
	else
		put_span(o, "duration_ms", first, last);
}

static void
put_texts(struct out *o, const struct run *run, const struct extent *e)
{
	struct str final = run->members[RUN_FINAL];
	bool prompt_cut = e->prompt != NULL && e->prompt->cut,
	     final_cut = false;

	if (e->prompt != NULL)
		put_string(o, "prompt", text_of(&e->prompt->prompt));
	if (e->at_end && final.s != NULL) {
		put_value(o, "final_text", final);
	} else if (e->final != NULL) {
		put_string(o, "final_text", text_of(&e->final->text));
		final_cut = e->final->cut;
	}
	if (!prompt_cut && !e->sums.cut)
		return;
	out_key(o, "cut");
	out_begin(o, '[');
	if (prompt_cut)
		out_json_str(o, STR("prompt"));
	if (final_cut)
		out_json_str(o, STR("final_text"));
	if (e->sums.cut)
		out_json_str(o, STR("turns"));
	out_end(o, ']');
}

static void
put_turns(struct out *o, const struct trace_options *options,
    const struct run *run, const struct extent *e)
{
	if (!run->no_calls) {
		out_key(o, "tool_sequence");
		out_begin(o, '[');
		for (const struct turn *t = e->from; t != e->to; t = t->next)
			put_tools(o, t, 0);
		out_end(o, ']');
	}
	out_key(o, "turns");
	out_begin(o, '[');
	for (const struct turn *t = e->from; t != e->to; t = t->next)
		put_turn(o, options, t);
	out_end(o, ']');
	put_usage(o, &e->sums.usage);
}

static void
put_models(struct out *o, const struct run_item *models)
{
	if (models == NULL || models->next == NULL)
		return;
	out_key(o, "models");
	out_begin(o, '[');
	for (; models != NULL; models = models->next)
		put_body(o, models->name);
	out_end(o, ']');
}

static void
put_meta(struct out *o, const struct trace_part *part, const struct extent *e)
{
	const struct run_item *models = part->run->models;
	const struct run_item *m = part->run->meta;

	if (m == NULL && (models == NULL || models->next == NULL) &&
	    !e->sums.partial && part->parent.s == NULL)
		return;
	out_key(o, "meta");
	out_begin(o, '{');
	for (; m != NULL; m = m->next) {
		out_key_str(o, m->name);
		out_json_raw(o, m->value);
	}
	put_models(o, models);
	if (e->sums.partial)
		put_value(o, "output_tokens_partial", STR("true"));
	put_string(o, "parent_run", part->parent);
	if (part->parent.s != NULL) {
		put_string(o, "parent_call", part->thread->parent);
		put_string(o, "agent_id", part->thread->id);
	}
	out_end(o, '}');
}

void
trace_write(struct out *o, const struct trace_options *options,
    const struct trace_part *part)
{
	const struct run *run = part->run;
	const struct str *m = run->members;
	struct extent e = measure(part, options->results);

	out_begin(o, '{');
	put_value(o, "type", STR("\"trace\""));
	put_value(o, "v", STR("1"));
	put_string(o, "id", part->id);
	put_or(o, "scenario_id", options->scenario, m[RUN_SCENARIO]);
	put_value(o, "run_index", m[RUN_INDEX]);
	put_or(o, "agent", options->agent, m[RUN_AGENT]);
	put_value(o, "provider", m[RUN_PROVIDER]);
	if (run->models != NULL)
		put_string(o, "model", run->models->name);
	put_source(o, options->format, run);
	put_times(o, run, &e);
	if (e.at_end)
		put_value(o, "error", m[RUN_ERROR]);
	put_texts(o, run, &e);
	put_turns(o, options, run, &e);
	put_value(o, "workspace", m[RUN_WORKSPACE]);
	put_meta(o, part, &e);
	out_end(o, '}');
	out_line(o);
}
