/*
 * Cohere's Chat API, versions 2 and 1: responses and streams, alone or with
 * their request. A response without its request is a run of its own.
 */
#include "extract/api/openai_message.h"
#include "extract/format/log_rows.h"
#include "extract/format/resent_history.h"
#include "extract/format/unread.h"

static bool
is_stream(const struct json *r)
{
	return json_path(r, "delta.message") != NULL ||
	    (field_is_type(r, "message-end") && json_get(r, "delta") != NULL);
}

static bool
is_response(const struct json *r)
{
	bool first = json_get(r, "event_type") != NULL &&
	    json_get(r, "is_finished") != NULL;

	return is_stream(r) || first ||
	    (json_path(r, "message.tool_plan") != NULL &&
		json_get(r, "finish_reason") != NULL) ||
	    (json_get(r, "generation_id") != NULL &&
		json_get(r, "text") != NULL) ||
	    json_path(r, "usage.billed_units") != NULL;
}

/* Returns the response in a pair with its request, which is one object or a
 * list of events; NULL if there is none. */
static const struct json *
answer_of(const struct json *r)
{
	const struct json *in = json_get(r, "response");

	/* The last event of a stream has this member too. */
	if (in == NULL || json_get(r, "event_type") != NULL)
		return NULL;
	return is_response(in) || is_response(json_at(in, 0)) ? in : NULL;
}

static int
score(const struct json *r)
{
	return is_response(r) || answer_of(r) != NULL ? LOG_FORMAT_SURE : 0;
}

static void
read_usage(struct builder *b, const struct json *counts)
{
	struct usage u = { 0 };

	field_usage(&u, counts, .input_and_cache = "tokens.input_tokens",
	    .output = "tokens.output_tokens", .cache_read = "cached_tokens");
	builder_usage(b, (struct str){ 0 }, &u, false);
}

/* ---- the second version ---- */

static void
read_call(struct builder *b, const struct json *call, bool whole)
{
	builder_call(b, .id = json_get(call, "id"),
	    .tool = json_path(call, "function.name"),
	    .args = whole ? json_path(call, "function.arguments") : NULL,
	    .decode = true);
	if (!whole)
		builder_append_args(b, json_get(call, "id"),
		    json_path(call, "function.arguments"));
}

/* Reads the model's plan, which it writes before it calls tools; it is not an
 * answer. */
static void
read_plan(struct builder *b, const struct json *plan)
{
	if (json_raw(plan).n == 0)
		return;
	builder_append_text(b, plan);
	builder_text_is_interim(b);
	builder_locate(b, 0); /* the answer is another text */
}

static void
read_message(struct builder *b, const struct json *r)
{
	const struct json *m = json_get(r, "message");

	builder_unread_members(b, m);
	read_plan(b, json_get(m, "tool_plan"));
	builder_text(b, json_get(m, "content"));
	for (json_each(block, json_get(m, "content"))) {
		builder_text(b, json_get(block, "text"));
		if (json_get(block, "text") == NULL)
			builder_unread_part(b, block);
	}
	for (json_each(call, json_get(m, "tool_calls")))
		read_call(b, call, true);
	read_usage(b, json_get(r, "usage"));
	builder_stop_reason(b, json_get(r, "finish_reason"));
}

/* ---- the first version ---- */

static void
read_first_calls(struct builder *b, const struct json *calls)
{
	for (json_each(call, calls))
		builder_call(b, .tool = json_get(call, "name"),
		    .args = json_get(call, "parameters"));
}

static void
read_first(struct builder *b, const struct json *r)
{
	builder_text(b, json_get(r, "text"));
	builder_unread_members(b, r);
	read_first_calls(b, json_get(r, "tool_calls"));
	read_usage(b, json_get(r, "meta"));
	builder_stop_reason(b, json_get(r, "finish_reason"));
}

/* ---- events ---- */

static void
read_plan_delta(struct log *log, const struct json *plan)
{
	read_plan(log->builder, plan);
}

static void
read_started(struct log *log, const struct json *call)
{
	read_call(log->builder, call, false);
}

