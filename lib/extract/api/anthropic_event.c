#include "extract/api/anthropic_event.h"

#include "extract/api/anthropic_message.h"
#include "extract/value/copy.h"
#include "extract/value/fields.h"

static void
read_start(
    struct anthropic_stream *s, struct builder *b, const struct json *message)
{
	struct usage u = { 0 };

	builder_set_broken(b, true); /* until the message's end is read */
	builder_model(b, json_get(message, "model"));
	s->id = copy_tree(builder_arena(b), json_get(message, "id"));
	s->key =
	    json_raw(s->id).n != 0 ? json_raw(s->id) : builder_usage_key(b);
	anthropic_usage_read(&u, json_get(message, "usage"));
	builder_usage(b, s->key, &u, true);
}

static void
read_block(struct builder *b, const struct json *block)
{
	if (field_is_type(block, "text"))
		builder_end_text(b);
	anthropic_block_read(b, block);
}

static void
read_delta(struct builder *b, const struct json *delta)
{
	const struct json *text = json_get(delta, "text");
	const struct json *args = json_get(delta, "partial_json");

	builder_append_text(b, text);
	builder_append_args(b, NULL, args);
	if (text == NULL && args == NULL &&
	    !field_is_type(delta,
		"thinking_delta signature_delta citations_delta "
		"compaction_delta"))
		builder_unread_part(b, delta);
}

/* Reads the last event of a message, which counts the whole message. */
static void
read_end(
    struct anthropic_stream *s, struct builder *b, const struct json *event)
{
	struct usage u = { 0 };

	anthropic_usage_read(&u, json_get(event, "usage"));
	builder_usage(b, s->key, &u, false);
	builder_set_broken(b, false);
	builder_stop_reason(b, json_path(event, "delta.stop_reason"));
}

void
anthropic_event_read(
    struct anthropic_stream *s, struct builder *b, const struct json *event)
{
	const struct json *type = json_get(event, "type");

	if (json_str_is(type, "message_start"))
		read_start(s, b, json_get(event, "message"));
	builder_locate(b, .message = s->id);
	builder_message(b);
	if (json_str_is(type, "content_block_delta"))
		read_delta(b, json_get(event, "delta"));
	else if (json_str_is(type, "content_block_start"))
		read_block(b, json_get(event, "content_block"));
	else if (json_str_is(type, "message_delta"))
		read_end(s, b, event);
	else if (json_str_is(type, "error"))
		builder_error(b, json_get(event, "error"));
	else if (!field_is_type(event,
		     "message_start content_block_stop message_stop ping"))
		builder_unread_part(b, event);
}

bool
anthropic_events_are(const struct json *list)
{
	const struct json *first = json_at(list, 0);

	return field_is_type(first, "message_start") &&
	    json_path(first, "message.role") != NULL;
}

void
anthropic_events_read(struct builder *b, const struct json *list)
{
	struct anthropic_stream s = { 0 };

	for (json_each(event, list))
		anthropic_event_read(&s, b, event);
}
