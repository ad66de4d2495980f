/*
 * Cohere's Chat API, versions 2 and 1: responses and streams, alone or with
 * their request. A response without its request is a run of its own.
 */
#include "extract/api/openai_message.h"
#include "extract/format/log_rows.h"
#include "extract/format/resent_history.h"
#include "extract/format/unread.h"

/* Terms of which one holds for a response or an event of a stream. */
#define RESPONSE \
	"event_type=? is_finished=?, delta.message=?, " \
	"type=message-end delta=?, message.tool_plan=? finish_reason=?, " \
	"generation_id=? text=?, usage.billed_units=?"

/* Returns the response in a pair with its request, which is one object or a
 * list of events; NULL if there is none. */
static const struct json *
answer_of(const struct json *r)
{
	const struct json *in = json_get(r, "response");

	return log_rows_holds(RESPONSE, in) ||
		log_rows_holds(RESPONSE, json_at(in, 0))
	    ? in
	    : NULL;
}

static void
read_usage(struct log *log, const struct json *counts)
{
	struct usage u = { 0 };

	field_usage(&u, counts, .input_and_cache = "tokens.input_tokens",
	    .output = "tokens.output_tokens", .cache_read = "cached_tokens");
	builder_usage(log->builder, (struct str){ 0 }, &u, false);
}

/* Reads the model's plan, which it writes before it calls tools; it is not an
 * answer. */
static void
read_plan(struct log *log, const struct json *plan)
{
	if (json_raw(plan).n == 0)
		return;
	builder_append_text(log->builder, plan);
	builder_text_is_interim(log->builder);
	builder_locate(log->builder, 0); /* the answer is another text */
	builder_message_by_order(log->builder);
}

static void
read_members(struct log *log, const struct json *m)
{
	builder_unread_members(log->builder, m);
	read_plan(log, json_get(m, "tool_plan"));
}

static const struct log_row blocks[] = {
	LOG_ROW("text=?", LOG_TEXT, .of = "text"),
	LOG_ROW("else", LOG_HOOK, .read = log_unread_block),
	LOG_LAST,
};

#define CALLS(when, list) \
	LOG_ROW(when, LOG_CALL, .each = (list), .id = "id", \
	    .tool = "function.name name", \
	    .args = "function.arguments parameters", .decode = true)

/* A message, which is the whole response in the first version. */
static const struct log_row message[] = {
	LOG_ROW("", LOG_HOOK, .read = read_members),
	LOG_ROW("", LOG_TEXT, .of = "content text"),
	LOG_ROW("", LOG_EACH, .of = "content", .rows = blocks),
	CALLS("", "tool_calls"),
	LOG_LAST,
};

static bool
by_model(const struct json *m)
{
	return field_is(m, "role", "assistant");
}

/* Reads the messages of a request, in the form of OpenAI's API, or its single
 * message. */
static void
read_request(struct log *log, const struct json *r)
{
	const struct json *messages =
	    field_find(r, "request.messages messages");
	struct builder *b = log->builder;
	struct resent_history history =
	    resent_history_emitted(b, messages, by_model);

	if (history.n == 0) {
		builder_begin_run(b);
		builder_set(b, RUN_ID,
		    field_find(r, "response.id response.generation_id"));
	}
	resent_history_note(b, &history, true);
	builder_model(b, field_find(r, "request.model model"));
	builder_prompt(b, json_path(r, "request.message"));
	/* The first version's earlier messages and results are not read. */
	if (json_count(json_path(r, "request.chat_history")) != 0)
		builder_unread(
		    b, STR("chat_history"), RUN_LOST_CALL | RUN_LOST_TEXT);
	if (json_count(json_path(r, "request.tool_results")) != 0)
		builder_unread(b, STR("tool_results"), RUN_LOST_CALL);
	for (json_each(m, messages)) {
		if (history.n != 0)
			history.n--;
		else
			openai_message_read(b, m, NULL, true);
	}
	builder_locate(b, 0);
	builder_message_by_order(b);
}

