/*
 * What codex exec --json prints: threads, turns and items; and the events that
 * versions before them printed, each as a msg.
 */
#include "../logfmt.h"
#include "codex_call.h"

static bool
is_type(const struct json *r, const char *type)
{
	return json_str_is(log_find(r, "type item_type"), str_of(type));
}

/* An event of the older kind, bare or as the program's own recorder has it. */
static const struct json *
msg_of(const struct json *r)
{
	const struct json *msg = log_find(r, "msg payload.msg");

	return json_is(json_get(msg, STR("type")), JSON_STRING) ? msg : NULL;
}

static int
score(const struct json *r)
{
	struct str type = json_raw(json_get(r, STR("type")));

	if (json_str_is(json_get(r, STR("dir")), STR("to_tui")) ||
	    (json_str_is(json_get(r, STR("kind")), STR("session_start")) &&
		json_get(r, STR("model_provider_id")) != NULL))
		return LOGFMT_SURE;
	if (msg_of(r) != NULL && json_get(r, STR("id")) != NULL)
		return LOGFMT_SURE;
	if (str_is(type, "thread.started") || str_is(type, "thread.resumed"))
		return json_get(r, STR("thread_id")) != NULL ? LOGFMT_SURE : 0;
	if (str_starts(type, STR("item.")))
		return log_find(r, "item.type item.item_type") != NULL
		    ? LOGFMT_SURE
		    : 0;
	if (str_is(type, "turn.completed") || str_is(type, "turn.failed"))
		return log_find(r, "usage error") != NULL ? LOGFMT_SURE : 0;
	return 0;
}

static void
begin_turn(struct builder *b)
{
	builder_turn(b);
	builder_broken(b, true); /* until its end is read */
}

/* A thread's counts go on from turn to turn. */
static void
read_usage(struct builder *b, const struct json *counts)
{
	struct usage u = codex_usage(counts);

	builder_total(b, &u);
}

static void
read_item(struct builder *b, const struct json *item, bool completed)
{
	static const struct codex_calls how = { 0 };

	if (codex_call_is(item) &&
	    (completed || !builder_has_call(b, json_get(item, STR("id")))))
		codex_call_read(b, item, &how);
	else if (completed &&
	    (is_type(item, "agent_message") ||
		is_type(item, "assistant_message")))
		builder_text(b, json_get(item, STR("text")));
}

static void
read_event(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;

	if (is_type(r, "thread.started") || is_type(r, "thread.resumed") ||
	    is_type(r, "session.created"))
		log_run(log, log_find(r, "thread_id session_id"));
	else if (is_type(r, "turn.started"))
		begin_turn(b);
	else if (is_type(r, "item.started"))
		read_item(b, json_get(r, STR("item")), false);
	else if (is_type(r, "item.completed"))
		read_item(b, json_get(r, STR("item")), true);
	else if (is_type(r, "turn.failed"))
		builder_error(b, json_get(r, STR("error")));
	else if (is_type(r, "error"))
		builder_error(b, json_get(r, STR("message")));
	if (is_type(r, "turn.failed") || is_type(r, "turn.completed"))
		builder_broken(b, false);
	if (!is_type(r, "turn.completed"))
		return;
	builder_error(b, NULL);
	read_usage(b, json_get(r, STR("usage")));
}

/* ---- the older kind ---- */

static void
read_msg(struct log *log, const struct json *msg)
{
	static const struct codex_calls how = { 0 };
	struct builder *b = log->builder;

	if (is_type(msg, "session_configured")) {
		log_run(log, json_get(msg, STR("session_id")));
		builder_model(b, json_get(msg, STR("model")));
	} else if (is_type(msg, "task_started")) {
		begin_turn(b);
	} else if (is_type(msg, "user_message")) {
		builder_prompt(b, json_get(msg, STR("message")));
	} else if (is_type(msg, "agent_message")) {
		builder_text(b, json_get(msg, STR("message")));
	} else if (is_type(msg, "error")) {
		builder_error(b, json_get(msg, STR("message")));
	} else if (is_type(msg, "task_complete")) {
		builder_broken(b, false);
		if (log_find(msg, "last_agent_message") != NULL)
			builder_error(b, NULL);
	} else if (is_type(msg, "token_count")) {
		const struct json *info =
		    log_find(msg, "info.total_token_usage");

		read_usage(b, info != NULL ? info : msg);
	} else if (codex_call_is(msg)) {
		codex_call_read(b, msg, &how);
	}
}

static void
read_record(struct log *log, const struct json *r)
{
	const struct json *msg = msg_of(r);

	builder_at(log->builder,
	    &(struct builder_at){ .ts = log_find(r, "timestamp ts") });
	if (msg != NULL)
		read_msg(log, msg);
	else if (json_is(json_get(r, STR("prompt")), JSON_STRING))
		builder_prompt(log->builder, json_get(r, STR("prompt")));
	else if (json_get(r, STR("dir")) == NULL)
		read_event(log, r);
}

const struct logfmt logfmt_codex_exec = {
	.name = "codex-exec",
	.what = "what codex exec prints with --json",
	.score = score,
	.read = read_record,
};
