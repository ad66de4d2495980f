/*
 * Output of codex exec --json: threads, turns and items, one a line; and the
 * events that earlier versions printed, each as a msg.
 */
#include "extract/format/codex_call.h"
#include "extract/format/log_format.h"

/* Members of a record. Those of the program's own recorder come first; most
 * records in its files are irrelevant. */
enum { TS, DIR, PAYLOAD, TIMESTAMP, MSG, PROMPT, MEMBERS };

static const struct str members[MEMBERS] = {
	[TS] = STR_CONST("ts"),
	[DIR] = STR_CONST("dir"),
	[PAYLOAD] = STR_CONST("payload"),
	[TIMESTAMP] = STR_CONST("timestamp"),
	[MSG] = STR_CONST("msg"),
	[PROMPT] = STR_CONST("prompt"),
};

static const struct json *
either(const struct json *a, const struct json *b)
{
	return a != NULL && a->type != JSON_NULL ? a : b;
}

/* Returns the event of the older kind in a record, bare or in the recorder's
 * form; NULL if there is none. */
static const struct json *
msg_of(const struct json *const *m)
{
	const struct json *msg = either(m[MSG], json_get(m[PAYLOAD], "msg"));

	return json_is(json_get(msg, "type"), JSON_STRING) ? msg : NULL;
}

static int
score(const struct json *r)
{
	struct str type = json_raw(json_get(r, "type"));
	const struct json *m[MEMBERS];

	json_pick(r, members, MEMBERS, m);
	if (json_str_is(m[DIR], "to_tui") ||
	    (json_str_is(json_get(r, "kind"), "session_start") &&
		json_get(r, "model_provider_id") != NULL))
		return LOG_FORMAT_SURE;
	if (msg_of(m) != NULL && json_get(r, "id") != NULL)
		return LOG_FORMAT_SURE;
	if (str_is(type, "thread.started") || str_is(type, "thread.resumed"))
		return json_get(r, "thread_id") != NULL ? LOG_FORMAT_SURE : 0;
	if (str_starts(type, "item."))
		return field_find(r, "item.type item.item_type") != NULL
		    ? LOG_FORMAT_SURE
		    : 0;
	if (str_is(type, "turn.completed") || str_is(type, "turn.failed"))
		return field_find(r, "usage error") != NULL ? LOG_FORMAT_SURE
							    : 0;
	return 0;
}

/* Begins a thread. A resumed thread continues its run, but the program numbers
 * its items from the beginning each time that it is started. */
static void
begin_thread(struct log *log, const struct json *r)
{
	log_run(log, field_find(r, "thread_id session_id"));
	builder_restart_ids(log->builder);
}

static void
begin_turn(struct builder *b)
{
	builder_input(b);
	builder_set_broken(b, true); /* until its end is read */
}

/* Reads a turn's counts, which are the thread's totals so far. */
static void
read_usage(struct builder *b, const struct json *counts)
{
	struct usage u = codex_usage(counts);

	builder_total(b, &u);
}

static void
read_item(struct builder *b, const struct json *item, bool completed)
{
	struct codex_calls how = { 0 };
	const struct json *type = field_find(item, "type item_type");

	if (completed &&
	    (json_str_is(type, "agent_message") ||
		json_str_is(type, "assistant_message")))
		builder_text(b, json_get(item, "text"));
	else if (completed || !builder_has_call(b, json_get(item, "id")))
		(void)codex_call_read(b, item, &how);
}

static void
read_turn_end(struct builder *b, const struct json *r)
{
	builder_set_broken(b, false);
	builder_error(b, NULL);
	read_usage(b, json_get(r, "usage"));
}

static void
read_event(struct log *log, const struct json *r)
{
	const struct json *type = field_find(r, "type item_type");
	struct builder *b = log->builder;

	if (json_str_is(type, "item.started")) {
		read_item(b, json_get(r, "item"), false);
	} else if (json_str_is(type, "item.completed")) {
		read_item(b, json_get(r, "item"), true);
	} else if (json_str_is(type, "turn.started")) {
		begin_turn(b);
	} else if (json_str_is(type, "turn.completed")) {
		read_turn_end(b, r);
	} else if (json_str_is(type, "turn.failed")) {
		builder_error(b, json_get(r, "error"));
		builder_set_broken(b, false);
	} else if (json_str_is(type, "error")) {
		builder_error(b, json_get(r, "message"));
	} else if (json_str_is(type, "thread.started") ||
	    json_str_is(type, "thread.resumed") ||
	    json_str_is(type, "session.created")) {
		begin_thread(log, r);
	}
}

/* ---- the older kind ---- */

/* Reads a prompt. The program prints its one prompt first, so a prompt after
 * something else is that of another run. */
static void
read_prompt(struct log *log, const struct json *prompt)
{
	if (builder_current_run(log->builder)->main.turns != NULL) {
		builder_begin_run(log->builder);
		log->id = (struct str){ 0 };
	}
	builder_prompt(log->builder, prompt);
}

static void
read_msg(struct log *log, const struct json *msg)
{
	struct codex_calls how = { 0 };
	const struct json *type = json_get(msg, "type");
	struct builder *b = log->builder;

	if (json_str_is(type, "session_configured")) {
		log_run(log, json_get(msg, "session_id"));
		builder_model(b, json_get(msg, "model"));
	} else if (json_str_is(type, "task_started")) {
		begin_turn(b);
	} else if (json_str_is(type, "user_message")) {
		builder_prompt(b, json_get(msg, "message"));
	} else if (json_str_is(type, "agent_message")) {
		builder_text(b, json_get(msg, "message"));
	} else if (json_str_is(type, "error")) {
		builder_error(b, json_get(msg, "message"));
	} else if (json_str_is(type, "task_complete")) {
		builder_set_broken(b, false);
		if (field_find(msg, "last_agent_message") != NULL)
			builder_error(b, NULL);
	} else if (json_str_is(type, "token_count")) {
		const struct json *info =
		    field_find(msg, "info.total_token_usage");

		read_usage(b, info != NULL ? info : msg);
	} else {
		(void)codex_call_read(b, msg, &how);
	}
}

static void
read_record(struct log *log, const struct json *r)
{
	const struct json *m[MEMBERS], *msg;
	struct builder *b = log->builder;
	bool prompt;

	json_pick(r, members, MEMBERS, m);
	msg = msg_of(m);
	prompt = json_is(m[PROMPT], JSON_STRING);
	if (msg == NULL && !prompt && m[DIR] != NULL && builder_may_continue(b))
		return;
	builder_locate(b, .ts = either(m[TIMESTAMP], m[TS]));
	if (msg != NULL)
		read_msg(log, msg);
	else if (prompt)
		read_prompt(log, m[PROMPT]);
	else if (m[DIR] == NULL)
		read_event(log, r);
}

const struct log_format log_format_codex_exec = {
	.name = "codex-exec",
	.what = "Codex: output of codex exec --json",
	.score = score,
	.signs = "dir=to_tui kind=session_start msg payload "
		 "type=thread.started type=thread.resumed type=item.* "
		 "type=turn.completed type=turn.failed",
	.read = read_record,
};
