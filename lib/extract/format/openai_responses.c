/*
 * OpenAI's Responses API: response objects, requests with them, lists of items,
 * and streams of events. A response that names a previous one, or the conversation
 * of an earlier one, continues its run.
 */
#include "base/hash.h"
#include "extract/api/openai_item.h"
#include "extract/format/log_rows.h"
#include "extract/format/resent_history.h"
#include "extract/format/unread.h"

#define ERRORS "error response.error response.body.error"
#define RESPONSES "response.body response"
#define GROWS "queued in_progress"
#define PREVIOUS \
	"request.previous_response_id request.body.previous_response_id " \
	"body.previous_response_id"
#define CONVERSATION \
	"conversation request.conversation request.body.conversation " \
	"body.conversation"
#define INPUTS "request.input request.body.input body.input"

struct responses {
	struct str id; /* body: id of the last response */
	const struct json *created;
	struct text text; /* of the item that is streamed */
	/* The ids of the last responses (struct str), by conversation. */
	struct hash_table conversations;
};

static struct str
type_of(const struct json *r)
{
	return json_raw(json_get(r, "type"));
}

/* Returns the response in a record, which may be the record itself; NULL if
 * there is none. */
static const struct json *
response_of(const struct json *r)
{
	const struct json *in = field_find(r, RESPONSES);

	if (json_str_is(json_get(r, "object"), "response"))
		return r;
	return json_str_is(json_get(in, "object"), "response") ? in : NULL;
}

/* Returns the events in which the response was logged, or NULL. */
static const struct json *
events_of(const struct json *r)
{
	const struct json *list = field_find(r, RESPONSES);

	return json_path(json_at(list, 0), "response.object") != NULL ? list
								      : NULL;
}

static bool
is_call_item(const struct json *item)
{
	struct str type = type_of(item);

	return (str_ends(type, "_call") || str_ends(type, "_call_output") ||
		   str_ends(type, "_call_result")) &&
	    field_find(item, "call_id callId") != NULL;
}

/* Returns whether list is a list of items that no other format has. */
static bool
are_items(const struct json *list)
{
	bool own = false;

	for (json_each(item, list)) {
		if (is_call_item(item))
			own = true;
		else if (json_get(item, "role") == NULL &&
		    !openai_item_is(item))
			return false;
	}
	return own;
}

/* A request that was refused. Its messages show that the input is not that of
 * another API. */
#define REFUSED \
	"request.input.0.role|request.input.0.type|" \
	"request.body.input.0.role|request.body.input.0.type|" \
	"body.input.0.role|body.input.0.type " \
	"error|response.error|response.body.error"

/* Returns the input of the model, or NULL; a response object repeats none of
 * it. */
static const struct json *
input_of(const struct json *r)
{
	const struct json *list = json_is(r, JSON_ARRAY)
	    ? r
	    : field_find(r, INPUTS " input data items");

	return response_of(r) != NULL || events_of(r) != NULL ||
		log_rows_holds(REFUSED, r) || are_items(list)
	    ? list
	    : NULL;
}

static int
score(const struct json *r)
{
	return input_of(r) != NULL ? LOG_FORMAT_SURE : 0;
}

static bool
by_model(const struct json *item)
{
	return !str_ends(type_of(item), "_output") &&
	    !str_ends(type_of(item), "_result") &&
	    !json_str_is(json_get(item, "role"), "user");
}

static void
read_item(struct builder *b, const struct json *item)
{
	if (by_model(item))
		builder_message_by_order(b);
	if (json_str_is(json_get(item, "role"), "user"))
		builder_prompt(b, json_get(item, "content"));
	else if (json_get(item, "type") == NULL &&
	    json_is(json_get(item, "content"), JSON_STRING) &&
	    json_str_is(json_get(item, "role"), "assistant"))
		builder_text(b, json_get(item, "content"));
	else
		openai_item_read(b, item);
}

/* Reads the text of an item whose end is missing. */
static void
read_rest(struct log *log)
{
	struct responses *s = log->state;
	struct builder *b = log->builder;

	if (s == NULL || s->text.n == 0)
		return;
	builder_text(b, builder_str(b, (struct str){ s->text.s, s->text.n }));
	s->text.n = 0;
}

/* Returns the place of the id of the last response of the conversation that the
 * response, or else its request, names; NULL if none is named. */
static struct str *
last_of_conversation(
    struct log *log, const struct json *response, const struct json *request)
{
	struct responses *s = log->state;
	const struct json *named = field_find(response, CONVERSATION);
	void **slot;

	if (named == NULL)
		named = field_find(request, CONVERSATION);
	if (json_is(named, JSON_OBJECT))
		named = json_get(named, "id");
	if (json_raw(named).n == 0)
		return NULL;
	s->conversations.arena = log->arena;
	slot = hash_put_copy(&s->conversations, json_raw(named));
	if (*slot == NULL)
		*slot = arena_new(log->arena, struct str);
	return *slot;
}

