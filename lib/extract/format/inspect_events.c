#include "extract/format/inspect_events.h"

#include "extract/format/format.h"
#include "extract/value/copy.h"
#include "io/out.h"
#include "json/keys.h"

/* ---- attachments ---- */

#define MARK STR("attachment://")

/* A long text stands apart, and in its place "attachment://HASH". */
static const struct json *
text_of(const struct inspect_sample *s, const struct json *text)
{
	const struct json_member *there;

	if (!str_starts(json_raw(text), MARK))
		return text;
	there = hash_get(&s->attachments, str_from(json_raw(text), MARK.n));
	return there != NULL ? there->value : text;
}

static void
put(const struct inspect_sample *s, struct out *o, const struct json *v)
{
	if (json_is(v, JSON_ARRAY)) {
		out_begin(o, '[');
		for (json_each(element, v))
			put(s, o, element);
		out_end(o, ']');
	} else if (json_is(v, JSON_OBJECT)) {
		out_begin(o, '{');
		for (json_members(key, v)) {
			out_key_body(o, json_raw(key));
			put(s, o, json_value(key));
		}
		out_end(o, '}');
	} else {
		out_json_raw(o, text_of(s, v)->text);
	}
}

const struct json *
inspect_attached(struct inspect_sample *s, const struct json *v)
{
	struct out o;

	if (v == NULL || !str_contains(v->text, MARK))
		return v;
	if (json_is(v, JSON_STRING))
		return text_of(s, v);
	out_open_memory(&o);
	put(s, &o, v);
	return copy_parsed(s->arena, out_keep(&o, s->arena));
}

/* ---- what an assistant said ---- */

/* A tool that the model's provider ran, of an MCP server perhaps. */
static void
read_use(struct builder *b, const struct json *part)
{
	const struct json *error = field_find(part, "error");

	builder_call(b, .id = json_get(part, "id"),
	    .tool = json_get(part, "name"),
	    .server = field_is(part, "tool_type", "mcp_call")
		? field_find(part, "context")
		: NULL,
	    .args = json_get(part, "arguments"), .decode = true);
	builder_result(b, .id = json_get(part, "id"),
	    .value = error != NULL ? error : json_get(part, "result"),
	    .is_error = builder_bool(error != NULL));
}

void
inspect_said(struct inspect_sample *s, const struct json *m)
{
	const struct json *content =
	    inspect_attached(s, json_get(m, "content"));
	struct builder *b = s->builder;

	builder_model(b, json_get(m, "model"));
	builder_text(b, content);
	for (json_each(part, content)) {
		if (field_is_type(part, "text"))
			builder_text(b, json_get(part, "text"));
		else if (field_is_type(part, "tool_use"))
			read_use(b, part);
	}
	for (json_each(call, json_get(m, "tool_calls")))
		builder_call(b, .id = json_get(call, "id"),
		    .tool = json_get(call, "function"),
		    .args = inspect_attached(s, json_get(call, "arguments")));
}

/* ---- events ---- */

/* A span: what is around it, and the call of a tool that it is of. */
struct around {
	struct str parent;
	bool of_tool;
	const struct json *call; /* its id; NULL: of none */
};

struct events {
	struct inspect_sample *sample;
	struct hash_table spans;
};

enum kind { SPAN_BEGINS, TOOL, MODEL, OTHER };

static enum kind
kind_of(const struct json *event)
{
	const struct json *v = json_get(event, "event");

	return json_str_is(v, "span_begin") ? SPAN_BEGINS
	    : json_str_is(v, "tool")        ? TOOL
	    : json_str_is(v, "model")       ? MODEL
					    : OTHER;
}

static struct around *
span_of(struct events *e, const struct json *id)
{
	void **slot = hash_put(&e->spans, json_raw(id));

	if (*slot == NULL)
		*slot = arena_new(e->sample->arena, struct around);
	return *slot;
}

