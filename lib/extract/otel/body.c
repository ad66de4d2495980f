#include "extract/otel/body.h"

#include "extract/api/chat.h"
#include "extract/otel/otel.h"
#include "io/out.h"

bool
otel_body_is(const struct json *v)
{
	return json_is(json_path(v, "input.messages"), JSON_ARRAY) ||
	    json_is(json_path(v, "output.messages"), JSON_ARRAY);
}

static const struct json *
body_of(const struct json *event)
{
	const struct json *body = json_get(event, "body");

	return otel_body_is(body)
	    ? body
	    : json_get(json_get(event, "attributes"), "event.body");
}

/* Writes a message; its text may be the JSON of a list of blocks. */
static void
put_message(struct arena *a, struct out *o, const struct json *m)
{
	const struct json *content = json_get(m, "content");
	const struct json *inner = otel_find(content, "content message");
	const struct json *role = json_get(m, "role");

	out_begin(o, '{');
	if (role != NULL) {
		out_key(o, "role");
		out_json_raw(o, role->text);
	}
	inner = chat_value(a, inner != NULL ? inner : content);
	if (inner != NULL) {
		out_key(o, "content");
		out_json_raw(o, inner->text);
	}
	out_end(o, '}');
}

const struct json *
otel_body_messages(struct arena *a, const struct json *events, bool output)
{
	const struct json *list = NULL;
	struct out o;

	for (json_each(event, events))
		if (json_first(list) == NULL)
			list = json_path(body_of(event),
			    output ? "output.messages" : "input.messages");
	if (json_first(list) == NULL)
		return NULL;
	out_open_memory(&o);
	out_begin(&o, '[');
	for (json_each(m, list))
		put_message(a, &o, m);
	out_end(&o, ']');
	return copy_parsed(a, out_keep(&o, a));
}
