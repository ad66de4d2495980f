/*
 * Conversations that the command line of Amazon Q (now Kiro) saves: one object
 * with "conversation_id" and "history", each entry of which holds a user's
 * prompt or the results of calls, and the model's answer.
 */
#include "extract/format/log_format.h"

static int
score(const struct json *r)
{
	const struct json *history = json_get(r, "history");

	return json_is(json_get(r, "conversation_id"), JSON_STRING) &&
		json_is(history, JSON_ARRAY) &&
		(json_count(history) == 0 ||
		    json_path(json_first(history), "user.content") != NULL)
	    ? LOG_FORMAT_SURE
	    : 0;
}

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
read_results(struct builder *b, const struct json *results)
{
	for (json_each(result, results))
		builder_result(b, .id = json_get(result, "tool_use_id"),
		    .value = value_of(json_get(result, "content")),
		    .is_error =
			builder_bool(!field_is(result, "status", "Success")));
}

static void
read_user(struct builder *b, const struct json *user)
{
	const struct json *content = json_get(user, "content");

	read_results(b,
	    field_find(content,
		"ToolUseResults.tool_use_results "
		"CancelledToolUses.tool_use_results"));
	builder_prompt(
	    b, field_find(content, "Prompt.prompt CancelledToolUses.prompt"));
}

static void
read_assistant(struct builder *b, const struct json *assistant)
{
	builder_text(
	    b, field_find(assistant, "Response.content ToolUse.content"));
	for (json_each(call, json_path(assistant, "ToolUse.tool_uses")))
		builder_call(b, .id = json_get(call, "id"),
		    .tool = json_get(call, "name"),
		    .args = json_get(call, "args"));
	builder_usage(b, (struct str){ 0 }, &(struct usage){ 0 }, false);
}

static void
read_entry(struct builder *b, const struct json *entry)
{
	const struct json *user = json_get(entry, "user");
	const struct json *assistant = json_get(entry, "assistant");
	const struct json *request = json_get(entry, "request_metadata");
	const struct json *request_time =
	    json_get(request, "request_start_timestamp_ms");

	builder_locate(b,
	    .ts = request_time != NULL ? request_time
				       : json_get(user, "timestamp"));
	builder_meta(b, "cwd",
	    json_path(user, "env_context.env_state.current_working_directory"));
	read_user(b, user);
	builder_model(b, json_get(request, "model_id"));
	builder_locate(b, .ts = json_get(request, "stream_end_timestamp_ms"));
	if (json_is(assistant, JSON_OBJECT))
		read_assistant(b, assistant);
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;

	if (score(r) == 0)
		return;
	builder_begin_run(b);
	builder_set(b, RUN_ID, json_get(r, "conversation_id"));
	builder_model(b, field_find(r, "model_info.model_id model"));
	for (json_each(entry, json_get(r, "history")))
		read_entry(b, entry);
	builder_end_run(b);
}

const struct log_format log_format_amazon_q = {
	.name = "amazon-q",
	.what = "Amazon Q, Kiro: conversations saved by the CLI",
	.score = score,
	.signs = "conversation_id",
	.read = read_record,
};
