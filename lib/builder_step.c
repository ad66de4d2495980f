/* What happened in a run: prompts, texts, calls, results, usage. */
#include "builder.h"

#include "hash.h"

/* ---- turns ---- */

static struct turn *
add_turn(struct builder *b)
{
	struct thread *t = b->thread;
	struct turn *turn = arena_new(&b->run_arena, struct turn);

	turn->thread = t;
	turn->line = b->line;
	turn->before = b->after != NULL && b->after->thread == t
	    ? b->after->turn
	    : t->last;
	if (t->last == NULL)
		t->turns = turn;
	else
		t->last->next = turn;
	t->last = turn;
	t->text = NULL;
	if (b->node != NULL)
		b->node->turn = turn;
	if (t == &b->run->main)
		b->run->told = true;
	return turn;
}

/* The turn that something happens in, at the time of the record. */
static struct turn *
turn_now(struct builder *b)
{
	struct turn *turn;

	builder_the_run(b);
	turn = b->thread->last != NULL ? b->thread->last : add_turn(b);
	if (b->ts.text.s == NULL)
		return turn;
	if (turn->first.text.s == NULL || b->ts.ms < turn->first.ms)
		turn->first = b->ts;
	if (turn->last.text.s == NULL || b->ts.ms > turn->last.ms)
		turn->last = b->ts;
	return turn;
}

void
builder_prompt_body(struct builder *b, struct str body)
{
	struct turn *turn;

	builder_the_run(b);
	if (b->replay)
		return;
	if (!b->in_prompt)
		add_turn(b);
	b->in_prompt = true;
	turn = turn_now(b);
	text_add(&b->run_arena, &turn->prompt, body);
	b->cut = &turn->cut;
}

void
builder_prompt(struct builder *b, const struct json *v)
{
	if (json_is(v, JSON_STRING))
		builder_prompt_body(b, json_raw(v));
	else if (json_is(v, JSON_ARRAY) && json_first(v) != NULL)
		builder_prompt_body(b, STR("")); /* perhaps of images alone */
	for (json_each(block, v)) {
		const struct json *text = json_get(block, STR("text"));

		if (json_is(text, JSON_STRING))
			builder_prompt_body(b, json_raw(text));
	}
}

bool
builder_has_prompt(const struct builder *b)
{
	return b->run != NULL && b->thread->last != NULL &&
	    b->thread->last->prompt.s != NULL;
}

void
builder_turn_duration(struct builder *b, const struct json *ms)
{
	struct turn *turn;

	if (b->replay || b->run == NULL || b->thread->last == NULL)
		return;
	turn = b->thread->last;
	/* What is longer than the turn is the time of several. */
	if (turn->first.text.s != NULL && b->ts.text.s != NULL &&
	    json_double(ms) > (double)(b->ts.ms - turn->first.ms + 1000))
		return;
	turn->duration = keep_number(&b->run_arena, ms);
}

/* ---- steps ---- */

static struct step *
add_step(struct builder *b)
{
	struct turn *turn = turn_now(b);
	struct step *s = arena_new(&b->run_arena, struct step);

	s->turn = turn;
	if (turn->last_step == NULL)
		turn->steps = s;
	else
		turn->last_step->next = s;
	turn->last_step = s;
	return s;
}

void
builder_text(struct builder *b, const struct json *v)
{
	struct turn *turn;

	if (b->replay || json_raw(v).n == 0)
		return;
	turn = turn_now(b);
	if (b->thread->text == NULL || b->thread->text->turn != turn)
		b->thread->text = add_step(b);
	text_add(&b->run_arena, &b->thread->text->text, json_raw(v));
	b->cut = &b->thread->text->cut;
}

/* mcp__SERVER__NAME tells the server. */
static void
name_tool(struct builder *b, struct step *s, const struct json *tool,
    const struct json *server)
{
	struct str rest;
	size_t end;

	if (s->tool.s == NULL)
		s->tool = keep_body(&b->run_arena, tool);
	if (s->server.s == NULL)
		s->server = keep_body(&b->run_arena, server);
	if (s->server.s != NULL)
		s->name = s->tool;
	if (!str_starts(s->tool, STR("mcp__")))
		return;
	rest = str_from(s->tool, 5);
	end = str_find(rest, STR("__"));
	if (end == 0 || end + 2 >= rest.n)
		return;
	if (s->server.s == NULL)
		s->server = str_slice(rest, 0, end);
	s->name = str_from(rest, end + 2);
}

/*
 * What a string holds, if that is JSON; else the string as it stands. An
 * object that was made a string twice is found too.
 */
static struct str
decoded(struct builder *b, const struct json *string)
{
	struct json_error error;
	const struct json *v;
	struct str text, outer = { 0 };

	for (int i = 0; i < 2 && json_is(string, JSON_STRING); i++) {
		text = str_trim(json_text(string, &b->run_arena));
		v = json_read(&b->reader, text, NULL, &error);
		if (v == NULL || (i == 1 && v->type != JSON_OBJECT))
			break;
		outer = keep_value(&b->run_arena, v);
		string = v;
	}
	return outer.s != NULL ? outer : keep_value(&b->run_arena, string);
}

