/*
 * Sessions of Continue, in editors and on the command line: one object with
 * "sessionId" and "history".
 */
#include "extract/api/openai_message.h"
#include "extract/format/log_rows.h"
#include "extract/format/unread.h"

/* Reads a call and its outcome; its output is a list of context items. */
static void
read_state(struct log *log, const struct json *state)
{
	struct builder *b = log->builder;
	const struct json *output = json_get(state, "output");
	const struct json *content = json_get(json_first(output), "content");
	bool failed = field_is(state, "status", "errored canceled");

	builder_call(b, .id = json_path(state, "toolCall.id"),
	    .tool = json_path(state, "toolCall.function.name"),
	    .args = json_path(state, "toolCall.function.arguments"),
	    .decode = true);
	if (!failed && !field_is(state, "status", "done"))
		return;
	if (json_count(output) != 1 || content == NULL)
		content = json_count(output) != 0 ? output : NULL;
	builder_result(b, .last = true, .value = content,
	    .is_error = builder_bool(failed));
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
read_assistant(struct log *log, const struct json *item)
{
	struct builder *b = log->builder;
	const struct json *states = json_get(item, "toolCallStates");
	const struct json *state = json_get(item, "toolCallState");

	if (is_summary(item))
		return;
	builder_message(b);
	builder_text_blocks(b, json_path(item, "message.content"));
	for (json_each(one, states))
		read_state(log, one);
	/* Older versions: one call a message. */
	if (json_count(states) == 0 && json_is(state, JSON_OBJECT))
		read_state(log, state);
	else if (json_count(states) == 0)
		for (json_each(call, json_path(item, "message.toolCalls")))
			openai_call_read(b, call);
	builder_llm_call(b, (struct str){ 0 });
}

static void
read_result(struct log *log, const struct json *m)
{
	builder_result(log->builder, .id = json_get(m, "toolCallId"),
	    .value = json_get(m, "content"), .seen = true);
}

static void
read_usage(struct log *log, const struct json *counts)
{
	struct usage u = { 0 };

	field_usage(&u, counts, .input = "promptTokens",
	    .output = "completionTokens",
	    .cache_read = "promptTokensDetails.cachedTokens",
	    .cache_write = "promptTokensDetails.cacheWriteTokens",
	    .cost = "totalCost");
	if (usage_any(&u))
		builder_usage_uncounted(log->builder, &u);
}

static const struct log_row items[] = {
	LOG_ROW("", LOG_LOCATE),
	LOG_ROW("message.role=user", LOG_PROMPT, .of = "message.content"),
	LOG_ROW("message.role=assistant", LOG_HOOK, .read = read_assistant),
	LOG_ROW("message.role=tool", LOG_HOOK, .of = "message",
	    .read = read_result),
	LOG_ROW("message.role=system", LOG_SYSTEM, .of = "message.content"),
	LOG_ROW("message.role=thinking", LOG_NOTHING),
	LOG_ROW("!message.role=user|assistant|tool|system|thinking", LOG_HOOK,
	    .of = "message", .read = log_unread),
	LOG_LAST,
};

#define SESSION "sessionId=\" workspaceDirectory history=["

static const struct log_row rows[] = {
	LOG_ROW(SESSION, LOG_BEGIN, .of = "sessionId"),
	LOG_ROW(SESSION, LOG_MODEL, .of = "chatModelTitle"),
	LOG_ROW(SESSION, LOG_META, .name = "title", .of = "title"),
	LOG_ROW(SESSION, LOG_META, .name = "cwd", .of = "workspaceDirectory"),
	LOG_ROW(SESSION, LOG_META, .name = "mode", .of = "mode"),
	LOG_ROW(SESSION, LOG_EACH, .of = "history", .rows = items),
	LOG_ROW(SESSION, LOG_HOOK, .of = "usage", .read = read_usage),
	LOG_ROW(SESSION, LOG_END),
	LOG_LAST,
};

const struct log_format log_format_continue = {
	.name = "continue",
	.what = "Continue: sessions of its editor extensions and CLI",
	.sure = "workspaceDirectory sessionId=\" history=[ !history.0, "
		"workspaceDirectory sessionId=\" history.0.message.role",
	.rows = rows,
};
