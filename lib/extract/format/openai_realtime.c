/*
 * Sessions of OpenAI's Realtime API: the events of its server. The user's words
 * are known only after they are transcribed, which may be after the answer to
 * them: events in between wait.
 */
#include "base/hash.h"
#include "extract/api/openai_item.h"
#include "extract/format/log_rows.h"
#include "extract/value/copy.h"

struct session {
	struct hash_table transcripts; /* transcripts, by the item's id */
	/* An item that is not transcribed yet, and all events since; the first
	 * `next` of these were read. All are in the run's arena. */
	const struct json **kept;
	size_t next, n;
	struct str emitted; /* body: id of the response whose items were read */
	const struct log_rows *events;
};

#define ADDED "conversation.item.added|conversation.item.created"

static bool
is_by_user(const struct json *item)
{
	return field_is_type(item, "message") && field_is(item, "role", "user");
}

/* Returns whether the item is a user's audio without a transcript yet. */
static bool
is_untranscribed(const struct json *item)
{
	for (json_each(part, json_get(item, "content")))
		if (field_find(part, "text transcript") != NULL)
			return false;
	return is_by_user(item);
}

/* ---- events ---- */

/* Reads an item. The model's words and calls are read with its response. */
static void
read_item(struct log *log, const struct json *item)
{
	struct builder *b = log->builder;

	builder_locate(b, 0);
	if (is_by_user(item))
		for (json_each(part, json_get(item, "content")))
			builder_prompt(b, field_find(part, "text transcript"));
	else if (field_is_type(item, "function_call_output"))
		openai_item_read(b, item);
}

static void
read_output(struct log *log, const struct json *item, const struct json *id)
{
	builder_locate(log->builder, .message = id);
	builder_message(log->builder);
	openai_item_read(log->builder, item);
}

static void
read_end(struct log *log, const struct json *response)
{
	struct builder *b = log->builder;
	struct session *s = log->state;
	const struct json *id = json_get(response, "id");
	const struct json *why = json_get(response, "status_details");
	struct usage u = { 0 };

	if (!str_eq(s->emitted, json_raw(id)))
		for (json_each(item, json_get(response, "output")))
			read_output(log, item, id);
	if (field_is(response, "status", "incomplete"))
		builder_stop_reason(b, json_get(why, "reason"));
	builder_error(b, json_get(why, "error"));
	openai_item_usage(&u, json_get(response, "usage"));
	builder_usage(b, json_raw(id), &u, false);
}

static void
read_done_item(struct log *log, const struct json *r)
{
	const struct json *response = json_get(r, "response_id");
	struct session *s = log->state;

	read_output(log, json_get(r, "item"), response);
	s->emitted = copy_body(builder_arena(log->builder), response);
}

/* Events in the order in which they are read. Most errors leave the session
 * unchanged. */
static const struct log_row events[] = {
	LOG_ROW("type=" ADDED, LOG_HOOK, .of = "item", .read = read_item),
	LOG_ROW(
	    "type=response.output_item.done", LOG_HOOK, .read = read_done_item),
	LOG_ROW(
	    "type=response.done", LOG_HOOK, .of = "response", .read = read_end),
	LOG_ROW("type=error", LOG_META, .of = "error", .name = "error"),
	LOG_LAST,
};

/* ---- what waits ---- */

static bool
is_untranscribed_event(const struct json *r)
{
	return log_rows_holds("type=" ADDED, r) &&
	    is_untranscribed(json_get(r, "item"));
}

/* Reads the events that wait, up to the next item that is not transcribed yet;
 * all of them if the session ends. */
static void
release(struct log *log, bool ends)
{
	struct session *s = log->state;

	for (; s->next < s->n; s->next++) {
		const struct json *r = s->kept[s->next];
		const struct json *const *came;

		if (!is_untranscribed_event(r)) {
			log_rows_read(log, s->events, r);
			continue;
		}
		came = hash_get(
		    &s->transcripts, json_raw(json_path(r, "item.id")));
		if (came == NULL && !ends)
			return;
		builder_locate(log->builder, 0);
		if (came != NULL && *came != NULL)
			builder_prompt(log->builder, *came);
		else /* a turn, even if no transcript will come */
			builder_input(log->builder);
	}
	s->next = s->n = 0;
	s->kept = NULL;
}

