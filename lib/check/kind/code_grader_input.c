/* The standard input of a program that grades a run, as AgentV writes it. */
#include "check/kind/kind.h"

/* The conversation of a run, as AgentV writes it. */
struct talk {
	struct out messages, events;
	size_t n, said; /* messages; those of the assistant */
	size_t nevents;
	bool open, calls; /* a message of the assistant, its list of calls */
	const struct json *number; /* of the open message, or NULL */
	size_t ncalls;             /* of the open message */
	struct arena *arena;
};

/* Writes a key as toSnakeCase does (evaluation/case-conversion.ts): an upper-case letter
 * as '_' and its lower-case letter, unless the key begins with such a letter. */
static void
put_key(struct out *o, struct str key, struct arena *a)
{
	struct out snake;

	if (key.n != 0 && key.s[0] >= 'A' && key.s[0] <= 'Z') {
		out_key_str(o, key);
		return;
	}
	out_open_memory(&snake);
	for (size_t i = 0; i < key.n; i++) {
		bool upper = key.s[i] >= 'A' && key.s[i] <= 'Z';

		if (upper)
			out_char(&snake, '_');
		out_char(
		    &snake, (char)(upper ? key.s[i] - 'A' + 'a' : key.s[i]));
	}
	out_key_str(o, out_keep(&snake, a));
}

/* Writes a value with the keys of all its objects in snake case. */
static void
put(struct out *o, const struct json *v, struct arena *a)
{
	if (json_is(v, JSON_OBJECT)) {
		out_begin(o, '{');
		for (json_members(key, v)) {
			put_key(o, json_text(key, a), a);
			put(o, json_value(key), a);
		}
		out_end(o, '}');
	} else if (json_is(v, JSON_ARRAY)) {
		out_begin(o, '[');
		for (json_each(item, v))
			put(o, item, a);
		out_end(o, ']');
	} else if (v == NULL)
		out_json_null(o);
	else
		out_json_raw(o, v->text);
}

static void
put_member(
    struct out *o, const char *key, const struct json *v, struct arena *a)
{
	out_key(o, key);
	put(o, v, a);
}

static void
put_known(struct out *o, const char *key, const struct json *v, struct arena *a)
{
	if (v != NULL)
		put_member(o, key, v, a);
}

/* Writes a list of messages: a list itself, no value as no message, and any other value
 * as the content of one. */
static void
put_list(struct out *o, const char *key, const char *role, const struct json *v,
    struct arena *a)
{
	if (json_is(v, JSON_ARRAY)) {
		put_member(o, key, v, a);
		return;
	}
	out_member_begin(o, key, '[');
	if (v != NULL && !json_is(v, JSON_NULL)) {
		out_begin(o, '{');
		out_member_str(o, "role", str_of(role));
		put_member(o, "content", v, a);
		out_end(o, '}');
	}
	out_end(o, ']');
}

/* Begins an event: of a message, or within it. */
static struct out *
begin_event(struct talk *t, const char *type, const char *part)
{
	struct out *o = &t->events;
	size_t message = t->n - 1;

	out_begin(o, '{');
	out_member_str(o, "event_id",
	    part == NULL ? str_printf(t->arena, "message-%zu", message)
			 : str_printf(t->arena, "message-%zu-tool-%zu%s",
			       message, t->ncalls, part));
	if (part != NULL)
		out_member_str(o, "parent_event_id",
		    str_printf(t->arena, "message-%zu", message));
	out_member_size(o, "ordinal", t->nevents++);
	out_member_str(o, "type", str_of(type));
	return o;
}

static void
end_message(struct talk *t)
{
	if (t->open && t->calls)
		out_end(&t->messages, ']');
	if (t->open)
		out_end(&t->messages, '}');
	t->open = t->calls = false;
}

