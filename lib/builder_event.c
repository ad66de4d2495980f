/* What happened in a run: where records stand, prompts, texts, calls. */
#include "builder.h"

#include "hash.h"

/* Where a record of a tree stands. */
struct builder_node {
	struct thread *thread;
	struct turn *turn; /* NULL: before the first */
};

/* ---- where ---- */

static struct thread *
new_thread(struct builder *b, const struct builder_at *at)
{
	struct thread *t = arena_new(&b->run_arena, struct thread);
	struct run *run = b->run;

	if (run->threads == NULL)
		run->threads = t;
	else
		b->last_thread->next = t;
	b->last_thread = t;
	t->id = keep_body(
	    &b->run_arena, json_raw(at->agent).n != 0 ? at->agent : at->node);
	return t;
}

/*
 * The thread of a record: the agent's by its id; else, of a record that says
 * only that a sub-agent wrote it, the thread of the record before it.
 */
static struct thread *
thread_of(struct builder *b, const struct builder_at *at)
{
	const struct json *key =
	    json_raw(at->agent).n != 0 ? at->agent : at->parent;
	void **slot;

	if (json_raw(key).n != 0) {
		struct str body = keep_body(&b->run_arena, key);

		slot = hash_put(&b->threads, body);
		if (*slot == NULL)
			*slot = new_thread(b, at);
		return *slot;
	}
	if (!at->sidechain)
		return &b->run->main;
	if (b->after != NULL && b->after->thread != &b->run->main)
		return b->after->thread;
	return new_thread(b, at);
}

/* Notes the record in the tree; true if it was there before. */
static bool
is_copy(struct builder *b, const struct builder_at *at)
{
	struct str id = json_raw(at->node);

	b->node = NULL;
	b->after = json_raw(at->after).n == 0
	    ? NULL
	    : hash_get(&b->nodes, json_raw(at->after));
	if (id.n == 0)
		return false;
	if (hash_get(&b->nodes, id) != NULL)
		return true;
	b->node = arena_new(&b->run_arena, struct builder_node);
	*hash_put(&b->nodes, str_dup(&b->run_arena, id)) = b->node;
	return false;
}

void
builder_at(struct builder *b, const struct builder_at *at)
{
	struct arena *a = &b->run_arena;
	struct thread *t;

	builder_the_run(b);
	b->ts = keep_moment(a, at->ts);
	b->in_prompt = false;
	b->cut = NULL;
	b->replay = is_copy(b, at);
	if (b->replay)
		return;
	b->thread = t = thread_of(b, at);
	if (t != &b->run->main && t->parent.s == NULL)
		t->parent = keep_body(a, at->parent);
	if (b->node != NULL)
		*b->node = (struct builder_node){ t, t->last };
	if (json_raw(at->message).n == 0 ||
	    !str_eq(t->message, json_raw(at->message))) {
		t->message = keep_body(a, at->message);
		t->text = NULL;
	}
}

/* ---- turns ---- */

static struct turn *
add_turn(struct builder *b)
{
	struct thread *t = b->thread;
	struct turn *turn = arena_new(&b->run_arena, struct turn);

	turn->thread = t;
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

static void
begin_prompt(struct builder *b)
{
	builder_the_run(b);
	if (!b->in_prompt)
		add_turn(b);
	b->in_prompt = true;
	b->cut = &turn_now(b)->cut;
}

void
builder_prompt(struct builder *b, const struct json *v)
{
	if (b->replay || v == NULL)
		return;
	if (json_is(v, JSON_STRING) || json_first(v) != NULL)
		begin_prompt(b);
	if (json_is(v, JSON_STRING))
		text_add(&b->run_arena, &b->thread->last->prompt, json_raw(v));
	for (json_each(block, v)) {
		const struct json *text = json_get(block, STR("text"));

		if (json_is(text, JSON_STRING))
			text_add(&b->run_arena, &b->thread->last->prompt,
			    json_raw(text));
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
	if (!b->replay && b->run != NULL && b->thread->last != NULL)
		b->thread->last->duration = keep_number(&b->run_arena, ms);
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

static void
take_result(struct builder *b, struct step *s, const struct builder_result *r)
{
	struct arena *a = &b->run_arena;

	s->answered = true;
	s->result = keep_value(a, r->value);
	if (r->is_error != NULL)
		s->is_error =
		    json_is(r->is_error, JSON_TRUE) ? "true" : "false";
	if (json_is(r->duration, JSON_NUMBER))
		s->duration = keep_number(a, r->duration);
	if (r->ts_start != NULL)
		s->ts = keep_moment(a, r->ts_start);
	s->end = b->ts;
	b->cut = &s->cut;
	if (json_raw(r->agent).n != 0)
		*hash_put(&b->starters, keep_body(a, r->agent)) = s;
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
