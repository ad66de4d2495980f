/*
 * Conversations that the command line of Amazon Q (now Kiro) saves: one object
 * with "conversation_id" and "history", each entry of which holds a user's
 * prompt or the results of calls, and the model's answer.
 */
#include "extract/format/log_rows.h"

/* Returns the value of a result, whose content is a list of objects with Text
 * or Json. */
static const struct json *
value_of(const struct json *content)
{
	const struct json *one = json_first(content);

	return json_count(content) == 1 ? field_find(one, "Text Json")
					: content;
}

static void
read_result(struct log *log, const struct json *result)
{
	builder_result(log->builder, .id = json_get(result, "tool_use_id"),
	    .value = value_of(json_get(result, "content")),
	    .is_error = builder_bool(!field_is(result, "status", "Success")));
}

static const struct log_row results[] = {
	LOG_ROW("tool_use_id", LOG_HOOK, .read = read_result),
	LOG_LAST,
};

static const struct log_row calls[] = {
	LOG_ROW("name", LOG_CALL, .id = "id", .tool = "name", .args = "args"),
	LOG_LAST,
};

/* The user's part of an entry, and the model's; other members of either are
 * kinds of messages that later versions may add. */
static const struct log_row questions[] = {
	LOG_ROW("ToolUseResults", LOG_EACH,
	    .of = "ToolUseResults.tool_use_results", .rows = results),
	LOG_ROW("CancelledToolUses", LOG_EACH,
	    .of = "CancelledToolUses.tool_use_results", .rows = results),
	LOG_ROW("Prompt, CancelledToolUses", LOG_PROMPT,
	    .of = "Prompt.prompt CancelledToolUses.prompt"),
	LOG_LAST,
};

static const struct log_row answers[] = {
	LOG_ROW("Response, ToolUse", LOG_MESSAGE),
	LOG_ROW("Response, ToolUse", LOG_TEXT,
	    .of = "Response.content ToolUse.content"),
	LOG_ROW("ToolUse", LOG_EACH, .of = "ToolUse.tool_uses", .rows = calls),
	LOG_ROW("Response, ToolUse", LOG_REQUEST),
	LOG_LAST,
};

static const struct log_row entries[] = {
	LOG_ROW("", LOG_LOCATE,
	    .of = "request_metadata.request_start_timestamp_ms user.timestamp"),
	LOG_ROW("", LOG_META, .name = "cwd",
	    .of = "user.env_context.env_state.current_working_directory"),
	LOG_ROW("", LOG_IN, .of = "user.content", .rows = questions),
	LOG_ROW("", LOG_MODEL, .of = "request_metadata.model_id"),
	LOG_ROW(
	    "", LOG_LOCATE, .of = "request_metadata.stream_end_timestamp_ms"),
	LOG_ROW("assistant={", LOG_IN, .of = "assistant", .rows = answers),
	LOG_LAST,
};

#define CONVERSATION "conversation_id=\" history=["

static const struct log_row rows[] = {
	LOG_ROW(CONVERSATION, LOG_BEGIN, .of = "conversation_id"),
	LOG_ROW(CONVERSATION, LOG_MODEL, .of = "model_info.model_id model"),
	LOG_ROW(CONVERSATION, LOG_EACH, .of = "history", .rows = entries),
	LOG_ROW(CONVERSATION, LOG_END),
	LOG_LAST,
};

const struct log_format log_format_amazon_q = {
	.name = "amazon-q",
	.what = "Amazon Q, Kiro: conversations saved by the CLI",
	.sure = "conversation_id=\" history=[ !history.0, "
		"conversation_id=\" history.0.user.content",
	.rows = rows,
};