/* Begins a message with this content; NULL: it has none. */
static void
begin_message(struct talk *t, const char *role, const struct json *content)
{
	struct out *lists[] = { &t->messages, NULL };

	end_message(t);
	t->open = true;
	t->ncalls = 0;
	t->n++;
	lists[1] = begin_event(t, "message", NULL);
	out_member_begin(lists[1], "message", '{');
	out_begin(&t->messages, '{');
	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
		out_member_str(lists[i], "role", str_of(role));
		if (content != NULL)
			put_member(lists[i], "content", content, t->arena);
	}
	out_end(lists[1], '}');
	out_end(lists[1], '}');
}

static void
put_call_event(struct talk *t, const struct json *step, bool result)
{
	struct out *o = begin_event(
	    t, result ? "tool_result" : "tool_call", result ? "-result" : "");

	out_member_begin(o, "tool", '{');
	put_member(o, "name", json_get(step, "tool"), t->arena);
	put_known(o, "call_id", json_get(step, "id"), t->arena);
	if (!result)
		put_known(o, "input", json_get(step, "args"), t->arena);
	put_known(o, "output", json_get(step, "result"), t->arena);
	out_member_str(o, "status",
	    json_is(json_get(step, "is_error"), JSON_TRUE) ? STR("error")
							   : STR("ok"));
	out_end(o, '}');
	out_end(o, '}');
}

/* Writes a call, and behind it those of its sub-agents. */
static void
put_call(struct talk *t, const struct json *step)
{
	struct out *o = &t->messages;

	if (json_has(step, "tool") && !trace_step_is_users(step)) {
		if (!t->calls)
			out_member_begin(o, "tool_calls", '[');
		t->calls = true;
		out_begin(o, '{');
		put_member(o, "tool", json_get(step, "tool"), t->arena);
		put_known(o, "input", json_get(step, "args"), t->arena);
		put_known(o, "output", json_get(step, "result"), t->arena);
		put_known(o, "id", json_get(step, "id"), t->arena);
		put_known(o, "start_time", json_get(step, "ts"), t->arena);
		put_known(
		    o, "duration_ms", json_get(step, "duration_ms"), t->arena);
		out_end(o, '}');
		put_call_event(t, step, false);
		if (json_has(step, "result"))
			put_call_event(t, step, true);
		t->ncalls++;
	}
	for (json_each(inner, json_get(step, "steps")))
		put_call(t, inner);
}

/* Writes a step of the assistant: a text begins a message, and so does a call that is
 * not of the message before. */
static void
put_step(struct talk *t, const struct json *step, bool follows)
{
	const struct json *text = json_get(step, "text"),
			  *number = json_get(step, "message");

	if (text != NULL || !follows ||
	    (number != NULL && t->number != NULL &&
		!str_eq(number->text, t->number->text))) {
		begin_message(t, "assistant", text);
		t->said++;
		t->number = number;
	}
	put_call(t, step);
}

static void
put_talk(struct talk *t, const struct trace *run)
{
	if (run->member[TRACE_SYSTEM] != NULL)
		begin_message(t, "system", run->member[TRACE_SYSTEM]);
	for (json_each(turn, run->member[TRACE_TURNS])) {
		const struct json *prompt = json_get(turn, "prompt");
		bool follows = false;

		if (json_is(json_get(turn, "abandoned"), JSON_TRUE))
			continue;
		if (prompt != NULL)
			begin_message(t, "user", prompt);
		for (json_each(step, json_get(turn, "steps"))) {
			put_step(t, step, follows);
			follows = true;
		}
	}
	end_message(t);
	out_end(&t->messages, ']');
	out_end(&t->events, ']');
}