/* A tool's event stands in a span of its own, and may name an agent's. */
static void
note(struct events *e, const struct json *event)
{
	enum kind kind = kind_of(event);
	const struct json *id;
	struct around *span;

	if (kind != SPAN_BEGINS && kind != TOOL)
		return;
	id = json_get(event, "id");
	if (kind == SPAN_BEGINS) {
		span = span_of(e, id);
		span->parent = json_raw(field_find(event, "parent_id"));
		span->of_tool = field_is(event, "type", "tool");
	} else {
		span = span_of(e, field_find(event, "span_id"));
		if (span->of_tool)
			span->call = id;
		if (field_find(event, "agent_span_id") != NULL)
			span_of(e, field_find(event, "agent_span_id"))->call =
			    id;
	}
}

enum { DEPTH_MAX = 1000 }; /* of spans; a circle ends there */

/* The call that the event happened within; NULL: none. */
static const struct json *
call_around(struct events *e, const struct json *event, enum kind kind)
{
	struct str id = json_raw(field_find(event, "span_id"));
	const struct json *own = kind == TOOL ? json_get(event, "id") : NULL;

	for (int depth = 0; id.n != 0 && depth < DEPTH_MAX; depth++) {
		const struct around *s = hash_get(&e->spans, id);

		if (s == NULL)
			return NULL;
		if (s->call != NULL &&
		    (own == NULL || !str_eq(json_raw(s->call), json_raw(own))))
			return s->call;
		id = s->parent;
	}
	return NULL;
}

/* What a sub-agent's model answered; what is among the sample's messages was
 * told, as an agent's is that was handed over to. */
static void
read_model(struct events *e, const struct json *event, const struct json *call)
{
	const struct json *m =
	    json_get(json_first(json_path(event, "output.choices")), "message");
	struct str id = json_raw(json_get(m, "id"));

	if (id.n == 0 || hash_get(&e->sample->told, id) != NULL)
		return;
	*hash_put(&e->sample->told, str_dup(e->sample->arena, id)) = e;
	builder_locate(e->sample->builder, .sidechain = true, .agent = call,
	    .parent = json_raw(call), .message = json_get(m, "id"));
	inspect_said(e->sample, m);
}

/* How long a tool worked; and of a sub-agent's what came of it. */
static void
read_tool(struct events *e, const struct json *event, const struct json *call)
{
	struct builder *b = e->sample->builder;
	const struct json *id = json_get(event, "id");
	const struct json *error = field_find(event, "error");
	bool sub = call != NULL;

	if (!builder_has_call(b, id))
		return;
	builder_locate(
	    b, .sidechain = sub, .agent = call, .parent = json_raw(call));
	builder_result(b, .id = id,
	    .value = !sub ? NULL
		: error != NULL
		? field_find(error, "message")
		: inspect_attached(e->sample, json_get(event, "result")),
	    .is_error = sub ? builder_bool(error != NULL) : NULL,
	    .ts_start = json_get(event, "timestamp"));
	builder_call_duration(
	    b, json_double(json_get(event, "working_time")) * 1000);
}

/* In older logs a tool's event has those within it. */
static void
read_events(
    struct events *e, const struct json *list, const struct json *around)
{
	for (json_each(event, list)) {
		enum kind kind = kind_of(event);
		const struct json *call;

		if (kind != TOOL && kind != MODEL)
			continue;
		call = around != NULL ? around : call_around(e, event, kind);
		if (kind == MODEL && call != NULL)
			read_model(e, event, call);
		if (kind == MODEL)
			continue;
		read_tool(e, event, call);
		read_events(
		    e, json_get(event, "events"), json_get(event, "id"));
	}
}

void
inspect_events(struct inspect_sample *s, const struct json *events)
{
	struct events e = { .sample = s, .spans.arena = s->arena };

	for (json_each(event, events))
		note(&e, event);
	read_events(&e, events, NULL);
}
