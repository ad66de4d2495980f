/*
 * Microsoft's AutoGen: the messages of its agents, one a line or in a list, and
 * the requests that its recorder of a model client keeps.
 */
#include "extract/api/openai_message.h"
#include "extract/format/log_format.h"
#include "extract/format/resent_history.h"

/* The types of agents' messages, and of messages to and from a model. */
#define TYPES \
	"TextMessage ToolCallRequestEvent ToolCallExecutionEvent " \
	"ToolCallSummaryMessage StopMessage HandoffMessage ThoughtEvent " \
	"MultiModalMessage MemoryQueryEvent UserInputRequestedEvent " \
	"SystemMessage UserMessage AssistantMessage " \
	"FunctionExecutionResultMessage"

/* Returns whether m is a StructuredMessage or a StructuredMessage[SCHEMA]. */
static bool
is_structured(const struct json *m)
{
	return str_starts(json_raw(json_get(m, "type")), "StructuredMessage") &&
	    json_is(json_get(m, "content"), JSON_OBJECT);
}

static bool
is_message(const struct json *m)
{
	return (field_is_type(m, TYPES) || is_structured(m)) &&
	    (json_get(m, "source") != NULL ||
		field_is_type(
		    m, "SystemMessage FunctionExecutionResultMessage")) &&
	    json_get(m, "content") != NULL;
}

static const struct json *
messages_of(const struct json *r)
{
	const struct json *list =
	    json_is(r, JSON_ARRAY) ? r : json_get(r, "messages");

	return is_message(json_at(list, 0)) ? list : NULL;
}

static int
score(const struct json *r)
{
	return is_message(r) || messages_of(r) != NULL ||
		messages_of(json_at(r, 0)) != NULL
	    ? LOG_FORMAT_SURE
	    : 0;
}

/* ---- messages ---- */

static void
read_usage(struct builder *b, const struct json *counts)
{
	struct usage u = { 0 };

	openai_usage_read(&u, counts);
	builder_usage(b, (struct str){ 0 }, &u, false);
}

static void
read_prompt(struct builder *b, const struct json *content)
{
	builder_prompt(b, content);
	for (json_each(part, content))
		builder_prompt(b, json_is(part, JSON_STRING) ? part : NULL);
}

/* Reads the content of an answer, which is a text or a list of calls. */
static void
read_answer(struct builder *b, const struct json *content)
{
	builder_text(b, content);
	for (json_each(part, content)) {
		builder_text(b, part);
		if (json_get(part, "name") != NULL)
			openai_call_read(b, part);
	}
}

static void
read_results(struct builder *b, const struct json *content)
{
	for (json_each(result, content))
		builder_result(b, .id = json_get(result, "call_id"),
		    .tool = json_get(result, "name"),
		    .value = json_get(result, "content"),
		    .is_error = json_get(result, "is_error"));
}

static bool
by_model(const struct json *m)
{
	return field_is_type(m, "AssistantMessage");
}

static void
read_message(struct builder *b, const struct json *m)
{
	const struct json *content = json_get(m, "content");
	const struct json *used = field_find(m, "models_usage");

	builder_locate(b, .ts = json_get(m, "created_at"));
	if (field_is_type(m, "UserMessage") || field_is(m, "source", "user"))
		read_prompt(b, content);
	else if (field_is_type(m,
		     "FunctionExecutionResultMessage ToolCallExecutionEvent"))
		read_results(b, content);
	else if (is_structured(m))
		builder_text_value(b, content);
	else if (by_model(m) ||
	    field_is_type(m,
		"TextMessage ToolCallRequestEvent ToolCallSummaryMessage "
		"MultiModalMessage HandoffMessage StopMessage"))
		read_answer(b, content);
	if (used != NULL)
		read_usage(b, used);
}

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
			read_message(b, m);
	}
	builder_locate(b, 0);
	read_answer(b, json_get(response, "content"));
	read_usage(b, json_get(response, "usage"));
}

static void
read_list(struct log *log, const struct json *list)
{
	builder_begin_run(log->builder);
	for (json_each(m, list))
		read_message(log->builder, m);
}

static void
read_record(struct log *log, const struct json *r)
{
	if (is_message(r))
		read_message(log->builder, r);
	else if (messages_of(r) != NULL && json_get(r, "mode") != NULL)
		read_request(log, r);
	else if (messages_of(r) != NULL)
		read_list(log, messages_of(r));
	else if (json_is(r, JSON_ARRAY))
		for (json_each(one, r))
			read_record(log, one);
}

const struct log_format log_format_autogen = {
	.name = "autogen",
	.what = "AutoGen: agent messages, recorded model requests",
	.score = score,
	.signs = "source type=SystemMessage "
		 "type=FunctionExecutionResultMessage messages=/type",
	.read = read_record,
};
