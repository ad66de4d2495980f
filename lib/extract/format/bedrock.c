/*
 * Amazon Bedrock's Converse API: responses, requests, events of streams,
 * batches, and the invocation logs that Bedrock itself writes.
 */
#include "extract/format/bedrock.h"

#include "extract/api/anthropic_event.h"
#include "extract/api/anthropic_message.h"
#include "extract/api/openai_chunk.h"
#include "extract/api/openai_message.h"
#include "extract/format/log_rows.h"
#include "extract/format/resent_history.h"
#include "extract/format/unread.h"

#define ERRORS "errorCode error.errorMessage response.Error error"

/* Blocks of a message that are read, or that carry nothing. */
#define BLOCKS \
	"text citationsContent guardContent " \
	"reasoningContent cachePoint image document video audio searchResult"

static bool
is_stream(const struct json *r)
{
	return field_find(r,
		   "messageStart.role contentBlockDelta.delta "
		   "contentBlockStart.start contentBlockStop.contentBlockIndex "
		   "messageStop.stopReason") != NULL;
}

static bool
is_response(const struct json *r)
{
	return json_path(r, "output.message.content") != NULL &&
	    json_get(r, "stopReason") != NULL;
}

/* Returns whether m is a message of this API. Its blocks have no type, but a
 * key that names their kind. */
static bool
is_message(const struct json *m)
{
	for (json_each(block, json_get(m, "content")))
		if (field_find(block,
			"toolUse.toolUseId toolResult.toolUseId") != NULL)
			return true;
	return false;
}

static const struct json *
messages_of(const struct json *r)
{
	return json_is(r, JSON_ARRAY)
	    ? r
	    : field_find(r,
		  "messages request.messages input.inputBodyJson.messages "
		  "modelInput.messages");
}

static const struct json *
response_of(const struct json *r)
{
	const struct json *logged =
	    field_find(r, "output.outputBodyJson modelOutput");

	if (is_response(r))
		return r;
	return logged != NULL ? logged : json_get(r, "response");
}

static bool
is_logged(const struct json *r)
{
	return field_is(r, "schemaType", "ModelInvocationLog");
}

/* Returns whether r is what a batch wrote about one of its requests. */
static bool
is_of_batch(const struct json *r)
{
	return json_get(r, "recordId") != NULL &&
	    json_is(json_get(r, "modelInput"), JSON_OBJECT);
}

/* Returns whether r is a message by itself, whose run is the file. */
static bool
is_line(const struct json *r)
{
	const struct json *first = json_at(json_get(r, "content"), 0);

	return field_is(r, "role", "user assistant") &&
	    (is_message(r) ||
		(json_is(json_get(first, "text"), JSON_STRING) &&
		    json_get(first, "type") == NULL));
}

/* Returns whether r is a record of an invocation, which may have failed. */
static bool
is_invocation(const struct json *r)
{
	return json_get(r, "modelId") != NULL &&
	    field_is(r, "operation",
		"Converse ConverseStream InvokeModel "
		"InvokeModelWithResponseStream");
}

static int
score(const struct json *r)
{
	if (is_stream(r) || is_response(response_of(r)) || is_logged(r) ||
	    is_of_batch(r) || is_invocation(r))
		return LOG_FORMAT_SURE;
	if (is_line(r))
		return is_message(r) ? LOG_FORMAT_SURE : LOG_FORMAT_SURE / 2;
	for (json_each(m, messages_of(r)))
		if (is_message(m))
			return LOG_FORMAT_SURE;
	return 0;
}

/* Reads counts. The input count excludes tokens read from or written to a
 * cache. A model that is invoked natively counts in the words of its own
 * API. */
void
bedrock_usage_read(struct builder *b, const struct json *counts)
{
	struct usage u = { 0 };

	field_usage(&u, counts, .input = "inputTokens",
	    .output = "outputTokens", .cache_read = "cacheReadInputTokens",
	    .cache_write = "cacheWriteInputTokens");
	if (json_get(counts, "prompt_tokens") != NULL)
		openai_usage_read(&u, counts);
	else if (json_get(counts, "input_tokens") != NULL)
		anthropic_usage_read(&u, counts);
	builder_usage(b, (struct str){ 0 }, &u, false);
}

/* ---- messages ---- */