/* Begins a response to the request, which may be NULL; more: the response continues
 * the open run. A response in the background is asked for again until it is done,
 * and others may be in between. */
static void
begin(struct log *log, const struct json *response, const struct json *request,
    bool more)
{
	struct responses *s = log->state;
	const struct json *created = json_get(response, "created_at");
	struct str id = json_raw(json_get(response, "id"));
	const struct json *named = field_find(response, "previous_response_id");
	struct str previous =
	    json_raw(named != NULL ? named : field_find(request, PREVIOUS));
	struct str *last = last_of_conversation(log, response, request);

	if (previous.n == 0 && last != NULL)
		previous = *last;
	if (id.n == 0 || !str_eq(id, s->id)) {
		read_rest(log);
		s->id = str_dup(log->arena, id);
		s->created =
		    created == NULL ? NULL : copy_tree(log->arena, created);
	}
	if (last != NULL)
		*last = s->id;
	if (!more && resent_history_follows(log->builder, id))
		return;
	if (!more && !resent_history_follows(log->builder, previous)) {
		builder_begin_run(log->builder);
		builder_set(log->builder, RUN_ID, json_get(response, "id"));
	}
	resent_history_answer(log->builder, id);
}

/* Reads the end of a response. A response in the background may be asked for
 * before its end. */
static void
read_end(struct builder *b, const struct json *response)
{
	struct usage u = { 0 };

	builder_model(b, json_get(response, "model"));
	builder_error(b, json_get(response, "error"));
	if (field_is(response, "status", "cancelled"))
		builder_error(b, json_get(response, "status"));
	builder_set_broken(b, field_is(response, "status", GROWS));
	builder_stop_reason(
	    b, json_path(response, "incomplete_details.reason"));
	builder_set_times(b, NULL, json_get(response, "completed_at"));
	openai_item_usage(&u, json_get(response, "usage"));
	builder_usage(b, json_raw(json_get(response, "id")), &u, false);
}

/* Reads an item of the output. Commentary on the way to the answer is a text of
 * its own. */
static void
read_output_item(struct log *log, const struct json *item)
{
	struct responses *s = log->state;
	struct builder *b = log->builder;
	const struct builder_locate apart = { .ts = s->created };

	builder_locate(b, .ts = s->created, .message = builder_str(b, s->id));
	builder_message(b);
	openai_item_read(b, item);
	if (!field_is(item, "phase", "commentary"))
		return;
	builder_text_is_interim(b);
	builder_locate_at(b, &apart);
}

/* Returns whether the item is complete. An incomplete item comes again, whole,
 * when the response is asked for the next time. */
static bool
is_done(const struct json *item)
{
	return !field_is(
	    item, "status", "in_progress searching interpreting generating");
}

static void
read_output(struct log *log, const struct json *response)
{
	size_t *history = resent_history_items(log->builder), n = 0;
	bool grows = field_is(response, "status", GROWS);

	for (json_each(item, json_get(response, "output"))) {
		if (grows && !is_done(item))
			break;
		if (n++ >= *history)
			read_output_item(log, item);
	}
	if (n > *history)
		*history = n;
}

/* ---- events ---- */

static void
read_created(struct log *log, const struct json *response)
{
	begin(log, response, NULL, false);
	builder_system(log->builder, json_get(response, "instructions"));
	builder_model(log->builder, json_get(response, "model"));
	builder_set_broken(log->builder, true); /* until its end is read */
}

static void
read_delta(struct log *log, const struct json *delta)
{
	struct responses *s = log->state;

	text_append(log->arena, &s->text, json_raw(delta));
}

static void
read_done_item(struct log *log, const struct json *item)
{
	struct responses *s = log->state;

	s->text.n = 0;
	read_output_item(log, item);
	++*resent_history_items(log->builder);
}

/* Reads the last event of a stream, which repeats the whole response. */
static void
read_last(struct log *log, const struct json *response)
{
	struct responses *s = log->state;

	begin(log, response, NULL, false);
	s->text.n = 0;
	if (*resent_history_items(log->builder) == 0)
		read_output(log, response);
	read_end(log->builder, response);
}

static void read_other(struct log *, const struct json *);

/* Events between the begin of an item and response.output_item.done, which has
 * the whole item. */
#define PARTS \
	"else type=response.output_item.added|response.content_part.*|" \
	"response.output_text.*|response.refusal.done|" \
	"response.reasoning*|response.function_call_arguments.*|" \
	"response.custom_tool_call_input.*|response.mcp_*|" \
	"response.web_search_call.*|response.file_search_call.*|" \
	"response.code_interpreter_call*|response.image_generation_call.*|" \
	"response.shell_call*|response.apply_patch_call*|" \
	"response.audio.*|response.output_audio*"

