#include "extract/export/item.h"

#include "extract/run/put_member.h"
#include "extract/value/copy.h"

/* ---- the items of a run ---- */

static void
add(struct export_run *run, struct export_item item)
{
	*arena_push(run->arena, run->items, run->n) = item;
}

static void
add_call(struct export_run *run, const struct json *step)
{
	struct str id = json_raw(json_get(step, "id"));
	struct export_item *it;
	void **slot;

	/* Some logs use an id again for another call. */
	while (id.n == 0 || hash_get(&run->ids, id) != NULL)
		id = str_printf(run->arena, "call_%zu", ++run->invented);
	slot = hash_put(&run->ids, id);
	*slot = run;
	/* A text and the call that follows it are one message. */
	if (run->n == 0 || run->items[run->n - 1].prompt ||
	    run->items[run->n - 1].step != NULL)
		add(run, (struct export_item){ 0 });
	it = &run->items[run->n - 1];
	it->step = step;
	it->ts = json_get(step, "ts");
	it->id = id;
}

static void
add_steps(struct export_run *run, const struct json *steps, bool main)
{
	for (json_each(step, steps)) {
		const struct json *text = json_get(step, "text");

		if (trace_step_is_users(step))
			continue;
		if (json_get(step, "tool") != NULL)
			add_call(run, step);
		else if (main && text != NULL)
			add(run, (struct export_item){ .text = text });
		add_steps(run, json_get(step, "steps"), false);
	}
}

/* Adds the items of a turn, unless the user took the turn back. */
static void
add_turn(struct export_run *run, const struct json *turn)
{
	const struct json *prompt = json_get(turn, "prompt");

	if (json_is(json_get(turn, "abandoned"), JSON_TRUE))
		return;
	if (prompt != NULL)
		add(run,
		    (struct export_item){ .prompt = true,
			.text = prompt,
			.ts = json_get(turn, "ts") });
	add_steps(run, json_get(turn, "steps"), true);
}

const struct json *
export_answer(const struct trace *trace)
{
	const struct json *answer = trace->member[TRACE_FINAL_TEXT];
	const struct json *last = NULL;

	for (json_each(turn, trace->member[TRACE_TURNS])) {
		if (json_is(json_get(turn, "abandoned"), JSON_TRUE))
			continue;
		for (json_each(step, json_get(turn, "steps")))
			if (json_get(step, "tool") == NULL &&
			    json_get(step, "text") != NULL)
				last = json_get(step, "text");
	}
	return json_raw(answer).n == 0 || json_equal(answer, last) ? NULL
								   : answer;
}

void
export_read_items(struct export_run *run)
{
	const struct json *answer = export_answer(&run->trace);

	for (json_each(turn, run->trace.member[TRACE_TURNS]))
		add_turn(run, turn);
	if (answer != NULL)
		add(run, (struct export_item){ .text = answer });
}

/* ---- writing ---- */

void
export_members(
    struct out *o, const struct export_run *run, const char *const names[])
{
	for (; *names != NULL; names++)
		put_json(
		    o, *names, json_get(run->trace.record, str_of(*names)));
}

void
export_string(struct out *o, const struct json *v)
{
	if (v == NULL)
		out_json_str(o, STR(""));
	else if (v->type == JSON_STRING)
		out_json_raw(o, v->text);
	else
		out_json_str(o, v->text);
}

/* Returns the length of the string, with its quotes, that the source begins
 * with. */
static size_t
string_length(struct str source)
{
	size_t n = 1;

	while (source.s[n] != '"')
		n += source.s[n] == '\\' ? 2 : 1;
	return n + 1;
}

void
export_compact(struct out *o, const struct json *v)
{
	struct str rest = v->text;

	out_json_raw(o, STR(""));
	while (rest.n != 0) {
		size_t n = 0;

		while (n < rest.n && !json_is_space(rest.s[n]))
			n += rest.s[n] == '"' ? string_length(str_from(rest, n))
					      : 1;
		out_str(o, str_slice(rest, 0, n));
		while (n < rest.n && json_is_space(rest.s[n]))
			n++;
		rest = str_from(rest, n);
	}
}

struct str
export_args(const struct json *step)
{
	const struct json *args = json_get(step, "args");

	return args == NULL ? STR("{}") : args->text;
}

static bool
holds_json(const struct json *string)
{
	struct arena a = { 0 };
	bool holds = copy_parsed(&a, json_text(string, &a)) != NULL;

	arena_free(&a);
	return holds;
}

void
export_text_args(struct out *o, const struct json *string)
{
	if (holds_json(string))
		out_json_str(o, string->text);
	else
		out_json_raw(o, string->text);
}

bool
export_is_blocks(const struct json *v)
{
	for (json_each(block, v))
		if (!json_str_is(json_get(block, "type"), "text") ||
		    !json_is(json_get(block, "text"), JSON_STRING))
			return false;
	return json_first(v) != NULL && json_is(v, JSON_ARRAY);
}

struct str
export_result_text(const struct json *v, struct arena *a)
{
	struct out o;

	if (v == NULL || v->type == JSON_STRING)
		return json_text(v, a);
	out_open_memory(&o);
	if (!export_is_blocks(v))
		export_compact(&o, v);
	else
		for (json_each(block, v)) {
			if (block != json_first(v))
				out_char(&o, '\n');
			out_str(&o, json_text(json_get(block, "text"), a));
		}
	return out_keep(&o, a);
}

void
export_result(struct out *o, const struct json *v)
{
	if (export_is_blocks(v))
		out_json_raw(o, v->text);
	else
		export_string(o, v);
}

void
export_text_block(struct out *o, const struct json *string)
{
	out_begin(o, '{');
	out_member_str(o, "type", STR("text"));
	export_member(o, "text", string);
	out_end(o, '}');
}

void
export_begin_message(struct out *o, const char *role, const struct json *ts)
{
	out_begin(o, '{');
	out_member_str(o, "role", str_of(role));
	put_json(o, "ts", ts);
	out_member_begin(o, "content", '[');
}

void
export_end_message(struct out *o)
{
	out_end(o, ']');
	out_end(o, '}');
}

static void
put_call(struct out *o, const struct export_item *call, bool server)
{
	out_begin(o, '{');
	out_member_str(o, "type", STR("tool_use"));
	put_body(o, "id", call->id);
	put_json(o, "name", json_get(call->step, "tool"));
	if (server)
		put_json(o, "server", json_get(call->step, "server"));
	out_key(o, "input");
	out_json_raw(o, export_args(call->step));
	out_end(o, '}');
}

void
export_messages(struct out *o, const struct export_blocks *format,
    const struct export_run *run)
{
	for (size_t i = 0; i < run->n; i++) {
		const struct export_item *it = &run->items[i];

		export_begin_message(o, it->prompt ? "user" : "assistant",
		    format->times ? it->ts : NULL);
		if (it->text != NULL)
			export_text_block(o, it->text);
		if (it->step != NULL)
			put_call(o, it, format->servers);
		export_end_message(o);
		if (it->step != NULL)
			format->result(o, it);
	}
}