static void
read_result(struct builder *b, const struct json *result)
{
	const struct json *status = json_get(result, "status");

	builder_result(b, .id = json_get(result, "toolUseId"),
	    .value = json_get(result, "content"),
	    .is_error = status == NULL
		? NULL
		: builder_bool(json_str_is(status, "error")));
}

/* Reads a text block. A text with citations keeps its parts beside what each
 * part cites. */
static void
read_text(struct builder *b, const struct json *block)
{
	builder_text(b, json_get(block, "text"));
	for (json_each(part, json_path(block, "citationsContent.content")))
		builder_text(b, json_get(part, "text"));
}

static void
read_block(struct builder *b, const struct json *block, bool model)
{
	const struct json *call = json_get(block, "toolUse");

	if (json_get(block, "toolResult") != NULL)
		read_result(b, json_get(block, "toolResult"));
	else if (call != NULL)
		builder_call(b, .id = json_get(call, "toolUseId"),
		    .tool = json_get(call, "name"),
		    .args = json_get(call, "input"));
	else if (field_find(block, BLOCKS) == NULL)
		builder_unread_part(b, block);
	else if (model)
		read_text(b, block);
	else
		builder_prompt(
		    b, field_find(block, "text guardContent.text.text"));
}

static bool
by_model(const struct json *m)
{
	return field_is(m, "role", "assistant");
}

/* Returns whether m is a message in the words of Anthropic's API: the model was
 * invoked natively. */
static bool
is_anthropic(const struct json *m)
{
	return json_is(json_get(m, "content"), JSON_STRING) ||
	    json_path(json_first(json_get(m, "content")), "type") != NULL;
}

void
bedrock_message_read(
    struct builder *b, const struct json *m, const struct json *ts)
{
	builder_locate(b, .ts = ts);
	if (is_anthropic(m)) {
		anthropic_message_read(b, m);
		return;
	}
	if (by_model(m))
		builder_message(b);
	for (json_each(block, json_get(m, "content")))
		read_block(b, block, by_model(m));
}

/* ---- responses ---- */

/* Reads the counts that an invocation log has outside the body, for a body that
 * has none. */
static void
read_logged_usage(struct builder *b, const struct json *r)
{
	struct usage u = { 0 };

	field_usage(&u, r, .input = "input.inputTokenCount",
	    .output = "output.outputTokenCount",
	    .cache_read = "input.cacheReadInputTokenCount",
	    .cache_write = "input.cacheWriteInputTokenCount");
	builder_usage(b, (struct str){ 0 }, &u, false);
}

/* ---- streams ---- */

static void
read_stop(struct log *log, const struct json *stop)
{
	builder_set_broken(log->builder, false);
	builder_stop_reason(log->builder, json_get(stop, "stopReason"));
}

static void
read_metadata(struct log *log, const struct json *metadata)
{
	bedrock_usage_read(log->builder, json_get(metadata, "usage"));
	builder_set(log->builder, RUN_DURATION,
	    json_path(metadata, "metrics.latencyMs"));
}

/* ---- responses and requests ---- */

/* Reads the answer of a model that was invoked natively, in the words of its
 * own API; returns false if that API is not known. */
static bool
read_native(struct builder *b, const struct json *body, const struct json *ts)
{
	const struct json *choice = json_at(json_get(body, "choices"), 0);
	const struct json *message = json_get(choice, "message");

	if (message != NULL)
		openai_message_read(b, message, ts, true);
	else
		anthropic_message_read(b, body);
	builder_stop_reason(b,
	    field_find(
		choice != NULL ? choice : body, "finish_reason stop_reason"));
	return message != NULL ||
	    json_is(json_get(body, "content"), JSON_ARRAY);
}

static void
read_whole(struct builder *b, const struct json *r, const struct json *body)
{
	const struct json *m = json_path(body, "output.message");
	bool read = m != NULL;

	if (m == NULL)
		read = read_native(b, body, json_get(r, "timestamp"));
	for (json_each(block, json_get(m, "content")))
		read_block(b, block, true);
	builder_stop_reason(b, json_get(body, "stopReason"));
	builder_set_broken(b, !read);
	if (is_logged(r))
		read_logged_usage(b, r);
	else
		bedrock_usage_read(b, json_get(body, "usage"));
}

/* Reads a response. A log may hold the events of a stream, in the words of the
 * model's API, in a list. */
