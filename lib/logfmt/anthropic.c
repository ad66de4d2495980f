/*
 * Anthropic's Messages: responses, requests with them, conversations, and
 * streams of events.
 */
#include "../anthropic_message.h"
#include "../logfmt.h"
#include "growing.h"

/* Results of a batch are told one by one. */
#define FAILURES "errored canceled expired"
#define MESSAGES "request.messages request.body.messages body.messages messages"

struct messages {
	struct growing growing;
	struct str id; /* body: the message that is streamed */
};

static bool
is_message(const struct json *r)
{
	return log_is_type(r, "message") &&
	    json_is(json_get(r, STR("content")), JSON_ARRAY) &&
	    json_get(r, STR("role")) != NULL &&
	    log_find(r, "stop_reason usage") != NULL;
}

static const struct json *
response_of(const struct json *r)
{
	const struct json *in =
	    log_find(r, "response.body response result.message");

	return is_message(r) ? r : is_message(in) ? in : NULL;
}

static const struct json *
messages_of(const struct json *r)
{
	const struct json *list =
	    json_is(r, JSON_ARRAY) ? r : log_find(r, MESSAGES);

	return json_get(json_at(list, 0), STR("role")) != NULL ? list : NULL;
}

/* A request of a batch that was not answered. */
static bool
is_failed(const struct json *r)
{
	return json_is(json_get(r, STR("custom_id")), JSON_STRING) &&
	    log_is_type(json_get(r, STR("result")), FAILURES);
}

static int
score(const struct json *r)
{
	if (is_failed(r) || response_of(r) != NULL ||
	    anthropic_messages_are(messages_of(r)) || is_message(json_at(r, 0)))
		return LOGFMT_SURE;
	return log_is_type(r, "message_start") &&
		json_path(r, "message.role") != NULL
	    ? LOGFMT_SURE
	    : 0;
}

static bool
by_model(const struct json *m)
{
	return json_str_is(json_get(m, STR("role")), STR("assistant"));
}

static void
read_usage(struct builder *b, const struct json *message, bool partial)
{
	struct usage u = { 0 };

	anthropic_usage_read(&u, json_get(message, STR("usage")));
	builder_usage(b, json_raw(json_get(message, STR("id"))), &u, partial);
}

static void
read_response(struct builder *b, const struct json *response)
{
	const struct json *stop = json_get(response, STR("stop_reason"));

	builder_at(b,
	    &(struct builder_at){ .message = json_get(response, STR("id")) });
	builder_model(b, json_get(response, STR("model")));
	anthropic_message_read(b, response);
	read_usage(b, response, false);
	if (json_str_is(stop, STR("max_tokens")))
		builder_cut(b);
}

/* The messages of a request, the response to it, or both. */
static void
read_whole(struct log *log, const struct json *r)
{
	const struct json *response = response_of(r), *list = messages_of(r);
	struct messages *s = log->state;
	struct builder *b = log->builder;
	size_t told =
	    growing_told(&s->growing, list, response != NULL, by_model);

	if (told == 0) {
		log_source(log, r);
		builder_run(b);
		builder_set(b, RUN_ID,
		    log_find(r, "id custom_id request_id response.id"));
	}
	builder_model(b, log_find(r, "model request.model body.model"));
	for (json_each(m, list)) {
		builder_at(b,
		    &(struct builder_at){
			.ts = log_find(m, "timestamp ts created_at") });
		if (told != 0)
			told--;
		else
			anthropic_message_read(b, m);
	}
	if (response != NULL)
		read_response(b, response);
	builder_error(b,
	    log_find(r,
		is_failed(r) ? "result.error.error result.error result.type"
			     : "error response.error"));
}

/* ---- streams ---- */

static void
read_start(struct log *log, const struct json *message)
{
	struct messages *s = log->state;

	builder_run(log->builder);
	builder_broken(log->builder, true); /* until its end is read */
	builder_set(log->builder, RUN_ID, json_get(message, STR("id")));
	builder_model(log->builder, json_get(message, STR("model")));
	s->id = keep_body(log->arena, json_get(message, STR("id")));
	read_usage(log->builder, message, true);
}

static void
read_block(struct builder *b, const struct json *block)
{
	if (log_is_type(block, "text"))
		builder_text_ends(b);
	anthropic_block_read(b, block);
}

static void
read_delta(struct log *log, const struct json *r)
{
	const struct json *delta = json_get(r, STR("delta"));
	struct messages *s = log->state;
	struct builder *b = log->builder;
	struct usage u = { 0 };

	builder_text_more(b, json_get(delta, STR("text")));
	builder_args_more(b, NULL, json_get(delta, STR("partial_json")));
	if (!log_is_type(r, "message_delta"))
		return;
	anthropic_usage_read(&u, json_get(r, STR("usage")));
	builder_usage(b, s->id, &u, false);
	builder_broken(b, false);
}

static void
read_event(struct log *log, const struct json *r)
{
	struct messages *s = log->state;
	struct builder *b = log->builder;

	if (log_is_type(r, "message_start"))
		read_start(log, json_get(r, STR("message")));
	builder_at(b,
	    &(struct builder_at){
		.message = s->id.n != 0 ? builder_str(b, s->id) : NULL });
	if (log_is_type(r, "content_block_start"))
		read_block(b, json_get(r, STR("content_block")));
	else if (json_get(r, STR("delta")) != NULL)
		read_delta(log, r);
	else if (log_is_type(r, "error"))
		builder_error(b, json_get(r, STR("error")));
}

static void
read_record(struct log *log, const struct json *r)
{
	if (log->state == NULL)
		log->state = arena_new(log->arena, struct messages);
	if (response_of(r) != NULL || messages_of(r) != NULL || is_failed(r))
		read_whole(log, r);
	else if (json_is(r, JSON_OBJECT))
		read_event(log, r);
	else
		for (json_each(one, r))
			read_record(log, one);
}

const struct logfmt logfmt_anthropic = {
	.name = "anthropic",
	.what = "Anthropic Messages: responses, requests with them, streams",
	.score = score,
	.read = read_record,
};
