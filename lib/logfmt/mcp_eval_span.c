#include "mcp_eval_span.h"

#include "../logfmt.h"
#include "../otel.h"

/* Text is a time of RFC 3339 in UTC, or a number; anything else counts as 0. */
static bool
is_time(const struct json *v)
{
	struct str text = json_raw(v);

	if (!json_is(v, JSON_STRING) ||
	    (str_contains(text, STR("T")) && str_ends(text, STR("Z"))))
		return true;
	return !str_contains(text, STR("T")) &&
	    otel_time(v, true) != OTEL_NO_TIME;
}

const struct json *
mcp_eval_turn(struct arena *a, const struct json *event)
{
	return otel_find(otel_attributes(a, event), "completion.response.turn");
}

const char *
mcp_eval_refuses(struct arena *a, const struct json *r)
{
	int64_t turn;

	if (!json_is(r, JSON_OBJECT))
		return "a line is no object";
	if (json_is(json_get(r, STR("attributes")), JSON_NULL))
		return "a span's attributes are null";
	if (json_is(json_get(r, STR("events")), JSON_NULL))
		return "a span's events are null";
	if (!is_time(json_get(r, STR("start_time"))) ||
	    !is_time(json_get(r, STR("end_time"))))
		return "a span's time is neither UTC (Z) nor a number";
	for (json_each(event, log_find(r, "events logs")))
		if (mcp_eval_turn(a, event) != NULL &&
		    !json_int(mcp_eval_turn(a, event), &turn))
			return "an event's completion.response.turn is no "
			       "integer";
	return NULL;
}
