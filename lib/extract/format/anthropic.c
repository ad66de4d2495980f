/*
 * Anthropic's Messages API as logged by proxies, SDKs and batches: responses,
 * requests with their responses, bare conversations, messages one a line, and
 * the events of streams.
 */
#include "extract/api/anthropic_event.h"
#include "extract/api/anthropic_message.h"
#include "extract/format/log_rows.h"
#include "extract/format/resent_history.h"
#include "extract/format/unread.h"

/* The types of a batch's results that are failures. A batch logs each result by
 * itself. */
#define FAILURES "errored canceled expired"
#define ERRORS "error response.body.error response.error"
#define MESSAGES \
	"request.messages request.body.messages body.messages " \
	"params.messages messages"
#define MODEL "model request.model body.model params.model"

struct lines {
	struct anthropic_stream stream;
	bool open; /* the run consists of messages, one a line */
};

static bool
is_message(const struct json *r)
{
	return field_is_type(r, "message") &&
	    json_is(json_get(r, "content"), JSON_ARRAY) &&
	    json_get(r, "role") != NULL &&
	    field_find(r, "stop_reason usage") != NULL;
}

static const struct json *
response_of(const struct json *r)
{
	const struct json *in =
	    field_find(r, "response.body response result.message");

	return is_message(r) ? r : is_message(in) ? in : NULL;
}

/* Returns the list of stream events in which the response was logged, or
 * NULL. */
static const struct json *
events_of(const struct json *r)
{
	const struct json *list = field_find(r, "response.body response");

	return anthropic_events_are(list) ? list : NULL;
}

static const struct json *
messages_of(const struct json *r)
{
	const struct json *list =
	    json_is(r, JSON_ARRAY) ? r : field_find(r, MESSAGES);

	return json_get(json_at(list, 0), "role") != NULL ? list : NULL;
}

/* Returns whether r is a request of a batch that was not answered. */
static bool
is_failed(const struct json *r)
{
	return json_is(json_get(r, "custom_id"), JSON_STRING) &&
	    field_is_type(json_get(r, "result"), FAILURES);
}

/* Returns whether r is a request that got an error, in this API's own words. */
static bool
is_refused(const struct json *r)
{
	const struct json *in = field_find(r, "response.body response");

	return field_is_type(in, "error") &&
	    json_path(in, "error.type") != NULL && messages_of(r) != NULL;
}

/* Returns whether r is a message by itself, whose run is the file. */
static bool
is_line(const struct json *r)
{
	const struct json *content = json_get(r, "content");

	return field_is(r, "role", "user assistant system") &&
	    (json_is(content, JSON_STRING) || json_is(content, JSON_ARRAY)) &&
	    (json_get(r, "type") == NULL || field_is_type(r, "message"));
}

static bool
has_tool_block(const struct json *r)
{
	for (json_each(block, json_get(r, "content")))
		if (field_is_type(block, "tool_use tool_result"))
			return true;
	return false;
}

static int
score(const struct json *r)
{
	if (is_line(r) && !is_message(r))
		return has_tool_block(r) ? LOG_FORMAT_SURE
					 : LOG_FORMAT_SURE / 5;

	if (is_failed(r) || is_refused(r) || response_of(r) != NULL ||
	    events_of(r) != NULL || anthropic_messages_are(messages_of(r)) ||
	    is_message(json_at(r, 0)))
		return LOG_FORMAT_SURE;
	if (field_is_type(r, "message_start") &&
	    json_path(r, "message.role") != NULL)
		return LOG_FORMAT_SURE;
	/* The response to a request that failed, logged alone. */
	return field_is_type(r, "error") &&
		json_path(r, "error.message") != NULL
	    ? LOG_FORMAT_SURE / 5
	    : 0;
}

static bool
by_model(const struct json *m)
{
	return json_str_is(json_get(m, "role"), "assistant");
}

static void
read_response(struct builder *b, const struct json *response)
{
	struct usage u = { 0 };

	builder_locate(b, .message = json_get(response, "id"));
	builder_model(b, json_get(response, "model"));
	anthropic_message_read(b, response);
	anthropic_usage_read(&u, json_get(response, "usage"));
	builder_usage(b, json_raw(json_get(response, "id")), &u, false);
	builder_stop_reason(b, json_get(response, "stop_reason"));
}

