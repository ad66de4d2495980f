/* What happened in a turn: texts, calls, results. */
#include "extract/run/builder.h"

#include "base/hash.h"

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

	builder_current_run(b);
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
builder_text_blocks(struct builder *b, const struct json *v)
{
	builder_text(b, v);
	for (json_each(block, v))
		builder_text(b, json_get(block, "text"));
}

void
builder_empty_text(struct builder *b)
{
	struct step *s;

	builder_current_run(b);
	if (b->replay)
		return;
	s = add_step(b);
	text_add(&b->run_arena, &s->text, STR(""));
	b->thread->text = b->thread->said = s;
	b->cut = &s->cut;
}

void
builder_text_is_interim(struct builder *b)
{
	if (b->run != NULL && !b->replay && b->thread->said != NULL)
		b->thread->said->aside = true;
}

/* mcp__SERVER__NAME tells the server. Most results name nothing. */
static void
name_tool(struct builder *b, struct step *s, const struct json *tool,
    const struct json *server, const struct json *name)
{
	struct str rest;
	size_t end;

	if (tool == NULL && server == NULL && name == NULL)
		return;
	if (s->tool.s == NULL)
		s->tool = copy_body(&b->run_arena, tool);
	if (s->server.s == NULL)
		s->server = copy_body(&b->run_arena, server);
	if (json_raw(name).n != 0)
		s->name = copy_body(&b->run_arena, name);
	else if (s->server.s != NULL && s->name.s == NULL)
		s->name = s->tool;
	if (!str_starts(s->tool, "mcp__"))
		return;
	rest = str_from(s->tool, 5);
	end = str_find(rest, "__");
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
		outer = copy_any(&b->run_arena, v);
		string = v;
	}
	return outer.s != NULL ? outer : copy_value(&b->run_arena, string);
}

static void
add_starter(struct builder *b, struct str task, struct step *call)
{
	struct builder_starter *s =
	    arena_new(&b->run_arena, struct builder_starter);
	void **slot = hash_put(&b->tasks, task);
	struct builder_starters *waiting = *slot;

	s->call = call;
	if (waiting == NULL)
		*slot = waiting =
		    arena_new(&b->run_arena, struct builder_starters);
	if (waiting->first == NULL)
		waiting->first = s;
	else
		waiting->last->next = s;
	waiting->last = s;
}

/* A call may be told after its result. */
static struct step *
step_of_call(struct builder *b, const struct builder_call *call)
{
	struct step *s =
	    call_matching_lone(&b->call_matching, json_raw(call->id));

	if (s == NULL || s->turn != builder_turn_now(b))
		s = add_step(b);
	return s;
}

void
builder_add_call(struct builder *b, const struct builder_call *call)
{
	struct arena *a = &b->run_arena;
	struct step *s;

	builder_current_run(b);
	if (b->replay)
		return;
	s = step_of_call(b, call);
	s->is_call = s->called = true;
	s->id = copy_body(a, call->id);
	s->tool = s->name = (struct str){ 0 };
	name_tool(b, s, call->tool, call->server, call->name);
	s->args = call->decode && json_is(call->args, JSON_STRING)
	    ? builder_decode(b, call->args)
	    : call->null_too ? copy_any(a, call->args)
			     : copy_value(a, call->args);
	s->duration = copy_number(a, call->duration);
	if (!call->ended)
		s->ts = b->ts;
	b->cut = &s->cut;
	b->call = s;
	call_matching_add(&b->call_matching, s);
	if (json_raw(call->task).n != 0)
		add_starter(b, copy_body(a, call->task), s);
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
		s->result = copy_value(a, r->value);
	if (json_is(r->is_error, JSON_TRUE) || json_is(r->ok, JSON_FALSE))
		s->is_error = "true";
	else if (json_is(r->is_error, JSON_FALSE) || json_is(r->ok, JSON_TRUE))
		s->is_error = "false";
	if (json_is(r->duration, JSON_NUMBER))
		s->duration = copy_number(a, r->duration);
	if (r->ts_start != NULL)
		s->ts = copy_time(a, &b->minute, r->ts_start);
	s->end = b->ts;
	b->cut = &s->cut;
	b->call = s;
	if (json_raw(r->agent).n != 0) {
		struct str id = copy_body(a, r->agent);

		*hash_put(&b->starters, id) = s;
		*arena_push(a, b->started.list, b->started.n) = id;
	}
}

void
builder_call_begins(struct builder *b, const struct json *id)
{
	struct step *s;

	builder_current_run(b);
	s = b->replay ? NULL
		      : call_matching_find(&b->call_matching, json_raw(id));
	if (s != NULL)
		s->ts = b->ts;
}

void
builder_restart_ids(struct builder *b)
{
	builder_current_run(b);
	b->call_matching = call_matching_empty(&b->run_arena);
}

bool
builder_has_call(const struct builder *b, const struct json *id)
{
	return b->run != NULL &&
	    call_matching_find(&b->call_matching, json_raw(id)) != NULL;
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
builder_add_result(struct builder *b, const struct builder_result *r)
{
	struct step *s;

	builder_current_run(b);
	if (b->replay)
		return;
	builder_turn_now(b);
	s = r->last && b->call != NULL
	    ? b->call
	    : call_matching_answer(
		  &b->call_matching, json_raw(r->id), json_raw(r->tool));
	if (s == NULL) {
		s = add_step(b);
		s->is_call = true;
		s->id = copy_body(&b->run_arena, r->id);
		call_matching_add(&b->call_matching, s);
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