static void
add_starter(struct builder *b, struct str task, struct step *call)
{
	struct builder_starter *s =
	    arena_new(&b->run_arena, struct builder_starter);
	void **slot = hash_put(&b->tasks, task);

	s->call = call;
	if (*slot == NULL)
		*slot = s;
	else
		((struct builder_starter *)*slot)->last->next = s;
	((struct builder_starter *)*slot)->last = s;
}

/* A call may be told after its result. */
static struct step *
step_of_call(struct builder *b, const struct builder_call *call)
{
	struct step *s = pairing_find(&b->pairing, json_raw(call->id));

	if (s == NULL || s->called || s->turn != turn_now(b))
		s = add_step(b);
	return s;
}

void
builder_call(struct builder *b, const struct builder_call *call)
{
	struct arena *a = &b->run_arena;
	struct step *s;

	builder_the_run(b);
	if (b->replay)
		return;
	s = step_of_call(b, call);
	s->is_call = s->called = true;
	s->id = keep_body(a, call->id);
	s->tool = (struct str){ 0 };
	name_tool(b, s, call->tool, call->server);
	s->args = call->decode && json_is(call->args, JSON_STRING)
	    ? decoded(b, call->args)
	    : keep_value(a, call->args);
	s->duration = keep_number(a, call->duration);
	s->ts = b->ts;
	b->cut = &s->cut;
	pairing_add(&b->pairing, s);
	if (json_raw(call->task).n != 0)
		add_starter(b, keep_body(a, call->task), s);
}

/* A result that is not written may still be needed for the run's id. */
static bool
is_needed(const struct builder *b)
{
	return b->options.trace.results != 0 ||
	    (b->run->members[RUN_ID].s == NULL &&
		b->run->members[RUN_GROUP].s == NULL);
}

static void
take_result(struct builder *b, struct step *s, const struct builder_result *r)
{
	struct arena *a = &b->run_arena;

	s->answered = true;
	if (is_needed(b))
		s->result = keep_value(a, r->value);
	if (json_is(r->is_error, JSON_TRUE) || json_is(r->ok, JSON_FALSE))
		s->is_error = "true";
	else if (json_is(r->is_error, JSON_FALSE) || json_is(r->ok, JSON_TRUE))
		s->is_error = "false";
	if (json_is(r->duration, JSON_NUMBER))
		s->duration = keep_number(a, r->duration);
	if (r->ts_start != NULL)
		s->ts = keep_moment(a, r->ts_start);
	s->end = b->ts;
	b->cut = &s->cut;
	if (json_raw(r->agent).n != 0) {
		struct str id = keep_body(a, r->agent);

		*hash_put(&b->starters, id) = s;
		*arena_push(a, b->started.list, b->started.n) = id;
	}
}

struct builder_ids
builder_missing_agents(const struct builder *b, struct arena *a)
{
	struct builder_ids missing = { 0 };

	for (size_t i = 0; b->run != NULL && i < b->started.n; i++)
		if (hash_get(&b->threads, b->started.list[i]) == NULL)
			*arena_push(a, missing.list, missing.n) =
			    str_dup(a, b->started.list[i]);
	return missing;
}

void
builder_result(struct builder *b, const struct builder_result *r)
{
	struct step *s;

	builder_the_run(b);
	if (b->replay)
		return;
	turn_now(b);
	s = pairing_answer(&b->pairing, json_raw(r->id), json_raw(r->tool));
	if (s == NULL) {
		s = add_step(b);
		s->is_call = true;
		s->id = keep_body(&b->run_arena, r->id);
		pairing_add(&b->pairing, s);
	}
	name_tool(b, s, r->tool, r->server);
	take_result(b, s, r);
}

void
builder_cut(struct builder *b)
{
	if (b->cut != NULL)
		*b->cut = true;
}

void
builder_usage(
    struct builder *b, struct str key, const struct usage *usage, bool partial)
{
	struct turn_usage *u = NULL;
	struct turn *turn;

	builder_the_run(b);
	if (b->replay)
		return;
	turn = turn_now(b);
	if (key.n != 0)
		u = hash_get(&b->usages, key);
	if (u != NULL) {
		usage_max(&u->usage, usage);
		u->partial &= partial;
		return;
	}
	u = arena_new(&b->run_arena, struct turn_usage);
	u->usage = *usage;
	u->partial = partial;
	if (!(usage->known & 1U << USAGE_LLM_CALLS))
		usage_set(&u->usage, USAGE_LLM_CALLS, 1);
	u->next = turn->usages;
	turn->usages = u;
	if (key.n != 0)
		*hash_put(&b->usages, str_dup(&b->run_arena, key)) = u;
}
