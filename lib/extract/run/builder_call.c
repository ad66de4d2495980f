/* Tool calls, their arguments and their results. */
#include "extract/run/builder.h"

#include "base/hash.h"
#include "extract/run/builder_internal.h"

/* ---- calls ---- */

/* Fills in the step's names, as far as they are not known. A tool named
 * mcp__SERVER__NAME names its server. Most results name nothing new. */
static void
name_tool(struct builder *b, struct step *s, const struct json *tool,
    const struct json *server, const struct json *name)
{
	struct str rest;
	size_t end;

	if (name == NULL &&
	    ((tool == NULL && server == NULL) ||
		(s->tool.s != NULL && s->server.s != NULL &&
		    s->name.s != NULL)))
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

/* Returns the JSON that a string holds, or the source of the string if it holds
 * none. An object that was encoded as a string twice is decoded twice. */
static struct str
decode(struct builder *b, const struct json *string)
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
		if (v->flags & JSON_LONE)
			outer = json_mend_surrogates(&b->run_arena, outer);
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

static bool
is_early(const struct builder_call *call)
{
	return call->early || call->ended;
}

/* Returns the step for a new call: the result that the log recorded before the
 * call, the call whose end it recorded before, or a new step. */
static struct step *
step_of_call(struct builder *b, const struct builder_call *call)
{
	struct step *s =
	    call_matching_unfinished(&b->call_matching, json_raw(call->id));

	if (s == NULL || (s->called && is_early(call)) ||
	    s->turn != builder_current_turn(b))
		s = builder_add_step(b);
	return s;
}

/* Returns whether the same call waits for its result already. */
static bool
is_asked(struct builder *b, const struct builder_call *call)
{
	const struct step *s =
	    call_matching_find(&b->call_matching, json_raw(call->id));

	return s != NULL && s->called && !s->answered &&
	    s->turn == builder_current_turn(b) &&
	    str_eq(s->tool, json_raw(call->tool)) &&
	    str_eq(s->args, copy_value(&b->run_arena, call->args));
}

void
builder_add_call(struct builder *b, const struct builder_call *call)
{
	struct arena *a = &b->run_arena;
	struct step *s;
	bool again; /* the call's end was recorded before */

	b->reported |= BUILDER_CALL;
	builder_current_run(b);
	if (b->replay || (call->once && is_asked(b, call)))
		return;
	if (b->fresh && b->options.unidentified == UNIDENTIFIED_BY_MESSAGE)
		call_matching_message(&b->call_matching);
	b->fresh = false;
	s = step_of_call(b, call);
	again = s->called;
	s->is_call = s->called = true;
	s->by_user = call->by_user;
	builder_number_step(b, s);
	s->early = is_early(call);
	s->id = copy_body(a, call->id);
	s->tool = s->name = (struct str){ 0 };
	name_tool(b, s, call->tool, call->server, call->name);
	s->args = call->decode && json_is(call->args, JSON_STRING)
	    ? decode(b, call->args)
	    : call->null_too ? copy_any(a, call->args)
			     : copy_value(a, call->args);
	if (!again || call->duration != NULL)
		s->duration = copy_number(a, call->duration);
	if (!call->ended && !again)
		s->ts = b->ts;
	b->cut = &s->args_cut;
	b->call = s;
	if (!again)
		call_matching_add(&b->call_matching, s);
	if (json_raw(call->task).n != 0)
		add_starter(b, copy_body(a, call->task), s);
}

/* Returns whether results must be kept: the run's id may depend on a result
 * that is not written. */
static bool
is_needed(const struct builder *b)
{
	return b->options.trace.results != 0 ||
	    (b->run->members[RUN_ID].s == NULL &&
		b->run->members[RUN_GROUP].s == NULL);
}

/* Returns is_error of a step whose result has this value, if the log records
 * neither a flag nor a status; NULL: unknown. The beginnings are those of
 * tau-bench's reports. */
static const char *
unflagged(const struct builder *b, const struct json *value)
{
	struct str text = json_raw(value);

	if (value == NULL || b->options.unflagged == UNFLAGGED_UNKNOWN)
		return NULL;
	return b->options.unflagged == UNFLAGGED_BY_TEXT &&
		(str_starts(text, "Error:") ||
		    str_starts(text, "Unknown action "))
	    ? "true"
	    : "false";
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
	else if (s->is_error == NULL)
		s->is_error = unflagged(b, r->value);
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
builder_begin_call(struct builder *b, const struct json *id)
{
	struct step *s;

	b->reported |= BUILDER_CALL;
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

void
builder_call_also(struct builder *b, const struct json *id)
{
	if (b->run != NULL && json_raw(id).n != 0)
		call_matching_also(
		    &b->call_matching, copy_body(&b->run_arena, id));
}

bool
builder_has_call(const struct builder *b, const struct json *id)
{
	return b->run != NULL &&
	    call_matching_find(&b->call_matching, json_raw(id)) != NULL;
}

bool
builder_lacks_call(const struct builder *b, const struct json *id)
{
	return b->run != NULL &&
	    call_matching_lone(&b->call_matching, json_raw(id)) != NULL;
}

bool
builder_has_agent(const struct builder *b, const struct json *id)
{
	return b->run != NULL && hash_get(&b->threads, json_raw(id)) != NULL;
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

	b->reported |= BUILDER_CALL;
	builder_current_run(b);
	if (b->replay)
		return;
	builder_current_turn(b);
	b->thread->open_number = NULL;
	s = r->last && b->call != NULL
	    ? b->call
	    : call_matching_answer(&b->call_matching, json_raw(r->id),
		  json_raw(r->tool), b->options.unidentified);
	if (s == NULL) {
		s = builder_add_step(b);
		s->is_call = true;
		s->id = copy_body(&b->run_arena, r->id);
		call_matching_add(&b->call_matching, s);
	}
	name_tool(b, s, r->tool, r->server, r->name);
	take_result(b, s, r);
}

void
builder_mark_cut(struct builder *b)
{
	if (b->cut != NULL)
		*b->cut = true;
}

/* ---- arguments that come in pieces ---- */

/* Returns the call with this id, else the last call, or NULL. */
static struct step *
call_of(struct builder *b, const struct json *id)
{
	struct step *s = call_matching_find(&b->call_matching, json_raw(id));

	return s != NULL ? s : b->call;
}

void
builder_append_args(
    struct builder *b, const struct json *id, const struct json *v)
{
	struct step *s;

	b->reported |= BUILDER_CALL;
	builder_current_run(b);
	if (b->replay || !json_is(v, JSON_STRING))
		return;
	s = call_of(b, id);
	if (s == NULL)
		return;
	text_append(&b->run_arena, &s->text, json_raw(v));
	b->args_in_pieces = true;
}

void
builder_set_args(struct builder *b, const struct json *id, const struct json *v)
{
	struct step *s;

	b->reported |= BUILDER_CALL;
	builder_current_run(b);
	s = b->replay || v == NULL ? NULL : call_of(b, id);
	if (s == NULL)
		return;
	s->args = copy_value(&b->run_arena, v);
	s->text = (struct text){ 0 };
}

/* Parses the step's argument text; an empty text means no arguments. */
static void
finish_step_args(struct builder *b, struct step *s)
{
	if (s->is_call && s->text.n != 0)
		s->args = decode(
		    b, builder_str(b, (struct str){ s->text.s, s->text.n }));
}

static void
finish_thread_args(struct builder *b, const struct thread *t)
{
	for (const struct turn *n = t->turns; n != NULL; n = n->next)
		for (struct step *s = n->steps; s != NULL; s = s->next)
			finish_step_args(b, s);
}

void
builder_finish_args(struct builder *b)
{
	if (!b->args_in_pieces)
		return;
	finish_thread_args(b, &b->run->main);
	for (struct thread *t = b->run->threads; t != NULL; t = t->next)
		finish_thread_args(b, t);
}