static void
read_response(struct log *log, const struct json *r, const struct json *body)
{
	struct builder *b = log->builder;

	builder_locate(b, .ts = json_get(r, "timestamp"));
	if (anthropic_events_are(body))
		anthropic_events_read(b, body);
	else if (openai_chunks_are(body))
		openai_chunks_read(b, body);
	else if (is_stream(json_at(body, 0)))
		for (json_each(event, body))
			log_read_by_rows(log, event);
	else
		read_whole(b, r, body);
}

static void
read_run(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *messages = messages_of(r);
	const struct json *response = response_of(r);
	struct resent_history history =
	    resent_history_emitted(b, messages, by_model);

	if (history.n == 0) {
		builder_begin_run(b);
		builder_set(b, RUN_ID,
		    field_find(r,
			"requestId recordId "
			"response.ResponseMetadata.RequestId "
			"ResponseMetadata.RequestId"));
	}
	resent_history_note(b, &history, response != NULL);
	if (response == NULL && field_find(r, ERRORS) != NULL)
		resent_history_failed(b, &history, by_model);
	builder_model(b, field_find(r, "modelId request.modelId"));
	builder_system(b,
	    field_find(r,
		"system request.system input.inputBodyJson.system "
		"modelInput.system"));
	for (json_each(m, messages)) {
		if (history.n != 0)
			history.n--;
		else
			bedrock_message_read(b, m, NULL);
	}
	builder_error(b, field_find(r, ERRORS));
	if (response != NULL) /* may include an error */
		read_response(log, r, response);
	else if (is_logged(r) && json_get(r, "errorCode") == NULL)
		read_logged_usage(b, r); /* the bodies are stored elsewhere */
	if (is_logged(r) && messages == NULL)
		builder_no_calls(b);
}

/* ---- records ---- */

/* Reads a record that is no event of a stream. */
static void
read_other(struct log *log, const struct json *r)
{
	if (is_logged(r) || is_of_batch(r) || messages_of(r) != NULL ||
	    response_of(r) != NULL)
		read_run(log, r);
	else if (is_line(r))
		bedrock_message_read(log->builder, r, NULL);
	else
		log_unread(log, r);
}

/* Begins the run of a stream, unless the stream is in a list. */
static void
before(struct log *log, const struct json *r)
{
	if (json_get(r, "messageStart") != NULL)
		builder_begin_run(log->builder);
}

static const struct log_row deltas[] = {
	LOG_ROW("text", LOG_PIECE, .of = "text"),
	LOG_ROW("toolUse.input", LOG_ARGS, .of = "toolUse.input"),
	LOG_ROW("reasoningContent, citation, image", LOG_NOTHING),
	LOG_LAST,
};

static const struct log_row rows[] = {
	LOG_ROW("contentBlockDelta.delta", LOG_IN,
	    .of = "contentBlockDelta.delta", .rows = deltas),
	LOG_ROW("else contentBlockStart.start.toolUse", LOG_CALL,
	    .id = "contentBlockStart.start.toolUse.toolUseId",
	    .tool = "contentBlockStart.start.toolUse.name"),
	LOG_ROW("else contentBlockStop", LOG_TEXT_END),
	LOG_ROW("else messageStart", LOG_OPEN),
	LOG_ROW("else messageStop", LOG_HOOK, .of = "messageStop",
	    .read = read_stop),
	LOG_ROW("else metadata.usage", LOG_HOOK, .of = "metadata",
	    .read = read_metadata),
	/* These end a stream in place of its regular end. */
	LOG_ROW("else internalServerException, "
		"else modelStreamErrorException, "
		"else serviceUnavailableException, else throttlingException, "
		"else validationException",
	    LOG_ERROR,
	    .of = "internalServerException modelStreamErrorException "
		  "serviceUnavailableException throttlingException "
		  "validationException"),
	LOG_ROW("else", LOG_HOOK, .read = read_other),
	LOG_LAST,
};

const struct log_format log_format_bedrock = {
	.name = "bedrock",
	.what = "Amazon Bedrock Converse: responses, requests, streams, logs",
	.score = score,
	.asked = "messageStart, contentBlockDelta, contentBlockStart, "
		 "contentBlockStop, messageStop, output, modelOutput, "
		 "response, schemaType=ModelInvocationLog, modelInput, "
		 "operation, role=user, role=assistant, "
		 "messages.*.content=[, request, input, =[",
	.unflagged = UNFLAGGED_OK,
	.before = before,
	.rows = rows,
	.knows_blocks = true,
};
