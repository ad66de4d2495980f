/*
 * Conversations of Claude.ai, as its export has them in conversations.json:
 * {"uuid", "name", "chat_messages": [{"sender", "content": [blocks]}]}. The names
 * are those of exports and of descriptions of them (claude-json-schema).
 */
#include "extract/format/log_rows.h"

static const struct log_row blocks[] = {
	LOG_ROW("type=text", LOG_TEXT, .of = "text"),
	LOG_ROW("type=tool_use", LOG_CALL, .id = "id", .tool = "name",
	    .server = "integration_name", .args = "input"),
	LOG_ROW("type=tool_result", LOG_RESULT, .id = "tool_use_id",
	    .tool = "name", .result = "content", .is_error = "is_error"),
	LOG_ROW("type=thinking|redacted_thinking|token_budget|flag|"
		"voice_note|image|document|file",
	    LOG_NOTHING),
	LOG_LAST,
};

/* Reads a message. Older exports have its text only. */
static void
read_message(struct log *log, const struct json *m)
{
	struct builder *b = log->builder;
	const struct json *content = json_get(m, "content");
	const struct json *text = json_get(m, "text");
	struct str id = json_raw(json_get(m, "uuid"));
	bool any = json_count(content) != 0;
	unsigned calls = 0;

	builder_locate(b, .ts = json_get(m, "created_at"));
	if (field_is(m, "sender", "human")) {
		builder_prompt(b, any ? content : text);
		return;
	}
	if (!any)
		builder_text(b, text);
	for (json_each(block, content)) {
		const struct json *ts = field_find(block, "start_timestamp");

		/* Texts on both sides of a call are two texts. */
		calls += field_is_type(block, "tool_use");
		builder_locate(b,
		    .ts = ts != NULL ? ts : json_get(m, "created_at"),
		    .message = copy_string(log->scratch,
			str_printf(
			    log->scratch, "%.*s/%u", STR_FMT(id), calls)));
		log_read_part(log, blocks, block);
	}
}

static const struct log_row messages[] = {
	LOG_ROW("sender=human|assistant", LOG_HOOK, .read = read_message),
	LOG_LAST,
};

#define CHAT "chat_messages=[ uuid"

static const struct log_row rows[] = {
	LOG_ROW(CHAT, LOG_BEGIN, .of = "uuid"),
	LOG_ROW(CHAT, LOG_MODEL, .of = "model"),
	LOG_ROW(CHAT, LOG_META, .of = "name", .name = "title"),
	LOG_ROW(CHAT, LOG_EACH, .of = "chat_messages", .rows = messages),
	LOG_ROW(CHAT, LOG_END),
	LOG_LAST,
};

const struct log_format log_format_claude_ai = {
	.name = "claude-ai",
	.what = "Claude.ai: conversations.json of an export",
	.sure = "chat_messages=[ uuid",
	.unflagged = UNFLAGGED_OK,
	.rows = rows,
	.knows_blocks = true,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
