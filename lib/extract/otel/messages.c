#include "extract/otel/messages.h"

#include "extract/otel/body.h"
#include "extract/otel/otel.h"
#include "extract/run/put_member.h"
#include "extract/value/copy.h"
#include "extract/value/unflatten.h"
#include "io/out.h"

/* Names of events, formerly logged on the span, and the role of their
 * message. */
static const struct event_name {
	struct str name;
	const char *role;
	bool output;
} event_names[] = {
	{ STR_CONST("gen_ai.system.message"), "system", false },
	{ STR_CONST("gen_ai.user.message"), "user", false },
	{ STR_CONST("gen_ai.assistant.message"), "assistant", false },
	{ STR_CONST("gen_ai.tool.message"), "tool", false },
	{ STR_CONST("gen_ai.choice"), "assistant", true },
	{ STR_CONST("gen_ai.content.prompt"), "user", false },
	{ STR_CONST("gen_ai.content.completion"), "assistant", true },
};

/* The name of the event that holds all messages of an operation. */
#define DETAILS STR("gen_ai.client.inference.operation.details")

static const struct event_name *
event_named(struct str name)
{
	for (size_t i = 0; i < sizeof event_names / sizeof event_names[0]; i++)
		if (str_eq(name, event_names[i].name))
			return &event_names[i];
	return NULL;
}

bool
otel_messages_event(struct str name)
{
	return event_named(name) != NULL || str_eq(name, DETAILS);
}

/* Writes the message, or the messages, that the event holds. */
static void
put_event(struct arena *a, struct out *o, const struct event_name *name,
    const struct json *attributes)
{
	const struct json *v = chat_value(a,
	    otel_find(attributes,
		"gen_ai.prompt gen_ai.completion message "
		"gen_ai.event.content event.body"));

	bool content;

	if (json_is(json_get(v, "message"), JSON_OBJECT))
		v = json_get(v, "message"); /* of a choice */
	content = json_is(v, JSON_STRING) || chat_is_blocks(v);
	if (!content &&
	    (json_is(v, JSON_ARRAY) || json_get(v, "role") != NULL)) {
		out_json_raw(o, v->text);
		return;
	}
	if (!content && !json_is(v, JSON_OBJECT))
		v = attributes;
	out_begin(o, '{');
	out_member_str(o, "role", str_of(name->role));
	if (content) {
		out_key(o, "content");
		out_json_raw(o, v->text);
	}
	for (json_members(key, v)) {
		if (json_str_is(key, "role"))
			continue;
		out_key_body(o, json_raw(key));
		out_json_raw(o, json_value(key)->text);
	}
	out_end(o, '}');
}

static const struct json *
messages_of_events(struct arena *a, const struct json *events, bool output)
{
	struct out o;
	bool any = false;

	out_open_memory(&o);
	out_begin(&o, '[');
	for (json_each(event, events)) {
		const struct event_name *name =
		    event_named(json_raw(otel_find(event, "event.name name")));
		const struct json *attributes;

		if (name == NULL || name->output != output)
			continue;
		any = true;
		attributes = otel_attributes(a, event);
		put_event(a, &o, name, attributes != NULL ? attributes : event);
	}
	out_end(&o, ']');
	if (any)
		return copy_parsed(a, out_keep(&o, a));
	out_close(&o);
	return NULL;
}

/* Returns an attribute of the operation's events; one event may hold a model's
 * input and another its output. */
static const struct json *
in_details(struct arena *a, const struct json *events, const char *what)
{
	const struct json *found = NULL;

	for (json_each(event, events))
		if (found == NULL &&
		    json_str_is(json_get(event, "name"), DETAILS))
			found = otel_find(otel_attributes(a, event), what);
	return found;
}

/* Returns the value under one of the names, or the value made of attributes
 * whose names begin with one of the names. */
static const struct json *
messages_under(
    struct arena *a, const struct lookup *attributes, enum otel_name of)
{
	const struct json *v = NULL;

	for (const struct str *name = otel_names[of];
	     v == NULL && name->s != NULL; name++) {
		if (!lookup_begins(attributes, *name->s))
			continue;
		v = lookup_get(attributes, *name);
		if (v == NULL)
			v = unflatten(a, attributes->json, *name);
	}
	return v;
}

/* Returns the answer of the Vercel AI SDK, which logs text and calls apart. */
static const struct json *
vercel_answer(struct arena *a, const struct lookup *attributes)
{
	const struct json *text = otel_get(attributes, OTEL_ANSWER);
	const struct json *calls =
	    chat_value(a, lookup_get(attributes, "ai.response.toolCalls"));
	struct out o;

	if (text == NULL && calls == NULL)
		return NULL;
	out_open_memory(&o);
	out_begin(&o, '{');
	out_member_str(&o, "role", STR("assistant"));
	put_json(&o, "content", text);
	put_json(&o, "tool_calls", calls);
	out_end(&o, '}');
	return copy_parsed(a, out_keep(&o, a));
}

/* Fills in what is absent from the events, if there are any. */
static void
read_events(struct arena *a, const struct json *events,
    const struct json **input, const struct json **output)
{
	if (json_first(events) == NULL)
		return;
	if (*input == NULL)
		*input = in_details(a, events, "gen_ai.input.messages");
	if (*output == NULL)
		*output = in_details(a, events, "gen_ai.output.messages");
	if (*input == NULL)
		*input = otel_body_messages(a, events, false);
	if (*output == NULL)
		*output = otel_body_messages(a, events, true);
	if (*input == NULL)
		*input = messages_of_events(a, events, false);
	if (*output == NULL)
		*output = messages_of_events(a, events, true);
}

void
otel_messages_read(struct arena *a, struct span *s, const struct json *events,
    const struct lookup *attributes)
{
	/* Pydantic AI logs the events as JSON in one attribute. */
	if (json_first(events) == NULL)
		events = chat_value(a, lookup_get(attributes, "events"));
	s->input = messages_under(a, attributes, OTEL_INPUT_MESSAGES);
	s->output = messages_under(a, attributes, OTEL_OUTPUT_MESSAGES);
	read_events(a, events, &s->input, &s->output);
	if (s->output == NULL)
		s->output = vercel_answer(a, attributes);
	if (s->input == NULL)
		s->input = otel_get(attributes, OTEL_INPUT);
	if (s->input == NULL)
		s->input = otel_text(lookup_get(attributes, "user_prompt"));
	if (s->output == NULL)
		s->output = otel_get(attributes, OTEL_OUTPUT);
	if (s->output == NULL)
		s->output = otel_unquoted(
		    a, lookup_get(attributes, "traceloop.entity.output"));
	if (s->output == NULL)
		s->output = otel_get(attributes, OTEL_OUTPUT_ELSE);
}

/* Returns a member of the first message's first part, or that message's content
 * if it has no parts. */
static const struct json *
first_of(struct arena *a, const struct json *list, struct str member)
{
	const struct json *m = json_at(chat_value(a, list), 0);
	const struct json *part = json_at(json_get(m, "parts"), 0);

	return part != NULL ? json_get(part, member) : json_get(m, "content");
}

void
otel_messages_tool(struct arena *a, struct span *s, const struct json *events)
{
	const struct json *given = NULL, *gave = NULL;

	read_events(a, events, &given, &gave);
	if (s->args == NULL)
		s->args = first_of(a, given, STR("arguments"));
	if (s->result == NULL)
		s->result = first_of(a, gave, STR("response"));
}
