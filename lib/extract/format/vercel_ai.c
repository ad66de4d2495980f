/*
 * The Vercel AI SDK: messages of its user interface, whose parts are calls with
 * their results; messages for a model; and the steps of a run.
 */
#include "extract/format/vercel_ai.h"

#include "extract/format/log_rows.h"

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
vercel_result(struct builder *b, const struct json *part,
    const struct json *tool, bool own)
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
	builder_result(b, .last = own, .id = json_get(part, "toolCallId"),
	    .tool = tool, .value = value, .is_error = builder_bool(failed));
}

/* Reads a part of the user interface, a call with its result once there is
 * one. */
static void
read_shown(struct log *log, const struct json *part)
{
	const struct json *tool = tool_of(log->builder, part);

	vercel_call(log->builder, part, tool);
	if (field_is(part, "state",
		"output-available output-error output-denied result"))
		vercel_result(log->builder, part, tool, true);
}

static void
read_file(struct log *log, const struct json *part)
{
	(void)part; /* perhaps a prompt without words */
	builder_prompt_body(log->builder, STR(""));
}

static void
read_call(struct log *log, const struct json *part)
{
	vercel_call(log->builder, part, tool_of(log->builder, part));
}

static void
read_result(struct log *log, const struct json *part)
{
	vercel_result(log->builder, part, tool_of(log->builder, part), false);
}

/* Parts of messages for both, for a model, and of the user interface. */
#define PARTS \
	LOG_ROW("type=reasoning|redacted-reasoning|source|source-url|" \
		"source-document|step-start|tool-approval-request|" \
		"tool-approval-response", \
	    LOG_NOTHING), \
	    LOG_ROW("type=data-*", LOG_NOTHING), \
	    LOG_ROW("type=tool-call", LOG_HOOK, .read = read_call), \
	    LOG_ROW("type=tool-result|tool-error else", LOG_HOOK, \
		.read = read_result), \
	    LOG_ROW("toolInvocation else", LOG_HOOK, .of = "toolInvocation", \
		.read = read_shown), \
	    LOG_ROW("type=tool-* else, type=dynamic-tool else", LOG_HOOK, \
		.read = read_shown)

static const struct log_row user_parts[] = {
	LOG_ROW("type=text", LOG_PROMPT, .of = "text"),
	LOG_ROW("type=file|image", LOG_HOOK, .read = read_file),
	PARTS,
	LOG_LAST,
};

static const struct log_row parts[] = {
	LOG_ROW("type=text", LOG_TEXT, .of = "text"),
	LOG_ROW("type=file|image", LOG_NOTHING),
	PARTS,
	LOG_LAST,
};

/* ---- messages ---- */

void
vercel_usage_read(struct usage *u, const struct json *counts)
{
	field_usage(u, counts, .input_and_cache = "inputTokens promptTokens",
	    .output = "outputTokens completionTokens",
	    .cache_read = "cachedInputTokens inputTokenDetails.cacheReadTokens",
	    .cache_write = "inputTokenDetails.cacheWriteTokens",
	    .cache_write_1h = "raw.cache_creation.ephemeral_1h_input_tokens",
	    .reasoning = "reasoningTokens outputTokenDetails.reasoningTokens");
}

/* Reads the counts of a message, which may consist of several steps, each a
 * call of a model. */
static void
read_usage(struct log *log, const struct json *m)
{
	double steps = 0;
	struct usage u = { 0 };

	for (json_each(part, json_get(m, "parts")))
		steps += field_is_type(part, "step-start");
	vercel_usage_read(
	    &u, field_find(m, "metadata.totalUsage metadata.usage usage"));
	if (steps != 0)
		usage_set(&u, USAGE_LLM_CALLS, steps);
	builder_usage(log->builder, (struct str){ 0 }, &u, false);
}

static void
read_parts(struct log *log, const struct json *m)
{
	const struct log_row *table =
	    field_is(m, "role", "user") ? user_parts : parts;

	for (json_each(part, field_find(m, "parts content"))) {
		if (field_is_type(part, "step-start")) {
			builder_locate(log->builder,
			    .ts =
				field_find(m, "createdAt metadata.createdAt"));
			builder_message(log->builder);
		}
		log_read_part(log, table, part);
	}
}

