/*
 * OpenAI's Responses: objects, requests with them, lists of items, and
 * streams of events. One that names another as its previous goes on with the
 * same run.
 */
#include "../logfmt.h"
#include "../openai_item.h"
#include "growing.h"

#define ERRORS "error response.body.error"

struct responses {
	struct growing growing;
	struct str id; /* body: the last response's */
	bool items;    /* its items were told one by one */
};

static struct str
type_of(const struct json *r)
{
	return json_raw(json_get(r, STR("type")));
}

/* The response in a record, which may be the record itself. */
static const struct json *
response_of(const struct json *r)
{
	const struct json *in = log_find(r, "response.body response");

	if (json_str_is(json_get(r, STR("object")), STR("response")))
		return r;
	return json_str_is(json_get(in, STR("object")), STR("response")) ? in
									 : NULL;
}

static bool
is_call_item(const struct json *item)
{
	struct str type = type_of(item);

	return log_find(item, "call_id callId") != NULL &&
	    (str_ends(type, STR("_call")) ||
		str_ends(type, STR("_call_output")) ||
		str_ends(type, STR("_call_result")));
}

/* Whether it is a list of items that no other format has. */
static bool
are_items(const struct json *list)
{
	bool own = false;

	for (json_each(item, list)) {
		if (is_call_item(item))
			own = true;
		else if (!openai_item_is(item) &&
		    json_get(item, STR("role")) == NULL)
			return false;
	}
	return own;
}

/* What the model was given; a response object repeats none of it. */
static const struct json *
input_of(const struct json *r)
{
	const struct json *list = json_is(r, JSON_ARRAY)
	    ? r
	    : log_find(r,
		  "request.input request.body.input body.input "
		  "input data items");

	return response_of(r) != NULL || are_items(list) ? list : NULL;
}

static int
score(const struct json *r)
{
	if (response_of(r) != NULL || input_of(r) != NULL ||
	    (str_starts(type_of(r), STR("response.")) &&
		log_find(r, "sequence_number response item delta") != NULL))
		return LOGFMT_SURE;
	return response_of(json_at(r, 0)) != NULL ? LOGFMT_SURE : 0;
}

static bool
by_model(const struct json *item)
{
	return !str_ends(type_of(item), STR("_output")) &&
	    !str_ends(type_of(item), STR("_result")) &&
	    !json_str_is(json_get(item, STR("role")), STR("user"));
}

static void
read_item(struct builder *b, const struct json *item)
{
	if (json_str_is(json_get(item, STR("role")), STR("user")))
		builder_prompt(b, json_get(item, STR("content")));
	else if (json_get(item, STR("type")) == NULL &&
	    json_is(json_get(item, STR("content")), JSON_STRING) &&
	    json_str_is(json_get(item, STR("role")), STR("assistant")))
		builder_text(b, json_get(item, STR("content")));
	else
		openai_item_read(b, item);
}

static void
begin(struct log *log, const struct json *response)
{
	struct responses *s = log->state;
	struct str id = json_raw(json_get(response, STR("id")));
	struct str previous =
	    json_raw(json_get(response, STR("previous_response_id")));
	bool goes_on = previous.n != 0 && str_eq(previous, s->id);

	if (id.n != 0 && str_eq(id, s->id))
		return;
	if (!goes_on) {
		builder_run(log->builder);
		builder_set(
		    log->builder, RUN_ID, json_get(response, STR("id")));
	}
	s->id = str_dup(log->arena, id);
	s->items = false;
}

static void
read_end(struct builder *b, const struct json *response)
{
	const struct json *details =
	    json_get(response, STR("incomplete_details"));
	struct usage u = { 0 };

	builder_model(b, json_get(response, STR("model")));
	builder_error(b, json_get(response, STR("error")));
	builder_meta(b, "incomplete", json_get(details, STR("reason")));
	if (json_get(details, STR("reason")) != NULL)
		builder_cut(b);
	openai_item_usage(&u, json_get(response, STR("usage")));
	builder_usage(b, json_raw(json_get(response, STR("id"))), &u, false);
}

static void
read_output(struct builder *b, const struct json *response)
{
	builder_at(b,
	    &(struct builder_at){
		.ts = json_get(response, STR("created_at")),
		.message = json_get(response, STR("id")),
	    });
	for (json_each(item, json_get(response, STR("output"))))
		openai_item_read(b, item);
}

/* A whole response, with the request before it if that was logged. */
static void
read_whole(struct log *log, const struct json *r)
{
	const struct json *response = response_of(r), *input = input_of(r);
	struct responses *s = log->state;
	const struct builder_at at = { .ts = json_get(
					   response, STR("created_at")) };
	size_t told =
	    growing_told(&s->growing, input, response != NULL, by_model);

	if (told == 0)
		begin(log, response);
	builder_at(log->builder, &at);
	if (response != r || response == NULL)
		builder_prompt(
		    log->builder, json_is(input, JSON_STRING) ? input : NULL);
	for (json_each(item, input)) {
		builder_at(log->builder, &at);
		if (told != 0)
			told--;
		else
			read_item(log->builder, item);
	}
	read_output(log->builder, response);
	if (response != NULL)
		read_end(log->builder, response);
}

/* The last event of a stream has all of it once more. */
static void
read_event(struct log *log, const struct json *r)
{
	const struct json *response = json_get(r, STR("response"));
	struct responses *s = log->state;
	struct builder *b = log->builder;
	struct str type = type_of(r);

	if (str_is(type, "response.created")) {
		begin(log, response);
		builder_model(b, json_get(response, STR("model")));
		builder_broken(b, true); /* until its end is read */
	} else if (str_is(type, "response.output_item.done")) {
		builder_at(b,
		    &(struct builder_at){ .message = builder_str(b, s->id) });
		openai_item_read(b, json_get(r, STR("item")));
		s->items = true;
	} else if (str_is(type, "response.completed") ||
	    str_is(type, "response.incomplete") ||
	    str_is(type, "response.failed")) {
		begin(log, response);
		if (!s->items)
			read_output(b, response);
		read_end(b, response);
		builder_broken(b, false);
	} else if (str_is(type, "error")) {
		builder_error(b, log_find(r, "message error"));
	}
}

/* A request of a batch file that was not answered. */
static bool
is_failed(const struct json *r)
{
	return json_is(json_get(r, STR("custom_id")), JSON_STRING) &&
	    log_find(r, ERRORS) != NULL;
}

static void
read_failed(struct builder *b, const struct json *r)
{
	builder_run(b);
	builder_set(b, RUN_ID, log_find(r, "id custom_id"));
	builder_error(b, log_find(r, ERRORS));
	builder_done(b);
}

static void
read_record(struct log *log, const struct json *r)
{
	if (log->state == NULL)
		log->state = arena_new(log->arena, struct responses);
	if (str_starts(type_of(r), STR("response.")) || log_is_type(r, "error"))
		read_event(log, r);
	else if (response_of(r) != NULL || input_of(r) != NULL)
		read_whole(log, r);
	else if (is_failed(r))
		read_failed(log->builder, r);
	else if (json_is(r, JSON_ARRAY))
		for (json_each(one, r))
			read_record(log, one);
}

const struct logfmt logfmt_openai_responses = {
	.name = "openai-responses",
	.what = "OpenAI Responses: objects, requests with them, streams",
	.score = score,
	.read = read_record,
};
