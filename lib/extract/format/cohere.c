/*
 * Cohere's Chat API, versions 2 and 1: responses and streams, alone or with
 * their request. A response without its request is a run of its own.
 */
#include "extract/api/openai_message.h"
#include "extract/format/log_format.h"
#include "extract/format/resent_history.h"

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

	usage_read(&u, USAGE_CACHE_READ, json_get(counts, "cached_tokens"));
	usage_input_with_cache(&u, json_path(counts, "tokens.input_tokens"));
	usage_read(&u, USAGE_OUTPUT, json_path(counts, "tokens.output_tokens"));
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

	read_plan(b, json_get(m, "tool_plan"));
	builder_text_blocks(b, json_get(m, "content"));
	for (json_each(call, json_get(m, "tool_calls")))
		read_call(b, call, true);
	read_usage(b, json_get(r, "usage"));
	builder_stop_reason(b, json_get(r, "finish_reason"));
}

static void
read_text(struct builder *b, const struct json *content)
{
	builder_append_text(b, json_get(content, "text"));
}

static void
read_event(struct builder *b, const struct json *r)
{
	const struct json *type = json_get(r, "type");
	const struct json *delta = json_get(r, "delta");
	const struct json *m = json_get(delta, "message");

	if (json_str_is(type, "tool-plan-delta")) {
		read_plan(b, json_get(m, "tool_plan"));
	} else if (json_str_is(type, "content-start")) {
		builder_end_text(b);
		read_text(b, json_get(m, "content"));
	} else if (json_str_is(type, "content-delta")) {
		read_text(b, json_get(m, "content"));
	} else if (json_str_is(type, "tool-call-start")) {
		read_call(b, json_get(m, "tool_calls"), false);
	} else if (json_str_is(type, "tool-call-delta")) {
		builder_append_args(
		    b, NULL, json_path(m, "tool_calls.function.arguments"));
	} else if (json_str_is(type, "message-end")) {
		builder_set_broken(b, false);
		read_usage(b, json_get(delta, "usage"));
		builder_stop_reason(b, json_get(delta, "finish_reason"));
		builder_error(b, json_get(delta, "error"));
	}
}

/* ---- the first version ---- */

static void
read_first(struct builder *b, const struct json *r)
{
	builder_text(b, json_get(r, "text"));
	for (json_each(call, json_get(r, "tool_calls")))
		builder_call(b, .tool = json_get(call, "name"),
		    .args = json_get(call, "parameters"));
	read_usage(b, json_get(r, "meta"));
	builder_stop_reason(b, json_get(r, "finish_reason"));
}

static void
read_first_event(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *type = json_get(r, "event_type");
	const struct json *whole = json_get(r, "response");

	if (json_str_is(type, "text-generation")) {
		builder_append_text(b, json_get(r, "text"));
	} else if (json_str_is(type, "stream-end")) {
		builder_set_broken(b, false);
		builder_stop_reason(b, json_get(r, "finish_reason"));
		for (json_each(call, json_get(whole, "tool_calls")))
			builder_call(b, .tool = json_get(call, "name"),
			    .args = json_get(call, "parameters"));
		read_usage(b, json_get(whole, "meta"));
	}
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
	for (json_each(m, messages)) {
		if (history.n != 0)
			history.n--;
		else
			openai_message_read(b, m, NULL, true);
	}
	builder_locate(b, 0);
}

static void
read_answer(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;

	if (json_get(r, "event_type") != NULL)
		read_first_event(log, r);
	else if (json_get(r, "type") != NULL)
		read_event(b, r);
	else if (json_get(r, "message") != NULL)
		read_message(b, r);
	else
		read_first(b, r);
}

/* Begins the run of a response without its request; returns false if r has no
 * part of a response. */
static bool
begins(struct builder *b, const struct json *r)
{
	const struct json *type = field_find(r, "type event_type");
	bool streamed = json_str_is(type, "message-start") ||
	    json_str_is(type, "stream-start");

	if (type != NULL && !streamed)
		return true; /* it continues a stream */
	if (!streamed && field_find(r, "message text") == NULL)
		return false;
	builder_begin_run(b);
	builder_set(b, RUN_ID, field_find(r, "id response_id generation_id"));
	builder_set_broken(b, streamed);
	return true;
}

static void
read_record(struct log *log, const struct json *r)
{
	const struct json *answer = answer_of(r);

	if (answer == NULL) {
		if (begins(log->builder, r))
			read_answer(log, r);
		return;
	}
	read_request(log, r);
	if (json_is(answer, JSON_OBJECT))
		read_answer(log, answer);
	builder_set_broken(log->builder, json_is(answer, JSON_ARRAY));
	for (json_each(event, answer))
		if (json_is(answer, JSON_ARRAY))
			read_answer(log, event);
}

const struct log_format log_format_cohere = {
	.name = "cohere",
	.what = "Cohere Chat, versions 1 and 2: responses, streams",
	.score = score,
	.signs = "event_type finish_reason generation_id usage delta "
		 "response",
	.read = read_record,
};