#define MESSAGE "role=user|assistant|tool"

static const struct log_row message[] = {
	LOG_ROW("role=system", LOG_SYSTEM, .of = "content parts"),
	LOG_ROW("role=data", LOG_NOTHING),
	LOG_ROW(MESSAGE, LOG_LOCATE, .of = "createdAt metadata.createdAt"),
	/* A message of the user interface may have several steps. */
	LOG_ROW("role=assistant !parts !toolInvocations", LOG_MESSAGE),
	LOG_ROW(MESSAGE, LOG_HOOK, .read = read_parts),
	LOG_ROW("role=user !parts content=\"", LOG_PROMPT, .of = "content"),
	LOG_ROW(MESSAGE " !parts", LOG_HOOK, .each = "toolInvocations",
	    .read = read_shown),
	LOG_ROW("role=assistant !parts", LOG_TEXT, .of = "content"),
	LOG_ROW("role=assistant", LOG_MODEL,
	    .of = "metadata.model metadata.modelId"),
	LOG_ROW("role=assistant", LOG_HOOK, .read = read_usage),
	LOG_LAST,
};

/* ---- what a run returned ---- */

void
vercel_step_end_read(struct log *log, const struct json *step)
{
	struct builder *b = log->builder;
	struct usage u = { 0 };

	builder_model(b, field_find(step, "response.modelId model.modelId"));
	vercel_usage_read(&u, json_get(step, "usage"));
	usage_read(&u, USAGE_CACHE_WRITE_1H,
	    json_path(step,
		"providerMetadata.anthropic.usage.cache_creation."
		"ephemeral_1h_input_tokens"));
	builder_usage(b, (struct str){ 0 }, &u, false);
	builder_stop_reason(b, json_get(step, "finishReason"));
}

/* Older steps have the text, the calls and the results in members of their
 * own. */
static const struct log_row step[] = {
	LOG_ROW("", LOG_LOCATE, .of = "response.timestamp"),
	LOG_ROW("", LOG_MESSAGE),
	LOG_ROW("content", LOG_EACH, .of = "content", .rows = parts),
	LOG_ROW("!content", LOG_TEXT, .of = "text"),
	LOG_ROW("!content", LOG_HOOK, .each = "toolCalls", .read = read_call),
	LOG_ROW(
	    "!content", LOG_HOOK, .each = "toolResults", .read = read_result),
	LOG_ROW("", LOG_HOOK, .read = vercel_step_end_read),
	LOG_LAST,
};

/* The steps of a run, alone or in the result of generateText. */
#define STEPS "0.finishReason 0.usage|0.response 0.content|0.toolCalls=["
#define RESULT \
	"steps.0.finishReason steps.0.usage|steps.0.response " \
	"steps.0.content|steps.0.toolCalls=["

#define MESSAGES "messages=[ !steps"

static const struct log_row rows[] = {
	LOG_ROW("=[", LOG_BEGIN),
	LOG_ROW(RESULT ", " MESSAGES, LOG_BEGIN, .of = "id chatId"),
	LOG_ROW(RESULT, LOG_PROMPT, .of = "prompt"),
	LOG_ROW(RESULT, LOG_EACH, .of = "steps", .rows = step, .apart = true),
	LOG_ROW(STEPS, LOG_EACH, .rows = step, .apart = true),
	LOG_ROW("=[ !0.finishReason", LOG_EACH, .rows = message, .apart = true),
	LOG_ROW(MESSAGES, LOG_EACH, .of = "messages", .rows = message,
	    .apart = true),
	LOG_ROW("=[, " RESULT ", " MESSAGES, LOG_END),
	LOG_ROW("else", LOG_IN, .rows = message, .apart = true),
	LOG_LAST,
};

const struct log_format log_format_vercel_ai = {
	.name = "vercel-ai",
	.what = "Vercel AI SDK: messages of its user interface or for a model",
	.sure = "parts.0.type role !parts.0.content "
		"!parts.0.type=tool_call|tool_call_response, "
		"toolInvocations=[ role, "
		"content.*.type=tool-call|tool-result role, " STEPS ", " RESULT,
	.nested = "* messages.*",
	.unflagged = UNFLAGGED_OK,
	.rows = rows,
	.knows_blocks = true,
};