static void
read_end(struct log *log, const struct json *delta)
{
	struct builder *b = log->builder;

	builder_set_broken(b, false);
	read_usage(b, json_get(delta, "usage"));
	builder_stop_reason(b, json_get(delta, "finish_reason"));
	builder_error(b, json_get(delta, "error"));
}

/* Reads the last event of the first version, which repeats the whole
 * response. */
static void
read_first_end(struct log *log, const struct json *r)
{
	const struct json *whole = json_get(r, "response");

	builder_set_broken(log->builder, false);
	read_first_calls(log->builder, json_get(whole, "tool_calls"));
	builder_stop_reason(log->builder, json_get(r, "finish_reason"));
	read_usage(log->builder, json_get(whole, "meta"));
}

/* ---- records ---- */

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
}

static void
read_answer(struct builder *b, const struct json *r)
{
	if (json_get(r, "message") != NULL)
		read_message(b, r);
	else
		read_first(b, r);
}

/* Begins the run of a response without its request. */
static void
begin(struct builder *b, const struct json *r, bool streamed)
{
	builder_begin_run(b);
	builder_set(b, RUN_ID, field_find(r, "id response_id generation_id"));
	builder_set_broken(b, streamed);
}

static void
before(struct log *log, const struct json *r)
{
	const struct json *type = json_get(r, "type");

	if (type == NULL)
		type = json_get(r, "event_type");
	if (json_str_is(type, "message-start") ||
	    json_str_is(type, "stream-start"))
		begin(log->builder, r, true);
}

/* Reads a request with its response, which may be a list of events. */
static void
read_pair(struct log *log, const struct json *r, const struct json *answer)
{
	bool streamed = json_is(answer, JSON_ARRAY);

	read_request(log, r);
	if (!streamed)
		read_answer(log->builder, answer);
	builder_set_broken(log->builder, streamed);
	for (json_each(event, answer))
		log_read_by_rows(log, event);
}

/* Reads a record that is no event of a stream. */
static void
read_other(struct log *log, const struct json *r)
{
	const struct json *answer = answer_of(r);

	if (answer != NULL) {
		read_pair(log, r, answer);
	} else if (field_find(r, "type event_type") == NULL &&
	    field_find(r, "message text") != NULL) {
		begin(log->builder, r, false);
		read_answer(log->builder, r);
	} else {
		log_unread(log, r);
	}
}

static const struct log_row rows[] = {
	LOG_ROW("type=content-start", LOG_TEXT_END),
	LOG_ROW("type=content-start|content-delta", LOG_PIECE,
	    .of = "delta.message.content.text"),
	LOG_ROW("type=tool-plan-delta", LOG_HOOK,
	    .of = "delta.message.tool_plan", .read = read_plan_delta),
	LOG_ROW("type=tool-call-start", LOG_HOOK,
	    .of = "delta.message.tool_calls", .read = read_started),
	LOG_ROW("type=tool-call-delta", LOG_ARGS,
	    .of = "delta.message.tool_calls.function.arguments"),
	LOG_ROW("type=message-end", LOG_HOOK, .of = "delta", .read = read_end),
	LOG_ROW("type=message-start|content-end|tool-call-end|citation-start|"
		"citation-end|debug",
	    LOG_NOTHING),
	/* Events of the first version, whose last one has all calls. */
	LOG_ROW("else event_type=text-generation", LOG_PIECE, .of = "text"),
	LOG_ROW("else event_type=stream-end", LOG_HOOK, .read = read_first_end),
	LOG_ROW("else event_type=stream-start|search-queries-generation|"
		"search-results|citation-generation|tool-calls-chunk|"
		"tool-calls-generation|debug",
	    LOG_NOTHING),
	LOG_ROW("else", LOG_HOOK, .read = read_other),
	LOG_LAST,
};

const struct log_format log_format_cohere = {
	.name = "cohere",
	.what = "Cohere Chat, versions 1 and 2: responses, streams",
	.score = score,
	.asked = "event_type, finish_reason, generation_id, usage, delta, "
		 "response",
	.before = before,
	.rows = rows,
	.knows_blocks = true,
};
