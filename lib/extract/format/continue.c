/*
 * Sessions of Continue, in editors and on the command line: one object with
 * "sessionId" and "history".
 */
#include "extract/format/log_format.h"

static int
score(const struct json *r)
{
	const struct json *history = json_get(r, "history");

	return json_is(json_get(r, "sessionId"), JSON_STRING) &&
		json_get(r, "workspaceDirectory") != NULL &&
		json_is(history, JSON_ARRAY) &&
		(json_count(history) == 0 ||
		    json_path(json_first(history), "message.role") != NULL)
	    ? LOG_FORMAT_SURE
	    : 0;
}

static void
read_call(struct builder *b, const struct json *call)
{
	builder_call(b, .id = json_get(call, "id"),
	    .tool = json_path(call, "function.name"),
	    .args = json_path(call, "function.arguments"), .decode = true);
}

/* Reads a call and its outcome; its output is a list of context items. */
static void
read_state(struct builder *b, const struct json *state)
{
	const struct json *output = json_get(state, "output");
	const struct json *content = json_get(json_first(output), "content");
	bool failed = field_is(state, "status", "errored canceled");

	read_call(b, json_get(state, "toolCall"));
	if (!failed && !field_is(state, "status", "done"))
		return;
	if (json_count(output) != 1 || content == NULL)
		content = json_count(output) != 0 ? output : NULL;
	builder_result(b, .id = json_path(state, "toolCall.id"),
	    .value = content, .is_error = builder_bool(failed));
}

static void
read_calls(struct builder *b, const struct json *item)
{
	const struct json *states = json_get(item, "toolCallStates");
	const struct json *state = json_get(item, "toolCallState");

	for (json_each(one, states))
		read_state(b, one);
	if (json_count(states) != 0)
		return;
	/* Older versions: one call a message. */
	if (json_is(state, JSON_OBJECT)) {
		read_state(b, state);
		return;
	}
	for (json_each(call, json_path(item, "message.toolCalls")))
		read_call(b, call);
}

/* Returns whether an item is a summary of the history before it: a summary is a
 * message of its own, or is kept with a message of the model. */
static bool
is_summary(const struct json *item)
{
	const struct json *summary = json_get(item, "conversationSummary");

	return summary != NULL &&
	    str_eq(json_raw(summary),
		json_raw(json_path(item, "message.content")));
}

static void
read_assistant(struct builder *b, const struct json *item)
{
	const struct json *content = json_path(item, "message.content");

	builder_text(b, content);
	for (json_each(part, content))
		builder_text(b, json_get(part, "text"));
	read_calls(b, item);
	builder_usage(b, (struct str){ 0 }, &(struct usage){ 0 }, false);
}

static void
read_item(struct builder *b, const struct json *item)
{
	const struct json *m = json_get(item, "message");

	builder_locate(b, 0);
	if (field_is(m, "role", "user"))
		builder_prompt(b, json_get(m, "content"));
	else if (field_is(m, "role", "assistant") && !is_summary(item))
		read_assistant(b, item);
	else if (field_is(m, "role", "tool"))
		builder_result(b, .id = json_get(m, "toolCallId"),
		    .value = json_get(m, "content"), .seen = true);
}

static void
read_usage(struct builder *b, const struct json *counts)
{
	struct usage u = { 0 };

	usage_read(&u, USAGE_INPUT, json_get(counts, "promptTokens"));
	usage_read(&u, USAGE_OUTPUT, json_get(counts, "completionTokens"));
	usage_read(&u, USAGE_CACHE_READ,
	    json_path(counts, "promptTokensDetails.cachedTokens"));
	usage_read(&u, USAGE_CACHE_WRITE,
	    json_path(counts, "promptTokensDetails.cacheWriteTokens"));
	usage_read(&u, USAGE_COST, json_get(counts, "totalCost"));
	if (usage_any(&u))
		builder_usage_uncounted(b, &u);
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;

	if (score(r) == 0)
		return;
	builder_begin_run(b);
	builder_set(b, RUN_ID, json_get(r, "sessionId"));
	builder_model(b, json_get(r, "chatModelTitle"));
	builder_meta(b, "title", json_get(r, "title"));
	builder_meta(b, "cwd", json_get(r, "workspaceDirectory"));
	builder_meta(b, "mode", json_get(r, "mode"));
	for (json_each(item, json_get(r, "history")))
		read_item(b, item);
	read_usage(b, json_get(r, "usage"));
	builder_end_run(b);
}

const struct log_format log_format_continue = {
	.name = "continue",
	.what = "Continue: sessions of its editor extensions and CLI",
	.score = score,
	.signs = "workspaceDirectory",
	.read = read_record,
};
