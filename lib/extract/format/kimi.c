/*
 * Kimi's command line: wire.jsonl of a session, one record a line, as Kimi Code
 * writes it, and as its predecessor kimi-cli did.
 */
#include "extract/format/log_format.h"

/* ---- records of kimi-cli ---- */

/* Returns whether r is a record of kimi-cli: {"timestamp", "message": {"type":
 * "ToolCall", "payload": {...}}}. Its texts and arguments come in parts. */

static bool
is_cli_record(const struct json *r)
{
	return json_is(json_path(r, "message.payload"), JSON_OBJECT) &&
	    json_path(r, "message.type") != NULL &&
	    json_get(r, "timestamp") != NULL;
}

static void
cli_call(struct builder *b, const struct json *call)
{
	const struct json *id = json_get(call, "id");

	builder_call(b, .id = id, .tool = json_path(call, "function.name"));
	builder_append_args(b, id, json_path(call, "function.arguments"));
}

static void
cli_result(struct builder *b, const struct json *payload)
{
	const struct json *value = json_get(payload, "return_value");
	const struct json *output = json_get(value, "output");

	if (json_is(output, JSON_STRING) && json_raw(output).n == 0)
		output = json_get(value, "message");
	builder_result(b, .id = json_get(payload, "tool_call_id"),
	    .value = output != NULL ? output : value,
	    .is_error = json_get(value, "is_error"));
}

/* Reads the counts of a message, which are repeated while they grow. */
static void
cli_status(struct builder *b, const struct json *payload)
{
	static const char *const words[USAGE_COUNT] = {
		[USAGE_INPUT] = "input_other",
		[USAGE_OUTPUT] = "output",
		[USAGE_CACHE_READ] = "input_cache_read",
		[USAGE_CACHE_WRITE] = "input_cache_creation",
	};
	const struct json *counts = json_get(payload, "token_usage");
	struct usage u = { 0 };

	usage_read_named(&u, counts, words);
	if (u.known != 0)
		builder_usage(
		    b, json_raw(json_get(payload, "message_id")), &u, false);
}

static void
cli_event(struct builder *b, const struct json *event)
{
	const struct json *payload = json_get(event, "payload");

	if (field_is_type(event, "TurnBegin SteerInput"))
		builder_prompt(b, json_get(payload, "user_input"));
	else if (field_is_type(event, "StepBegin"))
		builder_end_text(b);
	else if (field_is_type(event, "ContentPart") &&
	    field_is_type(payload, "text"))
		builder_append_text(b, json_get(payload, "text"));
	else if (field_is_type(event, "ToolCall"))
		cli_call(b, payload);
	else if (field_is_type(event, "ToolCallPart"))
		builder_append_args(
		    b, NULL, json_get(payload, "arguments_part"));
	else if (field_is_type(event, "ToolResult"))
		cli_result(b, payload);
	else if (field_is_type(event, "StatusUpdate"))
		cli_status(b, payload);
	else if (field_is_type(event, "StepInterrupted"))
		builder_meta(b, "interrupted", json_get(event, "type"));
}

/* Reads a record. The work of a sub-agent is in an event of the call that
 * started it; of nested agents, the innermost does the work. */
static void
read_cli_record(struct builder *b, const struct json *r)
{
	const struct json *event = json_get(r, "message");
	struct builder_locate at = { .ts = json_get(r, "timestamp") };

	while (field_is_type(event, "SubagentEvent")) {
		const struct json *payload = json_get(event, "payload");
		const struct json *call = field_find(
		    payload, "parent_tool_call_id task_tool_call_id");

		at.sidechain = true;
		at.agent = field_find(payload, "agent_id");
		if (at.agent == NULL)
			at.agent = call;
		at.parent = json_raw(call);
		event = json_get(payload, "event");
	}
	builder_locate_at(b, &at);
	cli_event(b, event);
}

/* ---- records of Kimi Code ---- */

/* Members of a record, in the order in which they are written. */
enum { TYPE, EVENT, MESSAGE, TIME, AGENT, MEMBERS };

static const struct str members[MEMBERS] = {
	[TYPE] = STR_CONST("type"),
	[EVENT] = STR_CONST("event"),
	[MESSAGE] = STR_CONST("message"),
	[TIME] = STR_CONST("time"),
	[AGENT] = STR_CONST("agentId"),
};

static int
score(const struct json *r)
{
	return (field_is_type(r, "metadata") &&
		   json_get(r, "protocol_version") != NULL) ||
		is_cli_record(r) ||
		(field_is_type(r,
		     "context.append_loop_event context.append_message "
		     "turn.prompt") &&
		    json_get(r, "time") != NULL)
	    ? LOG_FORMAT_SURE
	    : 0;
}