static const struct json *
id_of(const struct json *r)
{
	const struct json *id =
	    field_find(r, "id custom_id request_id response.id");

	return id != NULL ? id
			  : json_path(json_at(events_of(r), 0), "message.id");
}

/* Reads the messages of a request, the response to it, or both. */
static void
read_whole(struct log *log, const struct json *r)
{
	const struct json *response = response_of(r), *list = messages_of(r);
	const struct json *events = events_of(r);
	struct lines *s = log->state;
	struct builder *b = log->builder;
	bool answered = response != NULL || events != NULL;
	struct resent_history history =
	    resent_history_emitted(b, list, by_model);

	/* The run of the stream ends here. */
	*s = (struct lines){ 0 };
	if (history.n == 0) {
		log_source(log, r);
		builder_begin_run(b);
		builder_set(b, RUN_ID, id_of(r));
	}
	resent_history_note(b, &history, answered);
	if (!answered && field_find(r, ERRORS) != NULL)
		resent_history_failed(b, &history, by_model);
	if (!answered)
		builder_model(b, field_find(r, MODEL));
	builder_system(b,
	    field_find(r,
		"system request.system request.body.system body.system "
		"params.system"));
	for (json_each(m, list)) {
		if (history.n != 0) {
			history.n--;
			continue;
		}
		builder_locate(
		    b, .ts = field_find(m, "timestamp ts created_at"));
		anthropic_message_read(b, m);
	}
	builder_error(b,
	    field_find(r,
		is_failed(r) ? "result.error.error result.error result.type"
			     : ERRORS));
	if (response != NULL)
		read_response(b, response);
	else if (!answered && json_count(json_get(r, "response")) != 0 &&
	    field_find(r, ERRORS) == NULL)
		log_unread_as(log, json_get(r, "response"),
		    RUN_LOST_CALL | RUN_LOST_TEXT);
	anthropic_events_read(b, events); /* may include an error */
}

/* Reads a message that is a line. */
static void
read_line(struct log *log, const struct json *r)
{
	struct lines *s = log->state;
	struct builder *b = log->builder;
	struct usage u = { 0 };

	s->open = true;
	builder_locate(b, .ts = field_find(r, "timestamp ts created_at"),
	    .message = json_get(r, "id"));
	builder_model(b, json_get(r, "model"));
	anthropic_message_read(b, r);
	if (!by_model(r))
		return;
	anthropic_usage_read(&u, json_get(r, "usage"));
	builder_usage(b, json_raw(json_get(r, "id")), &u, false);
	builder_stop_reason(b, json_get(r, "stop_reason"));
}

static void
read_event(struct log *log, const struct json *r)
{
	struct lines *s = log->state;

	anthropic_event_read(&s->stream, log->builder, r);
}

/* Reads a record that is no event of a stream. */
static void
read_other(struct log *log, const struct json *r)
{
	const struct lines *s = log->state;

	if (is_line(r) && (s->open || !is_message(r)))
		read_line(log, r);
	else if (response_of(r) != NULL || messages_of(r) != NULL ||
	    events_of(r) != NULL || is_failed(r))
		read_whole(log, r);
	else if (json_is(r, JSON_ARRAY))
		for (json_each(one, r))
			log_read_by_rows(log, one);
	else
		log_unread(log, r);
}

static const struct log_row rows[] = {
	LOG_ROW("type=ping|content_block_stop|message_stop", LOG_NOTHING),
	LOG_ROW("type=message_start", LOG_BEGIN, .of = "message.id"),
	LOG_ROW("type=message_start|content_block_start|content_block_delta|"
		"message_delta",
	    LOG_HOOK, .read = read_event),
	LOG_ROW("type=error !role", LOG_HOOK, .read = read_event),
	LOG_ROW("else", LOG_HOOK, .read = read_other),
	LOG_LAST,
};

const struct log_format log_format_anthropic = {
	.name = "anthropic",
	.what = "Anthropic Messages: responses (also with requests), streams",
	.score = score,
	.asked = "role=user, role=assistant, role=system, type=message, "
		 "type=message_start, type=error, custom_id, response, "
		 "result, request, body, params, messages.*.content=[",
	.unflagged = UNFLAGGED_OK,
	.rows = rows,
	.state = sizeof(struct lines),
	.knows_blocks = true,
	.common = true,
};