/* Writes how often each tool was called, and how many calls there were and failed. */
static void
put_summary(struct out *o, const struct talk *t, struct view *v)
{
	struct trace_calls calls = view_calls(v);
	struct str *names = NULL;
	size_t n = 0, failed = 0;

	out_member_size(o, "event_count", calls.n);
	for (size_t i = 0; i < calls.n; i++) {
		struct str tool = calls.list[i].tool;
		size_t k = 0;

		failed += json_is(calls.list[i].is_error, JSON_TRUE);
		while (k < n && !str_eq(names[k], tool))
			k++;
		if (k == n)
			*arena_push(v->arena, names, n) = tool;
	}
	out_member_begin(o, "tool_calls", '{');
	for (size_t k = 0; k < n; k++) {
		size_t times = 0;

		for (size_t i = 0; i < calls.n; i++)
			times += str_eq(calls.list[i].tool, names[k]);
		put_key(o, names[k], v->arena);
		out_json_int(o, (int64_t)times);
	}
	out_end(o, '}');
	out_member_size(o, "error_count", failed);
	out_member_size(o, "llm_call_count", t->said);
}

/* Writes what the run used and when, each null if it was not recorded. */
static void
put_measures(struct out *o, const struct view *v)
{
	static const struct {
		const char *key;
		enum trace_member member;
	} rows[] = {
		{ "duration_ms", TRACE_DURATION_MS },
		{ "start_time", TRACE_TS_START },
		{ "end_time", TRACE_TS_END },
	};
	const struct json *usage = v->trace->member[TRACE_USAGE];

	out_key(o, "token_usage");
	if (json_has(usage, "input_tokens") &&
	    json_has(usage, "output_tokens")) {
		out_begin(o, '{');
		put_member(
		    o, "input", json_get(usage, "input_tokens"), v->arena);
		put_member(
		    o, "output", json_get(usage, "output_tokens"), v->arena);
		put_known(o, "cached", json_get(usage, "cache_read_tokens"),
		    v->arena);
		put_known(o, "reasoning", json_get(usage, "reasoning_tokens"),
		    v->arena);
		out_end(o, '}');
	} else
		out_json_null(o);
	put_member(o, "cost_usd", json_get(usage, "cost_usd"), v->arena);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		put_member(
		    o, rows[i].key, v->trace->member[rows[i].member], v->arena);
}

/* Writes the conversation as members: the messages, and the trace with its summary; null
 * if no calls were recorded, since a grader would take what is missing for nothing. */
static void
put_trace(struct out *o, struct view *v)
{
	struct talk t = { .arena = v->arena };
	struct str messages, events;

	out_open_memory(&t.messages);
	out_open_memory(&t.events);
	out_begin(&t.messages, '[');
	out_begin(&t.events, '[');
	put_talk(&t, v->trace);
	messages = out_keep(&t.messages, v->arena);
	events = out_keep(&t.events, v->arena);
	out_member_raw(o, "messages", messages);
	if (!(v->have & VIEW_CALLS)) {
		put_member(o, "trace", NULL, v->arena);
		put_member(o, "trace_summary", NULL, v->arena);
		return;
	}
	out_member_begin(o, "trace", '{');
	put_summary(o, &t, v);
	out_member_raw(o, "messages", messages);
	out_member_raw(o, "events", events);
	out_end(o, '}');
	out_member_begin(o, "trace_summary", '{');
	put_summary(o, &t, v);
	out_end(o, '}');
}

struct str
code_grader_input(const struct code_grader_want *w, struct view *v)
{
	struct out o;

	out_open_json(&o, '{');
	out_member_text(&o, "criteria", w->criteria);
	put_list(&o, "expected_output", "assistant", w->expected, v->arena);
	out_member_text(&o, "output", view_text(v, VIEW_AS_WRITTEN));
	put_trace(&o, v);
	out_member_begin(&o, "input_files", '[');
	out_end(&o, ']');
	put_list(&o, "input", "user", w->input, v->arena);
	put_member(&o, "metadata", w->metadata, v->arena);
	put_measures(&o, v);
	put_member(&o, "file_changes", NULL, v->arena);
	out_key(&o, "workspace_path");
	if (v->workspace == NULL)
		out_json_null(&o);
	else
		out_json_str(&o, str_of(v->workspace));
	put_member(&o, "config", w->config, v->arena);
	return out_keep_json(&o, '}', v->arena);
}