static void
read_call(struct builder *b, const struct json *event)
{
	builder_call(b, .id = json_get(event, "toolCallId"),
	    .tool = json_get(event, "name"), .args = json_get(event, "args"));
}

static void
read_result(struct builder *b, const struct json *event)
{
	const struct json *result = json_get(event, "result");
	const struct json *output = json_get(result, "output");

	builder_result(b, .id = json_get(event, "toolCallId"),
	    .value = output != NULL ? output : result,
	    .is_error = field_find(result, "isError is_error"));
}

static void
read_usage(struct builder *b, const struct json *event)
{
	static const char *const words[USAGE_COUNT] = {
		[USAGE_INPUT] = "inputOther",
		[USAGE_OUTPUT] = "output",
		[USAGE_CACHE_READ] = "inputCacheRead",
		[USAGE_CACHE_WRITE] = "inputCacheCreation",
	};
	const struct json *counts = json_get(event, "usage");
	struct usage u = { 0 };

	usage_read_named(&u, counts, words);
	builder_usage(
	    b, json_raw(field_find(event, "uuid messageId")), &u, false);
}

static void
read_event(struct builder *b, const struct json *event)
{
	const struct json *type = json_get(event, "type");

	if (json_str_is(type, "tool.call"))
		read_call(b, event);
	else if (json_str_is(type, "tool.result"))
		read_result(b, event);
	else if (json_str_is(type, "step.end"))
		read_usage(b, event);
	else if (json_str_is(type, "content.part") &&
	    field_is(json_get(event, "part"), "type", "text"))
		builder_text(b, json_path(event, "part.text"));
}

/* Reads a prompt. It is logged as the user wrote it, and again as the model
 * receives it; older files have the latter only. */
static void
read_prompt(struct log *log, const struct json *r)
{
	const struct json *kind = json_path(r, "origin.kind");

	log->state = log; /* marks that prompts are logged by themselves */
	if (kind == NULL || json_str_is(kind, "user"))
		builder_prompt(log->builder, json_get(r, "input"));
}

static void
read_message(struct log *log, const struct json *m)
{
	const struct json *kind = json_path(m, "origin.kind");

	if (log->state == NULL && field_is(m, "role", "user") &&
	    (kind == NULL || json_str_is(kind, "user")))
		builder_prompt(log->builder, json_get(m, "content"));
}

static void
read_outcome(struct builder *b, const struct json *r)
{
	const struct json *why = field_find(r, "error reason");

	builder_error(b, field_is(r, "reason", "failed") ? why : NULL);
	if (field_is(r, "reason", "cancelled"))
		builder_meta(b, "interrupted", why);
}

/* Drops the turns that the user undid. */
static void
read_undo(struct builder *b, const struct json *r)
{
	int64_t turns;

	if (json_int(json_get(r, "count"), &turns) && turns > 0)
		builder_rewind(b, (size_t)turns);
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *m[MEMBERS], *type;
	bool other;

	json_pick(r, members, MEMBERS, m);
	type = m[TYPE];
	other = m[AGENT] != NULL && !json_str_is(m[AGENT], "main");
	if (json_str_is(type, "metadata")) { /* the first record of a file */
		log->state = NULL;
		builder_begin_run(b);
		return;
	}
	if (m[MESSAGE] != NULL && is_cli_record(r)) {
		read_cli_record(b, r);
		return;
	}
	builder_locate(b, .ts = m[TIME],
	    .message = json_get(m[EVENT], "stepUuid"), .sidechain = other,
	    .agent = other ? m[AGENT] : NULL);
	if (json_str_is(type, "turn.prompt") || json_str_is(type, "turn.steer"))
		read_prompt(log, r);
	else if (json_str_is(type, "context.append_message"))
		read_message(log, m[MESSAGE]);
	else if (json_str_is(type, "context.append_loop_event"))
		read_event(b, m[EVENT]);
	else if (json_str_is(type, "context.undo"))
		read_undo(b, r);
	else if (json_str_is(type, "llm.request")) {
		builder_model(b, json_get(r, "model"));
		builder_set(b, RUN_PROVIDER, json_get(r, "provider"));
	} else if (json_str_is(type, "turn.ended")) {
		builder_turn_duration(b, json_get(r, "durationMs"));
		if (!other)
			read_outcome(b, r);
	}
}

const struct log_format log_format_kimi = {
	.name = "kimi",
	.what = "Kimi Code, kimi-cli: session files (wire.jsonl)",
	.score = score,
	.signs = "message type=metadata type=context.append_loop_event "
		 "type=context.append_message type=turn.prompt",
	.unflagged = UNFLAGGED_OK,
	.read = read_record,
};
