/* What happened in a run: prompts, texts, calls, results. */
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
	    : t->went_back ? t->back
			   : t->last;
	t->went_back = false;
	if (t->last == NULL)
		t->turns = turn;
	else
		t->last->next = turn;
	t->last = turn;
	t->text = t->said = NULL;
	if (b->node != NULL)
		b->node->turn = turn;
	if (t == &b->run->main)
		b->run->told = true;
	return turn;
}

struct turn *
builder_turn_now(struct builder *b)
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
builder_go_back(struct builder *b, size_t turns)
{
	struct thread *t;

	builder_the_run(b);
	t = b->thread;
	if (b->replay)
		return;
	if (!t->went_back)
		t->back = t->last;
	for (; turns != 0 && t->back != NULL; turns--)
		t->back = t->back->before;
	t->went_back = t->last != NULL;
}

/* Whether the thread's turn began, by itself or with its prompt, and nothing
 * happened in it yet. */
static bool
is_fresh(const struct builder *b)
{
	const struct turn *turn = b->thread->last;

	return turn != NULL && turn->steps == NULL && turn->usages == NULL;
}

void
builder_turn(struct builder *b)
{
	builder_the_run(b);
	if (b->replay)
		return;
	if (!is_fresh(b))
		add_turn(b);
	b->thread->fresh = true;
	builder_turn_now(b);
}

void
builder_prompt_body(struct builder *b, struct str body)
{
	struct turn *turn;

	builder_the_run(b);
	if (b->replay)
		return;
	if (!b->in_prompt &&
	    !(b->thread->fresh && is_fresh(b) &&
		b->thread->last->prompt.s == NULL))
		add_turn(b);
	b->in_prompt = true;
	turn = builder_turn_now(b);
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

void
builder_prompt_instead(struct builder *b, const struct json *v)
{
	struct turn *turn;

	builder_the_run(b);
	turn = b->thread->last;
	if (!b->replay && turn != NULL && turn->steps == NULL) {
		turn->prompt = (struct text){ 0 };
		b->in_prompt = true;
	}
	builder_prompt(b, v);
}

bool
builder_has_prompt(const struct builder *b)
{
	return b->run != NULL && b->thread->last != NULL &&
	    b->thread->last->prompt.s != NULL;
}

/* ---- steps ---- */

static struct step *
add_step(struct builder *b)
{
	struct turn *turn = builder_turn_now(b);
	struct step *s = arena_new(&b->run_arena, struct step);

	s->turn = turn;
	b->in_prompt = false;
	turn->thread->breaks = true;
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

	builder_the_run(b);
	if (b->replay || json_raw(v).n == 0)
		return;
	turn = builder_turn_now(b);
	if (b->thread->text == NULL || b->thread->text->turn != turn)
		b->thread->text = b->thread->said = add_step(b);
	b->thread->breaks = false;
	text_add(&b->run_arena, &b->thread->text->text, json_raw(v));
	b->cut = &b->thread->text->cut;
}

void
builder_aside(struct builder *b)
{
	if (b->run != NULL && !b->replay && b->thread->said != NULL)
		b->thread->said->aside = true;
}

/* mcp__SERVER__NAME tells the server. */
static void
name_tool(struct builder *b, struct step *s, const struct json *tool,
    const struct json *server, const struct json *name)
{
	struct str rest;
	size_t end;

	if (s->tool.s == NULL)
		s->tool = keep_body(&b->run_arena, tool);
	if (s->server.s == NULL)
		s->server = keep_body(&b->run_arena, server);
	if (json_raw(name).n != 0)
		s->name = keep_body(&b->run_arena, name);
	else if (s->server.s != NULL && s->name.s == NULL)
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
struct str
builder_decode(struct builder *b, const struct json *string)
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

	if (s == NULL || s->called || s->turn != builder_turn_now(b))
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
	s->tool = s->name = (struct str){ 0 };
	name_tool(b, s, call->tool, call->server, call->name);
	s->args = call->decode && json_is(call->args, JSON_STRING)
	    ? builder_decode(b, call->args)
	    : keep_value(a, call->args);
	s->duration = keep_number(a, call->duration);
	if (!call->ended)
		s->ts = b->ts;
	b->cut = &s->cut;
	b->call = s;
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
	if (r->value != NULL && !(r->seen && s->result.s != NULL) &&
	    is_needed(b))
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
	b->call = s;
	if (json_raw(r->agent).n != 0) {
		struct str id = keep_body(a, r->agent);

		*hash_put(&b->starters, id) = s;
		*arena_push(a, b->started.list, b->started.n) = id;
	}
}

void
builder_call_begins(struct builder *b, const struct json *id)
{
	struct step *s;

	builder_the_run(b);
	s = b->replay ? NULL : pairing_find(&b->pairing, json_raw(id));
	if (s != NULL)
		s->ts = b->ts;
}

bool
builder_has_call(const struct builder *b, const struct json *id)
{
	return b->run != NULL &&
	    pairing_find(&b->pairing, json_raw(id)) != NULL;
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
	builder_turn_now(b);
	s = pairing_answer(&b->pairing, json_raw(r->id), json_raw(r->tool));
	if (s == NULL) {
		s = add_step(b);
		s->is_call = true;
		s->id = keep_body(&b->run_arena, r->id);
		pairing_add(&b->pairing, s);
	}
	name_tool(b, s, r->tool, r->server, r->name);
	take_result(b, s, r);
}

void
builder_cut(struct builder *b)
{
	if (b->cut != NULL)
		*b->cut = true;
}
