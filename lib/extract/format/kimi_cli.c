/*
 * kimi-cli's wire.jsonl: {"timestamp", "message": {"type": "ToolCall",
 * "payload": {...}}}, where texts and arguments come in parts.
 */
#include "extract/format/kimi_cli.h"

bool
kimi_cli_is(const struct json *r)
{
	return json_is(json_path(r, "message.payload"), JSON_OBJECT) &&
	    json_path(r, "message.type") != NULL &&
	    json_get(r, "timestamp") != NULL;
}

static void
read_call(struct builder *b, const struct json *call)
{
	const struct json *id = json_get(call, "id");

	builder_call(b, .id = id, .tool = json_path(call, "function.name"));
	builder_append_args(b, id, json_path(call, "function.arguments"));
}

static void
read_result(struct builder *b, const struct json *payload)
{
	const struct json *value = json_get(payload, "return_value");
	const struct json *output = json_get(value, "output");

	if (json_is(output, JSON_STRING) && json_raw(output).n == 0)
		output = json_get(value, "message");
	builder_result(b, .id = json_get(payload, "tool_call_id"),
	    .value = output != NULL ? output : value,
	    .is_error = json_get(value, "is_error"));
}

/* The counts of a message are told again while they grow. */
static void
read_status(struct builder *b, const struct json *payload)
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
read_event(struct builder *b, const struct json *event)
{
	const struct json *payload = json_get(event, "payload");

	if (field_is_type(event, "TurnBegin SteerInput"))
		builder_prompt(b, json_get(payload, "user_input"));
	else if (field_is_type(event, "StepBegin"))
		builder_text_ends(b);
	else if (field_is_type(event, "ContentPart") &&
	    field_is_type(payload, "text"))
		builder_append_text(b, json_get(payload, "text"));
	else if (field_is_type(event, "ToolCall"))
		read_call(b, payload);
	else if (field_is_type(event, "ToolCallPart"))
		builder_append_args(
		    b, NULL, json_get(payload, "arguments_part"));
	else if (field_is_type(event, "ToolResult"))
		read_result(b, payload);
	else if (field_is_type(event, "StatusUpdate"))
		read_status(b, payload);
	else if (field_is_type(event, "StepInterrupted"))
		builder_meta(b, "interrupted", json_get(event, "type"));
}

/* What a sub-agent does is told within an event of the call that started it;
 * of agents within agents, the innermost does it. */
void
kimi_cli_read(struct builder *b, const struct json *r)
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
	read_event(b, event);
}
