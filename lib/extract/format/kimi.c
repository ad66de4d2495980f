/*
 * Kimi's command line: wire.jsonl of a session, one record a line, as Kimi Code
 * writes it, and as its predecessor kimi-cli did.
 */
#include "extract/format/log_rows.h"

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
cli_call(struct log *log, const struct json *call)
{
	const struct json *id = json_get(call, "id");

	builder_call(
	    log->builder, .id = id, .tool = json_path(call, "function.name"));
	builder_append_args(
	    log->builder, id, json_path(call, "function.arguments"));
}

static void
cli_result(struct log *log, const struct json *payload)
{
	const struct json *value = json_get(payload, "return_value");
	const struct json *output = json_get(value, "output");

	if (json_is(output, JSON_STRING) && json_raw(output).n == 0)
		output = json_get(value, "message");
	builder_result(log->builder, .id = json_get(payload, "tool_call_id"),
	    .value = output != NULL ? output : value,
	    .is_error = json_get(value, "is_error"));
}

static const struct log_row cli_events[] = {
	LOG_ROW("type=TurnBegin|SteerInput", LOG_PROMPT,
	    .of = "payload.user_input"),
	LOG_ROW("type=StepBegin", LOG_TEXT_END),
	LOG_ROW("type=ContentPart payload.type=text, type=ToolCall",
	    LOG_MESSAGE_BY_ORDER),
	LOG_ROW("type=ContentPart payload.type=text", LOG_PIECE,
	    .of = "payload.text"),
	LOG_ROW("type=ContentPart payload.type=think|image_url|audio_url|"
		"video_url",
	    LOG_NOTHING),
	LOG_ROW("type=ToolCall", LOG_HOOK, .of = "payload", .read = cli_call),
	LOG_ROW("type=ToolCallPart", LOG_ARGS, .of = "payload.arguments_part"),
	LOG_ROW(
	    "type=ToolResult", LOG_HOOK, .of = "payload", .read = cli_result),
	/* The counts of a message are repeated while they grow. */
	LOG_ROW("type=StatusUpdate payload.token_usage", LOG_USAGE,
	    .of = "payload.token_usage", .id = "payload.message_id",
	    .counts = LOG_COUNTS([USAGE_INPUT] = "input_other",
		[USAGE_OUTPUT] = "output",
		[USAGE_CACHE_READ] = "input_cache_read",
		[USAGE_CACHE_WRITE] = "input_cache_creation")),
	LOG_ROW("type=StatusUpdate !payload.token_usage", LOG_NOTHING),
	LOG_ROW("type=StepInterrupted", LOG_META, .name = "interrupted",
	    .of = "type"),
	LOG_ROW("type=TurnEnd|CompactionBegin|CompactionEnd|ApprovalRequest|"
		"ApprovalResponse|ApprovalRequestResolved",
	    LOG_NOTHING),
	LOG_LAST,
};

/* Reads a record. The work of a sub-agent is in an event of the call that
 * started it; of nested agents, the innermost does the work. */
static void
read_cli_record(struct log *log, const struct json *r)
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
	builder_locate_at(log->builder, &at);
	log_read_part(log, cli_events, event);
}

/* ---- records of Kimi Code ---- */

static void
read_result(struct log *log, const struct json *event)
{
	const struct json *result = json_get(event, "result");
	const struct json *output = json_get(result, "output");

	builder_result(log->builder, .id = json_get(event, "toolCallId"),
	    .value = output != NULL ? output : result,
	    .is_error = field_find(result, "isError is_error"));
}

static const struct log_row events[] = {
	LOG_ROW("type=tool.call", LOG_CALL, .id = "toolCallId", .tool = "name",
	    .args = "args"),
	LOG_ROW("type=tool.result", LOG_HOOK, .read = read_result),
	LOG_ROW("type=step.end", LOG_USAGE, .of = "usage",
	    .id = "uuid messageId",
	    .counts = LOG_COUNTS([USAGE_INPUT] = "inputOther",
		[USAGE_OUTPUT] = "output",
		[USAGE_CACHE_READ] = "inputCacheRead",
		[USAGE_CACHE_WRITE] = "inputCacheCreation")),
	LOG_ROW("type=step.end", LOG_STOP, .of = "finishReason"),
	LOG_ROW("type=step.begin", LOG_NOTHING),
	LOG_ROW(
	    "type=content.part part.type=text", LOG_TEXT, .of = "part.text"),
	LOG_ROW("type=content.part part.type=think|image_url|audio_url|"
		"video_url",
	    LOG_NOTHING),
	LOG_LAST,
};

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

	if (log->state == NULL && (kind == NULL || json_str_is(kind, "user")))
		builder_prompt(log->builder, json_get(m, "content"));
}

