/*
 * Factory's Droid: files of sessions, a line {"type": "session_start"} and then
 * {"type": "message", "message"} with Anthropic's messages; and the output of
 * droid exec as stream-json (system, message, tool_call, tool_result,
 * completion).
 */
#include "extract/api/anthropic_message.h"
#include "extract/format/log_rows.h"

/* ---- files of sessions ---- */

static bool
has_result(const struct json *content)
{
	for (json_each(block, content))
		if (anthropic_block_is_result(block))
			return true;
	return false;
}

/* Returns the user's text in a prompt. The program adds texts of its own:
 * reminders before it, files after it. */
static const struct json *
prompt_in(struct builder *b, const struct json *content)
{
	const struct json *found = NULL;

	for (json_each(block, content)) {
		const struct json *text = json_get(block, "text");

		if (text == NULL)
			builder_unread_part(b, block);
		else if (found == NULL &&
		    !str_starts(json_raw(text), "<system-reminder>"))
			found = text;
	}
	return found;
}

static void
read_message(struct log *log, const struct json *m)
{
	struct builder *b = log->builder;
	const struct json *role = json_get(m, "role");
	const struct json *content = json_get(m, "content");

	if (json_str_is(role, "user") && json_is(content, JSON_ARRAY) &&
	    !has_result(content)) {
		builder_prompt(b, prompt_in(b, content));
		return;
	}
	anthropic_content_read(b, role, content);
	if (json_str_is(role, "assistant")) {
		builder_model(b, json_get(m, "modelId"));
		builder_llm_call(b, (struct str){ 0 });
	}
}

/* ---- what is printed ---- */

struct printed {
	bool ended; /* the session has ended; it may continue */
};

static void
read_completion(struct log *log, const struct json *r)
{
	struct printed *s = log->state;
	struct builder *b = log->builder;
	const struct json *counts = json_get(r, "usage");
	const struct json *text = json_get(r, "finalText");
	bool failed = json_is(json_get(r, "isError"), JSON_TRUE);
	struct usage u = { 0 };

	anthropic_usage_read(&u, counts);
	usage_read(&u, USAGE_REASONING, json_get(counts, "thinking_tokens"));
	builder_total(b, &u);
	builder_set(b, RUN_FINAL, failed ? NULL : text);
	builder_error(b, failed ? text : NULL);
	builder_set(
	    b, RUN_DURATION, s->ended ? NULL : json_get(r, "durationMs"));
	s->ended = true;
	builder_meta(b, "num_turns", json_get(r, "numTurns"));
}

static void
before(struct log *log, const struct json *r)
{
	struct printed *s = log->state;

	if (s->ended && field_is_type(r, "message tool_call"))
		builder_reopen(log->builder);
	builder_locate(log->builder, .ts = json_get(r, "timestamp"));
}

static const struct log_row printed[] = {
	LOG_ROW("type=system", LOG_MODEL, .of = "model"),
	LOG_ROW("type=system", LOG_META, .name = "cwd", .of = "cwd"),
	LOG_ROW("type=message role=user", LOG_PROMPT, .of = "text"),
	LOG_ROW("type=message role=assistant", LOG_NO_ERROR),
	LOG_ROW("type=message role=assistant", LOG_MESSAGE, .id = "id"),
	LOG_ROW("type=tool_call", LOG_MESSAGE, .id = "messageId"),
	LOG_ROW("type=message role=assistant", LOG_TEXT, .of = "text"),
	LOG_ROW("type=message role=system", LOG_SYSTEM, .of = "content text"),
	LOG_ROW("type=reasoning", LOG_NOTHING),
	LOG_ROW("type=tool_call", LOG_CALL, .id = "toolCallId id",
	    .tool = "toolName", .args = "parameters"),
	LOG_ROW("type=tool_result error", LOG_RESULT, .id = "toolCallId id",
	    .result = "error", .failed = "error"),
	LOG_ROW("type=tool_result !error", LOG_RESULT, .id = "toolCallId id",
	    .result = "value", .is_error = "isError"),
	LOG_ROW("type=completion", LOG_HOOK, .read = read_completion),
	LOG_ROW("type=error", LOG_ERROR, .of = "message error"),
	LOG_LAST,
};

/* Only the model was given some messages, or only the user was shown them. */
#define ASIDE "type=message message.visibility !message.visibility=both"
#define ASIDE_TOO "type=message !message.visibility visibility !visibility=both"

static const struct log_row rows[] = {
	LOG_ROW("session_id !type=session_start", LOG_IN, .of = "",
	    .rows = printed),
	LOG_ROW("type=session_start", LOG_RUN, .of = "id"),
	LOG_ROW("type=session_start", LOG_META, .name = "title",
	    .of = "sessionTitle title"),
	LOG_ROW("type=session_start", LOG_META, .name = "cwd", .of = "cwd"),
	LOG_ROW(
	    "type=session_start", LOG_META, .name = "version", .of = "version"),
	LOG_ROW("type=session_start", LOG_META, .name = "parent_session",
	    .of = "callingSessionId parent"),
	LOG_ROW(ASIDE "," ASIDE_TOO, LOG_NOTHING),
	LOG_ROW("type=message else", LOG_HOOK, .of = "message",
	    .read = read_message),
	LOG_ROW(
	    "type=agent_turn_outcome reason=error", LOG_ERROR, .of = "reason"),
	LOG_ROW("type=agent_turn_outcome !reason=error", LOG_NO_ERROR),
	LOG_ROW("type=agent_turn_outcome reason=cancelled", LOG_META,
	    .name = "interrupted", .of = "reason"),
	LOG_ROW("type=todo_state|session_settings|compaction_state|session_end",
	    LOG_NOTHING),
	LOG_LAST,
};

const struct log_format log_format_droid = {
	.name = "droid",
	.what = "Factory Droid: session files, output of droid exec",
	.sure = "type=session_start id, "
		"type=system session_id model "
		"!uuid|mcp_servers|apiKeySource|permissionMode, "
		"type=message session_id text=\", "
		"type=tool_call session_id toolName, "
		"type=completion session_id finalText",
	.unflagged = UNFLAGGED_OK,
	.session = "session_id",
	.record_id = "id type",
	.before = before,
	.rows = rows,
	.state = sizeof(struct printed),
};
