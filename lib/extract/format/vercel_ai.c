/*
 * The Vercel AI SDK: messages of its user interface, whose parts are calls with
 * their results; messages for a model; and the steps of a run.
 */
#include "extract/format/vercel_ai.h"

#include "extract/format/log_format.h"

static bool
is_tool_part(const struct json *part)
{
	struct str type = json_raw(json_get(part, "type"));

	return str_starts(type, "tool-") || str_is(type, "dynamic-tool");
}

/* Returns whether the part has a type, and is not one that OpenTelemetry
 * defines. */
static bool
is_part(const struct json *part)
{
	return json_get(part, "type") != NULL &&
	    json_get(part, "content") == NULL &&
	    !field_is_type(part, "tool_call tool_call_response");
}

static bool
is_message(const struct json *m)
{
	if (json_get(m, "role") == NULL)
		return false;
	if (is_part(json_at(json_get(m, "parts"), 0)) ||
	    json_is(json_get(m, "toolInvocations"), JSON_ARRAY))
		return true;
	for (json_each(part, json_get(m, "content")))
		if (field_is_type(part, "tool-call tool-result"))
			return true;
	return false;
}

static const struct json *
messages_of(const struct json *r)
{
	const struct json *list =
	    json_is(r, JSON_ARRAY) ? r : json_get(r, "messages");

	for (json_each(m, list))
		if (is_message(m))
			return list;
	return NULL;
}

/* Returns the list of a run's steps, in the result of generateText or logged
 * alone; NULL if there is none. */
static const struct json *
steps_of(const struct json *r)
{
	const struct json *list =
	    json_is(r, JSON_ARRAY) ? r : json_get(r, "steps");
	const struct json *first = json_at(list, 0);

	return json_get(first, "finishReason") != NULL &&
		field_find(first, "usage response") != NULL &&
		(json_is(json_get(first, "content"), JSON_ARRAY) ||
		    json_is(json_get(first, "toolCalls"), JSON_ARRAY))
	    ? list
	    : NULL;
}

static int
score(const struct json *r)
{
	return is_message(r) || messages_of(r) != NULL || steps_of(r) != NULL
	    ? LOG_FORMAT_SURE
	    : 0;
}

/* ---- parts ---- */

/* Returns the name of a part's tool. In messages of the user interface, the
 * type of a call's part is tool-NAME; in messages for a model, the part names
 * its tool. */
static const struct json *
tool_of(struct builder *b, const struct json *part)
{
	const struct json *named = json_get(part, "toolName");
	struct str type = json_raw(json_get(part, "type"));

	return named != NULL ? named : builder_str(b, str_from(type, 5));
}

const struct json *
vercel_args(const struct json *part)
{
	return field_find(part, "input args rawInput");
}

void
vercel_call(struct builder *b, const struct json *part, const struct json *tool)
{
	builder_call(b, .id = json_get(part, "toolCallId"), .tool = tool,
	    .args = vercel_args(part), .decode = true);
}

/* Reads a result. The output may be wrapped in an object that names its
 * type. */
void
vercel_result(
    struct builder *b, const struct json *part, const struct json *tool)
{
	const struct json *value =
	    field_find(part, "output result errorText error");
	const struct json *kind = json_get(value, "type");
	bool typed =
	    field_is_type(value, "text json error-text error-json content");
	bool failed = field_is(part, "state", "output-error output-denied") ||
	    field_is_type(part,
		"tool-error tool-output-error tool-output-denied "
		"tool-input-error") ||
	    json_is(json_get(part, "isError"), JSON_TRUE) ||
	    json_is(json_get(value, "isError"), JSON_TRUE) ||
	    (typed && str_starts(json_raw(kind), "error-"));

	if (typed && json_get(value, "value") != NULL)
		value = json_get(value, "value");
	builder_result(b, .id = json_get(part, "toolCallId"), .tool = tool,
	    .value = value, .is_error = builder_bool(failed));
}

/* Reads a part of the user interface, a call with its result once there is
 * one. */
static void
read_shown(struct builder *b, const struct json *part)
{
	vercel_call(b, part, tool_of(b, part));
	if (field_is(part, "state",
		"output-available output-error output-denied result"))
		vercel_result(b, part, tool_of(b, part));
}

static void
read_part(struct builder *b, const struct json *part, bool by_user)
{
	const struct json *shown = json_get(part, "toolInvocation");

	if (field_is_type(part, "text") && by_user)
		builder_prompt(b, json_get(part, "text"));
	else if (field_is_type(part, "file image") && by_user)
		/* Perhaps a prompt without words. */
		builder_prompt_body(b, STR(""));
	else if (field_is_type(part, "text"))
		builder_text(b, json_get(part, "text"));
	else if (field_is_type(part, "tool-call"))
		vercel_call(b, part, tool_of(b, part));
	else if (field_is_type(part, "tool-result tool-error"))
		vercel_result(b, part, tool_of(b, part));
	else if (shown != NULL)
		read_shown(b, shown);
	else if (is_tool_part(part))
		read_shown(b, part);
	else if (!field_is_type(part, "text"))
		builder_unread_block(b, json_raw(json_get(part, "type")));
}