/* Begins the run of a response without its request. */
static void
before(struct log *log, const struct json *r)
{
	bool streamed = field_is_type(r, "message-start") ||
	    field_is(r, "event_type", "stream-start");

	if (!streamed &&
	    (field_find(r, "type event_type") != NULL ||
		field_find(r, "message text") == NULL || answer_of(r) != NULL))
		return;
	builder_begin_run(log->builder);
	builder_set(log->builder, RUN_ID,
	    field_find(r, "id response_id generation_id"));
	builder_set_broken(log->builder, streamed);
	builder_message_by_order(log->builder);
}

/* Reads a request with its response, which may be a list of events. */
static void
read_pair(struct log *log, const struct json *r)
{
	const struct json *answer = answer_of(r);

	if (answer == NULL) {
		log_unread(log, r);
		return;
	}
	read_request(log, r);
	builder_set_broken(log->builder, json_is(answer, JSON_ARRAY));
	if (json_is(answer, JSON_OBJECT))
		log_read_by_rows(log, answer);
	for (json_each(event, answer))
		log_read_by_rows(log, event);
}

#define WHOLE "!type !event_type !response "
#define FIRST_END "event_type=stream-end"

static const struct log_row rows[] = {
	LOG_ROW("type=content-start", LOG_TEXT_END),
	LOG_ROW("type=content-start|content-delta", LOG_PIECE,
	    .of = "delta.message.content.text"),
	LOG_ROW("type=tool-plan-delta", LOG_HOOK,
	    .of = "delta.message.tool_plan", .read = read_plan),
	LOG_ROW("type=tool-call-start", LOG_CALL,
	    .id = "delta.message.tool_calls.id",
	    .tool = "delta.message.tool_calls.function.name"),
	LOG_ROW("type=tool-call-start|tool-call-delta", LOG_ARGS,
	    .id = "delta.message.tool_calls.id",
	    .of = "delta.message.tool_calls.function.arguments"),
	LOG_ROW("type=message-end, " FIRST_END, LOG_CLOSED),
	LOG_ROW("type=message-end", LOG_HOOK, .of = "delta.usage",
	    .read = read_usage),
	LOG_ROW("type=message-end", LOG_STOP, .of = "delta.finish_reason"),
	LOG_ROW("type=message-end", LOG_ERROR, .of = "delta.error"),
	LOG_ROW("type=message-start|content-end|tool-call-end|citation-start|"
		"citation-end|debug",
	    LOG_NOTHING),
	/* Events of the first version, whose last one has all calls. */
	LOG_ROW("event_type=text-generation", LOG_PIECE, .of = "text"),
	CALLS(FIRST_END, "response.tool_calls"),
	LOG_ROW(FIRST_END, LOG_STOP, .of = "finish_reason"),
	LOG_ROW(FIRST_END, LOG_HOOK, .of = "response.meta", .read = read_usage),
	LOG_ROW("event_type=stream-start|search-queries-generation|"
		"search-results|citation-generation|tool-calls-chunk|"
		"tool-calls-generation|debug",
	    LOG_NOTHING),
	/* Whole responses. */
	LOG_ROW(WHOLE "message", LOG_IN, .of = "message", .rows = message),
	LOG_ROW(WHOLE "!message text", LOG_IN, .of = "", .rows = message),
	LOG_ROW(WHOLE "message|text", LOG_HOOK, .of = "usage meta",
	    .read = read_usage),
	LOG_ROW(WHOLE "message|text", LOG_STOP, .of = "finish_reason"),
	LOG_ROW("else", LOG_HOOK, .read = read_pair),
	LOG_LAST,
};

const struct log_format log_format_cohere = {
	.name = "cohere",
	.what = "Cohere Chat, versions 1 and 2: responses, streams",
	.sure = RESPONSE,
	.nested = "response response.0",
	.before = before,
	.rows = rows,
	.knows_blocks = true,
};
