/*
 * Block's goose: exported sessions, session files with one message a line, and
 * the output of goose run as json or stream-json. All consist of the same
 * messages.
 */
#include "extract/api/gemini_content.h"
#include "extract/format/log_rows.h"
#include "extract/format/unread.h"

static bool
is_message(const struct json *m)
{
	return field_is(m, "role", "user assistant") &&
	    json_is(json_get(m, "created"), JSON_NUMBER) &&
	    json_is(json_get(m, "content"), JSON_ARRAY);
}

/* Returns the list of messages that one value holds, or NULL. */
static const struct json *
messages_of(const struct json *r)
{
	const struct json *list = field_find(r, "conversation messages");

	return is_message(json_at(list, 0)) &&
		field_find(r, "working_dir metadata.status") != NULL
	    ? list
	    : NULL;
}

/* Returns whether r is the first line of a session file. */
static bool
is_header(const struct json *r)
{
	return json_get(r, "working_dir") != NULL &&
	    json_get(r, "message_count") != NULL &&
	    json_get(r, "description") != NULL;
}

/* Reads a call. A call that the program could not parse has an error in place
 * of a value. */
static void
read_call(struct builder *b, const struct json *block)
{
	const struct json *call = json_path(block, "toolCall.value");

	if (call != NULL)
		gemini_call(b, json_get(block, "id"), json_get(call, "name"),
		    json_get(call, "arguments"));
}

static void
read_result(struct builder *b, const struct json *block)
{
	const struct json *result = json_get(block, "toolResult");
	const struct json *value = field_find(result, "value error");
	bool failed = field_is(result, "status", "error") ||
	    json_is(json_get(value, "isError"), JSON_TRUE);

	builder_result(b, .id = json_get(block, "id"), .value = value,
	    .is_error = builder_bool(failed));
}

/* Blocks that carry nothing, beside those that carry nothing in most formats. */
#define NOT_READ \
	"redactedThinking toolConfirmationRequest actionRequired " \
	"systemNotification contextLengthExceeded summarizationRequested " \
	"conversationCompacted"

/* Reads a message. The streamed pieces of a message have its id. */
static void
read_message(struct log *log, const struct json *m)
{
	struct builder *b = log->builder;
	bool by_user = field_is(m, "role", "user"), has_text = false;

	/* Only the model sees these: summaries, and requests to continue. */
	if (json_is(json_path(m, "metadata.userVisible"), JSON_FALSE))
		return;
	builder_locate(
	    b, .ts = json_get(m, "created"), .message = json_get(m, "id"));
	if (field_find(m, "id") == NULL)
		builder_end_text(b);
	if (!by_user)
		builder_message(b);
	for (json_each(block, json_get(m, "content"))) {
		const struct json *text = json_get(block, "text");

		if (field_is_type(block, "toolRequest frontendToolRequest"))
			read_call(b, block);
		else if (field_is_type(block, "toolResponse"))
			read_result(b, block);
		else if (field_is_type(block, "text") && by_user)
			builder_prompt(b, text);
		else if (field_is_type(block, "image") && by_user)
			builder_prompt_body(b, STR(""));
		else if (field_is_type(block, "text"))
			(has_text ? builder_text : builder_append_text)(
			    b, text);
		else if (!field_is_type(block, NOT_READ))
			builder_unread_block(
			    b, json_raw(json_get(block, "type")));
		has_text = has_text || field_is_type(block, "text toolRequest");
	}
	if (!by_user && has_text)
		builder_llm_call(b, json_raw(json_get(m, "id")));
}

static struct usage
counts_of(const struct json *r)
{
	struct usage u = { 0 };

	field_usage(&u, r, .input = "accumulated_input_tokens input_tokens",
	    .output = "accumulated_output_tokens output_tokens",
	    .cost = "accumulated_cost_usd cost_usd");
	return u;
}

static void
emit_counts(struct builder *b, const struct usage *u)
{
	if (u->known != 0)
		builder_total(b, u);
}

static void
read_about(struct builder *b, const struct json *r)
{
	builder_begin_run(b);
	builder_set(b, RUN_ID, json_get(r, "id"));
	builder_set(b, RUN_PROVIDER, json_get(r, "provider_name"));
	builder_model(b, json_path(r, "model_config.model_name"));
	builder_meta(b, "cwd", json_get(r, "working_dir"));
	builder_meta(b, "title", field_find(r, "name description"));
}

/* Adds the counts of a file's first line, which belong to the messages after
 * it. */
static void
end(struct log *log)
{
	struct usage *u = log->state;

	emit_counts(log->builder, u);
	*u = (struct usage){ 0 };
}

static void
before(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;

	if (json_get(r, "type") == NULL)
		return;
	if (!builder_has_prompt(b))
		builder_no_prompt(b);
	builder_set_broken(b, !field_is_type(r, "complete error"));
}

static void
read_session(struct log *log, const struct json *r)
{
	const struct json *list = messages_of(r);

	if (list == NULL && !is_header(r)) {
		log_unread(log, r);
		return;
	}
	end(log);
	read_about(log->builder, r);
	*(struct usage *)log->state = counts_of(r);
	if (list == NULL)
		return;
	for (json_each(m, list))
		read_message(log, m);
	end(log);
	builder_end_run(log->builder);
}

static void
read_complete(struct log *log, const struct json *r)
{
	struct usage u = counts_of(r);

	emit_counts(log->builder, &u);
	builder_end_run(log->builder);
}

static const struct log_row rows[] = {
	LOG_ROW(
	    "role=user|assistant content=[", LOG_HOOK, .read = read_message),
	LOG_ROW(
	    "type=message", LOG_HOOK, .of = "message", .read = read_message),
	LOG_ROW("type=model_change", LOG_MODEL, .of = "model"),
	LOG_ROW("type=error", LOG_ERROR, .of = "error"),
	LOG_ROW("type=complete", LOG_HOOK, .read = read_complete),
	LOG_ROW("type=notification", LOG_NOTHING),
	LOG_ROW("!type working_dir, !type metadata.status", LOG_HOOK,
	    .read = read_session),
	LOG_LAST,
};

const struct log_format log_format_goose = {
	.name = "goose",
	.what = "Goose: sessions, JSON output of goose run",
	.sure = "working_dir message_count description, "
		"working_dir conversation.0.created=#, "
		"working_dir messages.0.created=# messages.0.content=[, "
		"metadata.status messages.0.created=# messages.0.content=[, "
		"created=# role=user|assistant content=[ "
		"metadata.userVisible, "
		"created=# role=user|assistant "
		"content.0.type=toolRequest|toolResponse, "
		"type=message message.role=user|assistant message.created=# "
		"message.content=[, type=complete total_tokens, "
		"type=notification extension_id",
	.hint = "50 created=# role=user|assistant content=[",
	.unflagged = UNFLAGGED_OK,
	.before = before,
	.rows = rows,
	.state = sizeof(struct usage),
	.knows_blocks = true,
	.end = end,
};
