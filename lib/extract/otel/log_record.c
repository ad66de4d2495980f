#include "extract/otel/log_record.h"

#include "extract/run/put_member.h"

/* Returns the event's name, a body; some log records name the event only in
 * their text. */
struct str
otel_log_name(const struct lookup *v)
{
	const struct json *body;
	struct str name;

	if (lookup_get(v, "attributes") == NULL ||
	    otel_get(v, OTEL_TIMES) == NULL)
		return (struct str){ 0 };
	body = otel_get(v, OTEL_BODY);
	name = json_raw(otel_get(v, OTEL_EVENT_NAME));
	if (name.n == 0)
		name = json_raw(otel_attribute(v->json, "event.name"));
	if (json_is(body, JSON_OBJECT))
		body = otel_find(body, "stringValue string_value");
	/* Claude Code's text is the event's name after the program's name. */
	if (name.n == 0 || str_ends(json_raw(body), name))
		name = json_raw(body);
	return name;
}

/* Returns the first time that is known; 0 means unknown. */
static int64_t
time_of(const struct json *v)
{
	const struct str *name = otel_names[OTEL_TIMES];
	int64_t t = SPAN_NO_TIME;

	for (; name->s != NULL && (t == SPAN_NO_TIME || t == 0); name++)
		t = otel_time(json_get(v, *name), false);
	if (t == SPAN_NO_TIME || t == 0)
		t = otel_time(otel_attribute(v, "event.timestamp"), false);
	return t == 0 ? SPAN_NO_TIME : t;
}

struct otel_log
otel_log_read(struct arena *a, const struct json *v)
{
	struct lookup o = lookup_of(v);

	return (struct otel_log){
		.name = otel_log_name(&o),
		.trace = otel_id(otel_get(&o, OTEL_TRACE_ID)),
		.span = otel_id(otel_get(&o, OTEL_SPAN_ID)),
		.time = time_of(v),
		.attributes = otel_attributes(a, v),
		.body = otel_value(a, otel_get(&o, OTEL_BODY)),
	};
}

struct str
otel_log_event(struct arena *a, const struct otel_log *log)
{
	struct out o;

	out_open_memory(&o);
	out_begin(&o, '{');
	put_body(&o, "name", log->name);
	out_member_begin(&o, "attributes", '{');
	for (json_members(key, log->attributes)) {
		out_key_body(&o, json_raw(key));
		out_json_raw(&o, json_value(key)->text);
	}
	if (log->body != NULL) {
		out_key(&o, "event.body");
		out_json_raw(&o, log->body->text);
	}
	out_end(&o, '}');
	out_end(&o, '}');
	return out_keep(&o, a);
}
