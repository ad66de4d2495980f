/*
 * Conversations of Claude.ai, as its export has them in conversations.json:
 * {"uuid", "name", "chat_messages": [{"sender", "content": [blocks]}]}. The names
 * are those of exports and of descriptions of them (claude-json-schema).
 */
#include "extract/format/log_format.h"

static int
score(const struct json *r)
{
	return json_is(json_get(r, "chat_messages"), JSON_ARRAY) &&
		json_get(r, "uuid") != NULL
	    ? LOG_FORMAT_SURE
	    : 0;
}

static void
read_block(struct builder *b, const struct json *block)
{
	if (field_is_type(block, "text"))
		builder_text(b, json_get(block, "text"));
	else if (field_is_type(block, "tool_use"))
		builder_call(b, .id = json_get(block, "id"),
		    .tool = json_get(block, "name"),
		    .server = json_get(block, "integration_name"),
		    .args = json_get(block, "input"));
	else if (field_is_type(block, "tool_result"))
		builder_result(b, .id = json_get(block, "tool_use_id"),
		    .tool = json_get(block, "name"),
		    .value = json_get(block, "content"),
		    .is_error = json_get(block, "is_error"));
	else
		builder_unread_block(b, json_raw(json_get(block, "type")));
}

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
		read_block(b, block);
	}
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;

	if (score(r) == 0)
		return;
	builder_begin_run(b);
	builder_set(b, RUN_ID, json_get(r, "uuid"));
	builder_model(b, json_get(r, "model"));
	builder_meta(b, "title", json_get(r, "name"));
	for (json_each(m, json_get(r, "chat_messages")))
		read_message(log, m);
	builder_end_run(b);
}

const struct log_format log_format_claude_ai = {
	.name = "claude-ai",
	.what = "Claude.ai: conversations.json of an export",
	.score = score,
	.signs = "chat_messages",
	.unflagged = UNFLAGGED_OK,
	.read = read_record,
};
