#include "extract/format/mcp_eval_span.h"

#include <math.h>

#include "extract/format/format.h"
#include "lang/py.h"

/* Text is a time of RFC 3339 in UTC, or a number; anything else counts as 0. */
static bool
is_time(struct arena *a, const struct json *v)
{
	struct str text = json_text(v, a);
	double number;

	if (!json_is(v, JSON_STRING) ||
	    (str_contains(text, "T") && str_ends(text, "Z")))
		return true;
	return py_float_text(text, &number, a) && isfinite(number);
}

const struct json *
mcp_eval_turn(const struct json *event)
{
	return json_get(
	    json_get(event, "attributes"), "completion.response.turn");
}

static const char *
refuses_event(const struct json *event)
{
	const struct json *turn = mcp_eval_turn(event);
	int64_t number;

	if (json_is(json_get(event, "attributes"), JSON_NULL))
		return "an event's attributes are null";
	return turn == NULL || json_int(turn, &number)
	    ? NULL
	    : "an event's completion.response.turn is no integer";
}

static const char *
refuses_events(const struct json *events)
{
	const char *why = NULL;

	if (json_is(events, JSON_NULL))
		return "a span's events are null";
	for (json_each(event, events))
		if (why == NULL)
			why = refuses_event(event);
	return why;
}

static bool
is_jaeger(const struct json *r)
{
	return json_get(r, "name") == NULL;
}

const char *
mcp_eval_refuses(struct arena *a, const struct json *r)
{
	bool jaeger = is_jaeger(r);
	const struct json *attributes =
	    json_get(r, jaeger ? STR("tags") : STR("attributes"));

	if (!json_is(r, JSON_OBJECT))
		return "a line is no object";
	if (attributes != NULL && !json_is(attributes, JSON_OBJECT))
		return "a span's attributes are no object";
	if (!is_time(a,
		json_get(r, jaeger ? STR("startTime") : STR("start_time"))) ||
	    !is_time(a, json_get(r, "end_time")))
		return "a span's time is neither UTC (Z) nor a number";
	return refuses_events(
	    json_get(r, jaeger ? STR("logs") : STR("events")));
}