static void
begin(struct log *log, const struct json *r)
{
	(void)r;
	log->state = NULL;
	builder_begin_run(log->builder);
}

static void
before(struct log *log, const struct json *r)
{
	const struct json *agent = json_get(r, "agentId");
	bool other = agent != NULL && !json_str_is(agent, "main");

	if (!field_is_type(r, "metadata") && !is_cli_record(r))
		builder_locate(log->builder, .ts = json_get(r, "time"),
		    .message = json_path(r, "event.stepUuid"),
		    .sidechain = other, .agent = other ? agent : NULL);
	if (json_path(r, "event.stepUuid") != NULL)
		builder_message(log->builder);
}

static const struct log_row rows[] = {
	LOG_ROW("type=metadata", LOG_HOOK, .read = begin), /* of a file */
	LOG_ROW("message.payload message.type timestamp", LOG_HOOK,
	    .read = read_cli_record),
	LOG_ROW("type=turn.prompt|turn.steer", LOG_HOOK, .read = read_prompt),
	LOG_ROW("type=context.append_message message.role=user", LOG_HOOK,
	    .of = "message", .read = read_message),
	LOG_ROW("type=context.append_message message.role=system", LOG_SYSTEM,
	    .of = "message.content"),
	LOG_ROW("type=context.append_loop_event", LOG_IN, .of = "event",
	    .rows = events),
	LOG_ROW("type=context.undo", LOG_REWIND, .of = "count"),
	LOG_ROW("type=llm.request", LOG_MODEL, .of = "model"),
	LOG_ROW("type=llm.request", LOG_SET, .member = RUN_PROVIDER,
	    .of = "provider"),
	LOG_ROW("type=turn.ended", LOG_TURN_MS, .of = "durationMs"),
	LOG_ROW("type=turn.ended reason=failed !agentId, "
		"type=turn.ended reason=failed agentId=main",
	    LOG_ERROR, .of = "error reason"),
	LOG_ROW("type=turn.ended !reason=failed !agentId, "
		"type=turn.ended !reason=failed agentId=main",
	    LOG_NO_ERROR),
	LOG_ROW("type=turn.ended reason=cancelled !agentId, "
		"type=turn.ended reason=cancelled agentId=main",
	    LOG_META, .name = "interrupted", .of = "error reason"),
	LOG_ROW("type=forked|turn.cancel|config.update|permission.set_mode|"
		"permission.record_approval_result|full_compaction.begin|"
		"full_compaction.cancel|full_compaction.complete|"
		"micro_compaction.apply|plan_mode.enter|plan_mode.cancel|"
		"plan_mode.exit|swarm_mode.enter|swarm_mode.exit|"
		"tools.register_user_tool|tools.unregister_user_tool|"
		"tools.set_active_tools|tools.reset_active_tools|"
		"tools.update_store|usage.record|context.clear|"
		"context.apply_compaction|goal.create|goal.update|goal.clear|"
		"llm.tools_snapshot|mcp.tools_discovered|profile.bind|"
		"task.started|task.terminated|interaction.request|"
		"interaction.resolved|plan.revision|"
		"interruptionReminder.recorded|plugin.session_start|"
		"runtime.set_binding|token_counting.measured|"
		"token_counting.turn_recorded",
	    LOG_NOTHING),
	LOG_LAST,
};

const struct log_format log_format_kimi = {
	.name = "kimi",
	.what = "Kimi Code, kimi-cli: session files (wire.jsonl)",
	.sure = "type=metadata protocol_version, "
		"message.payload={ message.type timestamp, "
		"type=context.append_loop_event|context.append_message|"
		"turn.prompt time",
	.unflagged = UNFLAGGED_OK,
	.before = before,
	.rows = rows,
};