static const struct log_row rows[] = {
	LOG_ROW("type=response.output_text.delta|response.refusal.delta",
	    LOG_HOOK, .of = "delta", .read = read_delta),
	LOG_ROW("type=response.output_item.done", LOG_HOOK, .of = "item",
	    .read = read_done_item),
	LOG_ROW("type=response.created", LOG_HOOK, .of = "response",
	    .read = read_created),
	LOG_ROW("type=response.completed|response.incomplete|response.failed",
	    LOG_HOOK, .of = "response", .read = read_last),
	LOG_ROW("type=error", LOG_ERROR, .of = "message error"),
	LOG_ROW(
	    "type=response.queued|response.in_progress|keepalive", LOG_NOTHING),
	LOG_ROW(PARTS, LOG_NOTHING),
	LOG_ROW("else", LOG_HOOK, .read = read_other),
	LOG_LAST,
};

/* ---- records ---- */

/* Reads a whole response, with the request before it if that was logged. */
static void
read_whole(struct log *log, const struct json *r)
{
	const struct json *events = events_of(r), *input = input_of(r);
	const struct json *response = response_of(r);
	const struct json *first = events == NULL
	    ? response
	    : json_get(json_at(events, 0), "response");
	struct responses *s = log->state;
	struct builder *b = log->builder;
	struct resent_history history;

	read_rest(log); /* of the run that is still open */
	history = resent_history_emitted(b, input, by_model);
	begin(log, first, response == r ? NULL : r, history.n != 0);
	if (input != NULL) { /* it answers this input, whatever its id is */
		*resent_history_items(b) = 0;
		resent_history_note(b, &history, first != NULL);
	}
	if (first == NULL && field_find(r, ERRORS) != NULL)
		resent_history_failed(b, &history, by_model);
	if (json_is(json_get(r, "custom_id"), JSON_STRING))
		builder_set(b, RUN_ID, json_get(r, "custom_id"));
	builder_locate(b, .ts = s->created);
	builder_system(b,
	    field_find(r,
		"request.instructions request.body.instructions "
		"body.instructions instructions response.body.instructions "
		"response.instructions"));
	if (response != r || response == NULL)
		builder_prompt(b, json_is(input, JSON_STRING) ? input : NULL);
	for (json_each(item, input)) {
		if (history.n != 0) {
			history.n--;
			continue;
		}
		builder_locate(b, .ts = s->created);
		read_item(b, item);
	}
	read_output(log, response);
	for (json_each(event, events))
		log_read_by_rows(log, event);
	if (response != NULL)
		read_end(b, response);
	else if (events == NULL)
		builder_error(b, field_find(r, ERRORS));
}

/* Reads a request, of a batch or not, that got an error for an answer. */
static void
read_failed(struct builder *b, const struct json *r)
{
	builder_begin_run(b);
	builder_set(b, RUN_ID, field_find(r, "custom_id id"));
	builder_prompt(b, field_find(r, INPUTS));
	builder_error(b, field_find(r, ERRORS));
	builder_end_run(b);
}

/* Reads a record that is no event of a stream. */
static void
read_other(struct log *log, const struct json *r)
{
	if (response_of(r) != NULL || events_of(r) != NULL ||
	    input_of(r) != NULL)
		read_whole(log, r);
	else if (field_find(r, ERRORS) != NULL &&
	    (json_is(json_get(r, "custom_id"), JSON_STRING) ||
		field_find(r, INPUTS) != NULL))
		read_failed(log->builder, r);
	else if (json_is(r, JSON_ARRAY))
		for (json_each(one, r))
			log_read_by_rows(log, one);
	else if (openai_item_is(r) || json_get(r, "role") != NULL) {
		builder_locate(
		    log->builder, .ts = field_find(r, "timestamp ts"));
		read_item(log->builder, r);
	} else
		log_unread(log, r);
}

const struct log_format log_format_openai_responses = {
	.name = "openai-responses",
	.what = "OpenAI Responses: responses (also with requests), streams",
	/* Items by themselves, too: the file is one run then. */
	.sure = "type=response.* sequence_number|response|item|delta, "
		"type=function_call|function_call_output|custom_tool_call|"
		"custom_tool_call_output call_id=? arguments|input|output, "
		"type=message role=user|assistant|system|developer "
		"content.0.type=input_text|output_text, "
		"object|response.object|response.body.object|0.object|"
		"0.response.object|0.response.body.object=response, "
		"response.0.response.object|"
		"response.body.0.response.object, " REFUSED,
	.score = score,
	.asked = "input, data, items, request.input, request.body.input, "
		 "body.input, =[",
	.rows = rows,
	.state = sizeof(struct responses),
	.knows_blocks = true,
	.end = read_rest,
	.common = true,
};
