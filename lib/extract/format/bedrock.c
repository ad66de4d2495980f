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

/* An event of a stream, a response, and a message with a call or a result. Blocks
 * of messages have no type, but a key that names their kind. */
#define EVENT \
	"messageStart.role, contentBlockDelta.delta, " \
	"contentBlockStart.start, contentBlockStop.contentBlockIndex, " \
	"messageStop.stopReason"
#define RESPONSE "output.message.content=? stopReason=?"
#define MESSAGE "content.*.toolUse|content.*.toolResult={"
#define LOGGED "schemaType=ModelInvocationLog"
#define BATCH "recordId=? modelInput={"
#define TEXT "role=user|assistant content.0.text=\" !content.0.type"
#define MESSAGES \
	"messages request.messages input.inputBodyJson.messages " \
	"modelInput.messages"
#define RESPONSES "output.outputBodyJson modelOutput response"

static const struct json *
response_of(const struct json *r)
{
	return log_rows_holds(RESPONSE, r) ? r : field_find(r, RESPONSES);
}

static bool
is_logged(const struct json *r)
{
	return field_is(r, "schemaType", "ModelInvocationLog");
}

/* Reads counts; an invocation log has them outside the body. The input count
 * excludes tokens read from or written to a cache. A model that is invoked
 * natively counts in the words of its own API. */
void
bedrock_usage_read(struct builder *b, const struct json *counts)
{
	struct usage u = { 0 };

	field_usage(&u, counts, .input = "inputTokens input.inputTokenCount",
	    .output = "outputTokens output.outputTokenCount",
	    .cache_read = "cacheReadInputTokens input.cacheReadInputTokenCount",
	    .cache_write =
		"cacheWriteInputTokens input.cacheWriteInputTokenCount");
	for (json_each(part, json_get(counts, "cacheDetails")))
		if (field_is(part, "ttl", "1h"))
			usage_read(&u, USAGE_CACHE_WRITE_1H,
			    json_get(part, "inputTokens"));
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

void
bedrock_message_read(
    struct builder *b, const struct json *m, const struct json *ts)
{
	builder_locate(b, .ts = ts);
	/* A model that was invoked natively: in the words of Anthropic's API. */
	if (log_rows_holds("content=\", content.0.type=?", m)) {
		anthropic_message_read(b, m);
		return;
	}
	if (by_model(m))
		builder_message(b);
	for (json_each(block, json_get(m, "content")))
		read_block(b, block, by_model(m));
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
	else
		builder_message(b);
	for (json_each(block, json_get(m, "content")))
		read_block(b, block, true);
	builder_stop_reason(b, json_get(body, "stopReason"));
	builder_set_broken(b, !read);
	bedrock_usage_read(b, is_logged(r) ? r : json_get(body, "usage"));
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
	else if (log_rows_holds(EVENT, json_at(body, 0)))
		for (json_each(event, body))
			log_read_by_rows(log, event);
	else
		read_whole(b, r, body);
}

static void
read_run(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *messages =
	    json_is(r, JSON_ARRAY) ? r : field_find(r, MESSAGES);
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
		bedrock_usage_read(b, r); /* the bodies are stored elsewhere */
	if (is_logged(r) && messages == NULL)
		builder_no_calls(b);
}

/* ---- records ---- */

static void
read_message(struct log *log, const struct json *m)
{
	bedrock_message_read(log->builder, m, NULL);
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

/* These end a stream in place of its regular end. */
#define ENDS \
	"internalServerException modelStreamErrorException " \
	"serviceUnavailableException throttlingException " \
	"validationException"

static const struct log_row rows[] = {
	LOG_ROW("contentBlockDelta.delta", LOG_IN,
	    .of = "contentBlockDelta.delta", .rows = deltas),
	LOG_ROW("contentBlockStart.start.toolUse", LOG_CALL,
	    .id = "contentBlockStart.start.toolUse.toolUseId",
	    .tool = "contentBlockStart.start.toolUse.name"),
	LOG_ROW("contentBlockStop", LOG_TEXT_END),
	LOG_ROW("messageStart", LOG_MESSAGE),
	LOG_ROW("messageStart", LOG_OPEN),
	LOG_ROW("messageStop", LOG_CLOSED),
	LOG_ROW("messageStop", LOG_STOP, .of = "messageStop.stopReason"),
	LOG_ROW("metadata.usage", LOG_HOOK, .of = "metadata.usage",
	    .report = bedrock_usage_read),
	LOG_ROW("metadata.usage", LOG_SET, .of = "metadata.metrics.latencyMs",
	    .member = RUN_DURATION),
	LOG_ROW("internalServerException|modelStreamErrorException|"
		"serviceUnavailableException|throttlingException|"
		"validationException",
	    LOG_ERROR, .of = ENDS),
	LOG_ROW("else " LOGGED ", else " BATCH ", else =[, else " RESPONSE
		", else messages|request.messages|modelInput.messages|"
		"input.inputBodyJson.messages|output.outputBodyJson|"
		"modelOutput|response",
	    LOG_HOOK, .read = read_run),
	LOG_ROW("else role=user|assistant " MESSAGE ", else " TEXT, LOG_HOOK,
	    .read = read_message),
	LOG_LAST,
};

const struct log_format log_format_bedrock = {
	.name = "bedrock",
	.what = "Amazon Bedrock Converse: responses, requests, streams, logs",
	.sure =
	    EVENT ", " RESPONSE ", " LOGGED ", " BATCH ", "
		  "operation=Converse|ConverseStream|InvokeModel|"
		  "InvokeModelWithResponseStream modelId=?, " MESSAGE " role, "
		  "*.content.*.toolUse|*.content.*.toolResult={, "
		  "messages.*.content.*.toolUse|"
		  "messages.*.content.*.toolResult={, "
		  "request.messages.*.content.*.toolUse|"
		  "request.messages.*.content.*.toolResult={",
	.hint = "50 " TEXT,
	.nested = "response",
	.unflagged = UNFLAGGED_OK,
	.before = before,
	.rows = rows,
	.knows_blocks = true,
};