static void
begin(struct log *log, const struct json *session)
{
	struct builder *b = log->builder;
	struct session *s = log->state;

	release(log, true);
	*s = (struct session){ .events = s->events };
	builder_begin_run(b);
	builder_set(b, RUN_ID, json_get(session, "id"));
	builder_model(b, json_get(session, "model"));
}

/* Notes that the item was transcribed, or cannot be. */
static void
note_transcript(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	struct session *s = log->state;
	const struct json **text;

	builder_current_run(b);
	text = arena_new(builder_arena(b), const struct json *);
	s->transcripts.arena = builder_arena(b);
	*text = copy_tree(builder_arena(b), json_get(r, "transcript"));
	*hash_put_copy(&s->transcripts, json_raw(json_get(r, "item_id"))) =
	    text;
	release(log, false);
}

/* Reads the event, or keeps it until the item before it is transcribed. */
static void
read_in_order(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	struct session *s = log->state;

	if (s->n == 0 && !is_untranscribed_event(r)) {
		log_rows_read(log, s->events, r);
		return;
	}
	builder_current_run(b);
	*arena_push(builder_arena(b), s->kept, s->n) =
	    copy_tree(builder_arena(b), r);
	release(log, false);
}

static void
before(struct log *log, const struct json *r)
{
	struct session *s = log->state;

	(void)r;
	if (s != NULL)
		return;
	log->state = s = arena_new(log->arena, struct session);
	s->events = log_rows_of(log->arena, events);
}

static void
read_rest(struct log *log)
{
	if (log->state != NULL)
		release(log, true);
}

static const struct log_row rows[] = {
	LOG_ROW(
	    "type=session.created", LOG_HOOK, .of = "session", .read = begin),
	LOG_ROW("type=session.updated", LOG_MODEL, .of = "session.model"),
	LOG_ROW(
	    "type=session.updated", LOG_SYSTEM, .of = "session.instructions"),
	LOG_ROW("type=conversation.item.input_audio_transcription.completed|"
		"conversation.item.input_audio_transcription.failed",
	    LOG_HOOK, .read = note_transcript),
	LOG_ROW("type=" ADDED "|response.output_item.done|response.done|error",
	    LOG_HOOK, .read = read_in_order),
	/* Parts of what response.output_item.done has whole. */
	LOG_ROW("else type=response.created|response.output_item.added|"
		"response.content_part.*|response.text.*|"
		"response.output_text.*|response.audio*|"
		"response.output_audio*|response.function_call_arguments.*|"
		"response.mcp_*",
	    LOG_NOTHING),
	/* Requests of the client, and the server's news of the
	 * session. */
	LOG_ROW("else type=session.update|conversation.created|"
		"conversation.item.create|conversation.item.delete*|"
		"conversation.item.done|conversation.item.retrieve*|"
		"conversation.item.truncate*|"
		"conversation.item.input_audio_transcription.delta|"
		"conversation.item.input_audio_transcription.segment|"
		"input_audio_buffer.*|output_audio_buffer.*|"
		"response.create|response.cancel|rate_limits.updated|"
		"mcp_list_tools.*|transcription_session.*",
	    LOG_NOTHING),
	LOG_LAST,
};

const struct log_format log_format_openai_realtime = {
	.name = "openai-realtime",
	.what = "OpenAI Realtime: events of a session",
	.sure = "session.object=realtime.*, response.object=realtime.*, "
		"item.object=realtime.*, type=input_audio_buffer.*, "
		"type=conversation.item.added|conversation.item.created "
		"item.type",
	.hint = "1 type=response.* event_id",
	.before = before,
	.rows = rows,
	.knows_blocks = true,
	.end = read_rest,
};
