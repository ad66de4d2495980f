/*
 * Sessions of OpenAI's Realtime API: the events of its server. The user's words
 * are known only after they are transcribed, which may be after the answer to
 * them: events in between wait.
 */
#include "base/hash.h"
#include "extract/api/openai_item.h"
#include "extract/format/log_format.h"
#include "extract/value/copy.h"

struct session {
	struct hash_table transcripts; /* transcripts, by the item's id */
	/* An item that is not transcribed yet, and all events since; the first
	 * `next` of these were read. All are in the run's arena. */
	const struct json **kept;
	size_t next, n;
	struct str emitted; /* body: id of the response whose items were read */
};

#define ADDED "conversation.item.added conversation.item.created"
#define TRANSCRIBED "conversation.item.input_audio_transcription.completed"
#define NOT_TRANSCRIBED "conversation.item.input_audio_transcription.failed"

static int
score(const struct json *r)
{
	const struct json *object =
	    field_find(r, "session.object response.object item.object");
	struct str type = json_raw(json_get(r, "type"));

	if (str_starts(json_raw(object), "realtime.") ||
	    str_starts(type, "input_audio_buffer.") ||
	    (field_is_type(r, ADDED) && json_path(r, "item.type") != NULL))
		return LOG_FORMAT_SURE;
	return str_starts(type, "response.") && json_get(r, "event_id") != NULL;
}

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
read_item(struct builder *b, const struct json *item)
{
	builder_locate(b, 0);
	if (is_by_user(item))
		for (json_each(part, json_get(item, "content")))
			builder_prompt(b, field_find(part, "text transcript"));
	else if (field_is_type(item, "function_call_output"))
		openai_item_read(b, item);
}

static void
read_output(
    struct builder *b, const struct json *item, const struct json *response)
{
	builder_locate(b, .message = response);
	openai_item_read(b, item);
}

static void
read_end(struct session *s, struct builder *b, const struct json *response)
{
	const struct json *id = json_get(response, "id");
	const struct json *why = json_get(response, "status_details");
	struct usage u = { 0 };

	if (!str_eq(s->emitted, json_raw(id)))
		for (json_each(item, json_get(response, "output")))
			read_output(b, item, id);
	if (field_is(response, "status", "incomplete"))
		builder_stop_reason(b, json_get(why, "reason"));
	builder_error(b, json_get(why, "error"));
	openai_item_usage(&u, json_get(response, "usage"));
	builder_usage(b, json_raw(id), &u, false);
}

/* Reads an event. Most errors leave the session unchanged. */
static void
read_event(struct session *s, struct builder *b, const struct json *r)
{
	const struct json *response = json_get(r, "response_id");

	if (field_is_type(r, "session.updated")) {
		builder_model(b, json_path(r, "session.model"));
	} else if (field_is_type(r, ADDED)) {
		read_item(b, json_get(r, "item"));
	} else if (field_is_type(r, "response.output_item.done")) {
		read_output(b, json_get(r, "item"), response);
		s->emitted = copy_body(&b->run_arena, response);
	} else if (field_is_type(r, "response.done")) {
		read_end(s, b, json_get(r, "response"));
	} else if (field_is_type(r, "error")) {
		builder_meta(b, "error", json_get(r, "error"));
	}
}

/* ---- what waits ---- */

static bool
is_untranscribed_event(const struct json *r)
{
	return field_is_type(r, ADDED) && is_untranscribed(json_get(r, "item"));
}

/* Reads the user's words. They begin a turn even if no transcript will come. */
static void
emit_transcript(struct builder *b, const struct json *transcript)
{
	builder_locate(b, 0);
	if (transcript != NULL)
		builder_prompt(b, transcript);
	else
		builder_input(b);
}

/* Reads the events that wait, up to the next item that is not transcribed yet;
 * all of them if the session ends. */
static void
release(struct session *s, struct builder *b, bool ends)
{
	for (; s->next < s->n; s->next++) {
		const struct json *r = s->kept[s->next];
		const struct json *const *came;

		if (!is_untranscribed_event(r)) {
			read_event(s, b, r);
			continue;
		}
		came = hash_get(
		    &s->transcripts, json_raw(json_path(r, "item.id")));
		if (came == NULL && !ends)
			return;
		emit_transcript(b, came == NULL ? NULL : *came);
	}
	s->next = s->n = 0;
	s->kept = NULL;
}

static void
begin(struct session *s, struct builder *b, const struct json *session)
{
	release(s, b, true);
	*s = (struct session){ 0 };
	builder_begin_run(b);
	builder_set(b, RUN_ID, json_get(session, "id"));
	builder_model(b, json_get(session, "model"));
}

/* Notes that the item was transcribed, or cannot be. */
static void
note_transcript(struct session *s, struct builder *b, const struct json *r)
{
	const struct json **text;

	builder_current_run(b);
	text = arena_new(&b->run_arena, const struct json *);
	s->transcripts.arena = &b->run_arena;
	*text = copy_tree(&b->run_arena, json_get(r, "transcript"));
	*hash_put_copy(&s->transcripts, json_raw(json_get(r, "item_id"))) =
	    text;
	release(s, b, false);
}

static void
keep_event(struct session *s, struct builder *b, const struct json *r)
{
	builder_current_run(b);
	*arena_push(&b->run_arena, s->kept, s->n) = copy_tree(&b->run_arena, r);
	release(s, b, false);
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	struct session *s = log->state;

	if (s == NULL)
		log->state = s = arena_new(log->arena, struct session);
	if (field_is_type(r, "session.created"))
		begin(s, b, json_get(r, "session"));
	else if (field_is_type(r, TRANSCRIBED " " NOT_TRANSCRIBED))
		note_transcript(s, b, r);
	else if ((s->n == 0 && !is_untranscribed_event(r)) ||
	    field_is_type(r, "session.updated"))
		read_event(s, b, r);
	else if (field_is_type(
		     r, ADDED " response.output_item.done response.done error"))
		keep_event(s, b, r);
}

static void
read_rest(struct log *log)
{
	if (log->state != NULL)
		release(log->state, log->builder, true);
}

const struct log_format log_format_openai_realtime = {
	.name = "openai-realtime",
	.what = "OpenAI Realtime: events of a session",
	.score = score,
	.signs = "session response item type=input_* type=response.*",
	.read = read_record,
	.end = read_rest,
};
