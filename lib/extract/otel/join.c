#include "extract/otel/join.h"

#include "extract/otel/genai.h"
#include "extract/otel/otel.h"
#include "extract/otel/span.h"
#include "extract/value/copy.h"

/* A span with its events, or only events whose span is not in the log. */
struct otel_joined {
	struct otel_joined *next;
	struct place at;
	struct lookup span;         /* json is NULL if there are only events */
	struct otel_log last_event; /* the last of the events */
	int64_t since;              /* time of the first event */
	struct str *events;
	size_t n;
};

void
otel_join_init(struct otel_join *j, struct arena *a)
{
	*j = (struct otel_join){ .arena = a, .by_id.arena = a };
	j->end = &j->first;
}

static struct otel_joined *
add(struct otel_join *j, struct place at)
{
	struct otel_joined *s = arena_new(j->arena, struct otel_joined);

	*j->end = s;
	j->end = &s->next;
	s->at = at;
	return s;
}

/* Returns the entry of the span with this id; adds one if there is none. */
static struct otel_joined *
with_id(struct otel_join *j, struct place at, struct str id)
{
	void **slot = hash_put_copy(&j->by_id, id);

	if (*slot == NULL)
		*slot = add(j, at);
	return *slot;
}

void
otel_join_span(struct otel_join *j, struct place at, const struct json *span)
{
	struct lookup of = lookup_of(span);
	struct str id = otel_id(otel_get(&of, OTEL_SPAN_ID));
	struct otel_joined *s = with_id(j, at, id);

	/* Exporters that get no confirmation send a span again. */
	if (id.n != 0 && s->span.json != NULL &&
	    str_eq(s->span.json->text, span->text))
		return;
	if (s->span.json != NULL) {
		s = add(j, at); /* logged again, or an id that is used twice */
		j->again = true;
	}
	s->span = of;
}

void
otel_join_event(
    struct otel_join *j, struct place at, const struct otel_log *log)
{
	struct otel_joined *s;

	if (log->span.n == 0 && j->unnamed == NULL)
		j->unnamed = add(j, at);
	s = log->span.n == 0 ? j->unnamed : with_id(j, at, log->span);
	if (s->n == 0)
		s->since = log->time;
	s->last_event = *log;
	*arena_push(j->arena, s->events, s->n) = otel_log_event(j->arena, log);
	if (str_is(log->name, "gen_ai.choice"))
		j->unnamed = NULL;
}

/* ---- at the end ---- */

/* Returns the events of the span itself together with the events that were
 * logged apart. */
static const struct json *
events_of(struct arena *a, const struct otel_joined *s)
{
	const struct json *own = lookup_get(&s->span, "events");
	struct out o;

	if (json_first(own) == NULL)
		own = lookup_get(&s->span, "span_events");

	if (s->n == 0)
		return own;
	out_open_memory(&o);
	out_begin(&o, '[');
	for (json_each(event, own))
		out_json_raw(&o, event->text);
	for (size_t i = 0; i < s->n; i++)
		out_json_raw(&o, s->events[i]);
	out_end(&o, ']');
	return copy_parsed(a, out_keep(&o, a));
}

static void
read_span(struct arena *a, struct span *to, const struct otel_joined *s)
{
	struct lookup attributes;

	if (s->span.json != NULL) {
		attributes = lookup_of(otel_attributes(a, s->span.json));
		otel_span_place(a, to, &s->span, &attributes, false);
		otel_genai_read(
		    a, to, s->span.json, &attributes, events_of(a, s));
		return;
	}
	attributes = lookup_of(s->last_event.attributes);
	to->trace = s->last_event.trace;
	to->id = s->last_event.span;
	to->start = s->since;
	to->end = s->n > 1 ? s->last_event.time : SPAN_NO_TIME;
	otel_genai_read(a, to, NULL, &attributes, events_of(a, s));
	to->kind = SPAN_MODEL;
}

/* Adds the span, which may be logged twice: when it starts, and when it ends. Ids that
 * occur again with another start are those of other spans. */
static void
add_span(struct otel_join *j, struct spans *spans, const struct otel_joined *s)
{
	struct span *to = spans_add(spans, s->at.file, s->at.line);
	struct str start = { (const char *)&to->start, sizeof to->start };
	struct str key[3];

	read_span(j->arena, to, s);
	key[0] = to->trace;
	key[1] = to->id;
	key[2] = start;
	if (j->again && s->span.json != NULL && to->id.n != 0)
		(void)spans_done(spans, to, hash_key(j->arena, key, 3));
}

void
otel_join_spans(struct otel_join *j, struct spans *spans)
{
	for (struct otel_joined *s = j->first; s != NULL; s = s->next)
		add_span(j, spans, s);
}