/* ---- messages ---- */

void
vercel_usage_read(struct usage *u, const struct json *counts)
{
	usage_read(u, USAGE_CACHE_READ,
	    field_find(
		counts, "cachedInputTokens inputTokenDetails.cacheReadTokens"));
	usage_read(u, USAGE_CACHE_WRITE,
	    field_find(counts, "inputTokenDetails.cacheWriteTokens"));
	usage_input_with_cache(
	    u, field_find(counts, "inputTokens promptTokens"));
	usage_read(u, USAGE_OUTPUT,
	    field_find(counts, "outputTokens completionTokens"));
	usage_read(u, USAGE_REASONING,
	    field_find(
		counts, "reasoningTokens outputTokenDetails.reasoningTokens"));
}

/* Reads the counts of a message, which may consist of several steps, each a
 * call of a model. */
static void
read_usage(struct builder *b, const struct json *m)
{
	double steps = 0;
	struct usage u = { 0 };

	for (json_each(part, json_get(m, "parts")))
		steps += field_is_type(part, "step-start");
	vercel_usage_read(
	    &u, field_find(m, "metadata.totalUsage metadata.usage usage"));
	if (steps != 0)
		usage_set(&u, USAGE_LLM_CALLS, steps);
	builder_usage(b, (struct str){ 0 }, &u, false);
}

static void
read_message(struct builder *b, const struct json *m)
{
	const struct json *parts = json_get(m, "parts");
	const struct json *content = json_get(m, "content");
	bool by_user = field_is(m, "role", "user");
	const struct builder_locate at = {
		.ts = field_find(m, "createdAt metadata.createdAt")
	};

	if (field_is(m, "role", "system"))
		return;
	builder_locate_at(b, &at);
	if (parts == NULL && by_user)
		builder_prompt(
		    b, json_is(content, JSON_STRING) ? content : NULL);
	for (json_each(part, parts != NULL ? parts : content)) {
		if (field_is_type(part, "step-start"))
			builder_locate_at(b, &at);
		read_part(b, part, by_user);
	}
	if (parts == NULL)
		for (json_each(shown, json_get(m, "toolInvocations")))
			read_shown(b, shown);
	if (parts == NULL && field_is(m, "role", "assistant"))
		builder_text(b, content);
	builder_model(b, field_find(m, "metadata.model metadata.modelId"));
	if (field_is(m, "role", "assistant"))
		read_usage(b, m);
}

/* ---- what a run returned ---- */

void
vercel_step_end_read(struct builder *b, const struct json *step)
{
	struct usage u = { 0 };

	builder_model(b, field_find(step, "response.modelId model.modelId"));
	vercel_usage_read(&u, json_get(step, "usage"));
	builder_usage(b, (struct str){ 0 }, &u, false);
	builder_stop_reason(b, json_get(step, "finishReason"));
}

/* Reads a step. Older steps have the text, the calls and the results in members
 * of their own. */
static void
read_step(struct builder *b, const struct json *step)
{
	const struct json *content = json_get(step, "content");

	builder_locate(b, .ts = field_find(step, "response.timestamp"));
	for (json_each(part, content))
		read_part(b, part, false);
	if (content == NULL) {
		builder_text(b, json_get(step, "text"));
		for (json_each(call, json_get(step, "toolCalls")))
			vercel_call(b, call, tool_of(b, call));
		for (json_each(result, json_get(step, "toolResults")))
			vercel_result(b, result, tool_of(b, result));
	}
	vercel_step_end_read(b, step);
}

static void
read_steps(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;

	builder_begin_run(b);
	builder_prompt(b, json_get(r, "prompt"));
	for (json_each(step, steps_of(r)))
		read_step(b, step);
	builder_end_run(b);
}

static void
read_record(struct log *log, const struct json *r)
{
	const struct json *list = messages_of(r);

	if (steps_of(r) != NULL) {
		read_steps(log, r);
		return;
	}
	if (list == NULL) {
		if (json_get(r, "role") != NULL)
			read_message(log->builder, r);
		return;
	}
	builder_begin_run(log->builder);
	builder_set(log->builder, RUN_ID,
	    json_is(r, JSON_OBJECT) ? field_find(r, "id chatId") : NULL);
	for (json_each(m, list))
		read_message(log->builder, m);
	builder_end_run(log->builder);
}

const struct log_format log_format_vercel_ai = {
	.name = "vercel-ai",
	.what = "Vercel AI SDK: messages of its user interface or for a model",
	.score = score,
	.signs = "role messages=/parts messages=/toolInvocations "
		 "messages=/content=[ steps [",
	.unflagged = UNFLAGGED_OK,
	.read = read_record,
};
