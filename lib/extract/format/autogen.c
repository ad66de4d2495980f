/*
 * Microsoft's AutoGen: the messages of its agents, one a line or in a list, and
 * the requests that its recorder of a model client keeps.
 */
#include "extract/api/openai_message.h"
#include "extract/format/log_rows.h"
#include "extract/format/resent_history.h"

/* An agent's message, or one to or from a model. The name of a structured one may
 * have the name of its schema. */
#define MESSAGE \
	"source type=TextMessage|ToolCallRequestEvent|ToolCallExecutionEvent|" \
	"ToolCallSummaryMessage|StopMessage|HandoffMessage|ThoughtEvent|" \
	"MultiModalMessage|MemoryQueryEvent|UserInputRequestedEvent|" \
	"UserMessage|AssistantMessage content, " \
	"type=SystemMessage|FunctionExecutionResultMessage content, " \
	"source type=StructuredMessage* content={"

static bool
is_message(const struct json *m)
{
	return log_rows_holds(MESSAGE, m);
}

static const struct json *
messages_of(const struct json *r)
{
	const struct json *list =
	    json_is(r, JSON_ARRAY) ? r : json_get(r, "messages");

	return is_message(json_at(list, 0)) ? list : NULL;
}

/* ---- messages ---- */

static void
read_usage(struct log *log, const struct json *counts)
{
	struct usage u = { 0 };

	if (counts == NULL)
		return;
	openai_usage_read(&u, counts);
	builder_usage(log->builder, (struct str){ 0 }, &u, false);
}

static const struct log_row words[] = {
	LOG_ROW("=\"", LOG_PROMPT, .of = ""),
	LOG_ROW("={", LOG_NOTHING), /* an image */
	LOG_LAST,
};

static const struct log_row prompt[] = {
	LOG_ROW("", LOG_PROMPT, .of = "content"),
	LOG_ROW("", LOG_EACH, .of = "content", .rows = words),
	LOG_LAST,
};

static const struct log_row parts[] = {
	LOG_ROW("=\"", LOG_TEXT, .of = ""),
	LOG_ROW("name", LOG_HOOK, .report = openai_call_read),
	LOG_ROW("data, url", LOG_NOTHING), /* an image */
	LOG_LAST,
};

/* An answer's content is a text or a list of calls. */
static const struct log_row answer[] = {
	LOG_ROW("", LOG_MESSAGE),
	LOG_ROW("", LOG_TEXT, .of = "content"),
	LOG_ROW("", LOG_EACH, .of = "content", .rows = parts),
	LOG_LAST,
};

static bool
by_model(const struct json *m)
{
	return field_is_type(m, "AssistantMessage");
}

#define ANSWERS \
	"AssistantMessage|TextMessage|ToolCallRequestEvent|" \
	"ToolCallSummaryMessage|MultiModalMessage|HandoffMessage|StopMessage"
#define RESULTS "FunctionExecutionResultMessage|ToolCallExecutionEvent"
#define OTHERS \
	"ThoughtEvent|MemoryQueryEvent|UserInputRequestedEvent|SystemMessage|" \
	"ModelClientStreamingChunkEvent|SelectSpeakerEvent|SelectorEvent"

static const struct log_row messages[] = {
	LOG_ROW("", LOG_LOCATE, .of = "created_at"),
	LOG_ROW("!source=user", LOG_AGENT, .of = "source"),
	LOG_ROW(
	    "type=UserMessage, source=user", LOG_IN, .of = "", .rows = prompt),
	LOG_ROW("type=" RESULTS " else", LOG_RESULT, .each = "content",
	    .id = "call_id", .tool = "name", .result = "content",
	    .is_error = "is_error"),
	LOG_ROW("type=StructuredMessage* content={ else", LOG_HOOK,
	    .of = "content", .report = builder_text_value),
	LOG_ROW("type=" ANSWERS " else", LOG_IN, .of = "", .rows = answer),
	LOG_ROW("type=SystemMessage else", LOG_SYSTEM, .of = "content"),
	LOG_ROW("type=" OTHERS " else", LOG_NOTHING),
	/* They repeat calls, beside their text. */
	LOG_ROW("type=ToolCallSummaryMessage|HandoffMessage", LOG_NOTHING),
	LOG_ROW("type=" ANSWERS "|" OTHERS, LOG_HOOK, .of = "models_usage",
	    .read = read_usage),
	LOG_ROW("type=StructuredMessage*", LOG_HOOK, .of = "models_usage",
	    .read = read_usage),
	LOG_LAST,
};

/* ---- records ---- */

/* Returns the response in a request's record. A streamed response ends with the
 * whole response. */
static const struct json *
response_of(const struct json *r)
{
	const struct json *response = json_get(r, "response");
	const struct json *stream = json_get(r, "stream");
	size_t n = json_count(stream);

	if (!json_is(response, JSON_OBJECT) && n != 0)
		response = json_at(stream, n - 1);
	return json_is(response, JSON_OBJECT) ? response : NULL;
}

/* Reads a request with its response. A request that repeats the messages of
 * earlier ones continues their run. A request without a response is where the
 * log breaks off; it is skipped. */
static void
read_request(struct log *log, const struct json *r)
{
	const struct json *list = messages_of(r), *response = response_of(r);
	struct builder *b = log->builder;
	struct resent_history history;

	if (response == NULL)
		return;
	history = resent_history_emitted(b, list, by_model);
	if (history.n == 0) {
		log_source(log, r);
		builder_begin_run(b);
	}
	resent_history_note(b, &history, true);
	for (json_each(m, list)) {
		if (history.n != 0)
			history.n--;
		else
			log_read_part(log, messages, m);
	}
	builder_locate(b, 0);
	log_read_part(log, answer, response);
	read_usage(log, json_get(response, "usage"));
}

static void
read_messages(struct log *log, const struct json *list)
{
	builder_begin_run(log->builder);
	for (json_each(m, list))
		log_read_part(log, messages, m);
}

static void read_list(struct log *log, const struct json *list);

static const struct log_row rows[] = {
	LOG_ROW("messages=[ mode", LOG_HOOK, .read = read_request),
	LOG_ROW("messages=[ !mode", LOG_HOOK, .of = "messages",
	    .read = read_messages),
	LOG_ROW("=[", LOG_HOOK, .read = read_list),
	LOG_ROW("type !messages", LOG_IN, .of = "", .rows = messages),
	LOG_LAST,
};

/* Reads a list of messages, or of lists of messages. */
static void
read_list(struct log *log, const struct json *list)
{
	if (is_message(json_at(list, 0)))
		read_messages(log, list);
	else
		for (json_each(one, list))
			log_read_part(log, rows, one);
}

const struct log_format log_format_autogen = {
	.name = "autogen",
	.what = "AutoGen: agent messages, recorded model requests",
	.sure = MESSAGE,
	.nested = "0 messages.0 0.0 0.messages.0",
	.rows = rows,
};
