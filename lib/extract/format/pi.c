/*
 * Session files of pi, and of openclaw, which is based on it; and the output of
 * pi with --mode json, where a message is logged while it grows and once it is
 * done.
 */
#include "extract/api/openai_message.h"
#include "extract/format/log_rows.h"

/* Reads which model answered. A message that was aborted before it said anything
 * is no answer. */
static void
read_model(struct log *log, const struct json *m)
{
	const struct json *content = json_get(m, "content");

	if (json_first(content) == NULL && json_raw(content).n == 0)
		return;
	builder_model(log->builder, json_get(m, "model"));
	builder_set_first(log->builder, RUN_PROVIDER, json_get(m, "provider"));
}

static void
read_end(struct log *log, const struct json *m)
{
	const struct json *why = json_get(m, "errorMessage");
	const struct json *stopped = json_get(m, "stopReason");

	builder_error(log->builder, json_str_is(stopped, "error") ? why : NULL);
	if (json_str_is(stopped, "aborted"))
		builder_meta(
		    log->builder, "interrupted", why != NULL ? why : stopped);
}

static void
before(struct log *log, const struct json *r)
{
	enum { TYPE, ID, PARENT, TS, MESSAGE, N };
	static const struct str names[N] = { STR_CONST("type"), STR_CONST("id"),
		STR_CONST("parentId"), STR_CONST("timestamp"),
		STR_CONST("message") };
	const struct json *m[N];

	json_pick(r, names, N, m);
	if (!json_str_is(m[TYPE], "session"))
		builder_locate(log->builder,
		    .ts = m[TS] != NULL ? m[TS]
					: json_get(m[MESSAGE], "timestamp"),
		    .node = m[ID], .after = m[PARENT], .content = m[MESSAGE],
		    /* The user went back to before the first message. */
		    .root = m[ID] != NULL && json_is(m[PARENT], JSON_NULL));
}

static const struct log_row blocks[] = {
	LOG_ROW("type=text", LOG_TEXT, .of = "text"),
	LOG_ROW("type=toolCall", LOG_HOOK, .report = openai_call_read),
	LOG_ROW("type=thinking|image", LOG_NOTHING),
	LOG_LAST,
};

/* A bashExecution is a command that the user ran. */
static const struct log_row messages[] = {
	LOG_ROW("role=user", LOG_PROMPT, .of = "content"),
	LOG_ROW("role=assistant", LOG_HOOK, .read = read_model),
	LOG_ROW("role=assistant", LOG_MESSAGE),
	LOG_ROW("role=assistant", LOG_TEXT, .of = "content"),
	LOG_ROW("role=assistant content=[", LOG_EACH, .of = "content",
	    .rows = blocks),
	LOG_ROW(
	    "role=assistant !stopReason=error", LOG_STOP, .of = "stopReason"),
	LOG_ROW("role=assistant", LOG_USAGE, .of = "usage",
	    .counts = LOG_COUNTS([USAGE_INPUT] = "input",
		[USAGE_OUTPUT] = "output", [USAGE_CACHE_READ] = "cacheRead",
		[USAGE_CACHE_WRITE] = "cacheWrite",
		[USAGE_COST] = "cost.total")),
	LOG_ROW("role=assistant !usage", LOG_REQUEST),
	LOG_ROW("role=assistant", LOG_HOOK, .read = read_end),
	LOG_ROW("role=toolResult", LOG_RESULT, .id = "toolCallId",
	    .tool = "toolName", .result = "content", .is_error = "isError"),
	LOG_ROW("role=bashExecution|custom|hookMessage|branchSummary|"
		"compactionSummary",
	    LOG_NOTHING),
	LOG_LAST,
};

static const struct log_row rows[] = {
	LOG_ROW("type=session", LOG_BEGIN, .of = "id"),
	LOG_ROW("type=session", LOG_META, .name = "cwd", .of = "cwd"),
	LOG_ROW("type=session", LOG_META, .name = "parent_session",
	    .of = "parentSession"),
	LOG_ROW("type=message|message_end", LOG_IN, .of = "message",
	    .rows = messages),
	LOG_ROW("type=session_info", LOG_META, .name = "title", .of = "name"),
	LOG_ROW("type=model_change|thinking_level_change|compaction|"
		"branch_summary|custom|custom_message|label",
	    LOG_NOTHING),
	/* Events that repeat the messages. */
	LOG_ROW("type=agent_start|agent_end|turn_start|turn_end|message_start|"
		"message_update|tool_execution_start|tool_execution_update|"
		"tool_execution_end|compaction_start|compaction_end|"
		"auto_compaction_start|auto_compaction_end|auto_retry_start|"
		"auto_retry_end|queue_update",
	    LOG_NOTHING),
	LOG_LAST,
};

const struct log_format log_format_pi = {
	.name = "pi",
	.what = "pi, openclaw: session files; output of pi --mode json",
	.shared_session = "id",
	.sure = "type=session cwd id timestamp, "
		"type=message|message_end "
		"message.toolCallId|message.stopReason",
	.hint = "1 type=message_start message.role",
	.before = before,
	.rows = rows,
	.knows_blocks = true,
};
