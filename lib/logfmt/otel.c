/*
 * OpenTelemetry traces of agents, in whatever they were put: requests of
 * OTLP, one or many in a file; spans one a line, as the SDKs' exporters write
 * them; lists of spans, and objects that hold such lists.
 */
#include "../keep.h"
#include "../logfmt.h"
#include "../otel_genai.h"

enum { DEPTH_MAX = 8 }; /* of spans in what holds them */

/* Members that hold spans, or hold what holds them. */
static bool
may_hold(const struct json *v)
{
	return json_is(v, JSON_ARRAY) || json_is(v, JSON_OBJECT);
}

/* The first span that is found, looking only at the first of a list. */
static const struct json *
first_span(const struct json *v, int depth)
{
	const struct json *found = NULL;

	if (depth == DEPTH_MAX || otel_is_span(v))
		return depth == DEPTH_MAX ? NULL : v;
	if (json_is(v, JSON_ARRAY))
		return first_span(json_first(v), depth + 1);
	for (json_members(key, v)) {
		if (found == NULL && may_hold(json_value(key)))
			found = first_span(json_value(key), depth + 1);
	}
	return found;
}

static int
score(const struct json *r)
{
	if (log_find(r, "resourceSpans resource_spans") != NULL ||
	    log_find(r, "scopeSpans scope_spans") != NULL)
		return LOGFMT_SURE;
	if (log_find(r, "resourceLogs resourceMetrics") != NULL ||
	    json_str_is(json_get(r, STR("type")), STR("metric")))
		return LOGFMT_SURE / 5;
	return first_span(r, 0) != NULL ? LOGFMT_SURE : 0;
}

static void
read_span(struct log *log, struct spans *spans, const struct json *v)
{
	struct place at = log_place(log, v);
	struct span *s = spans_add(spans, at.file, at.line);

	v = keep_tree(log->arena, v);
	otel_place(log->arena, s, v, false);
	otel_genai_read(log->arena, s, v, otel_attributes(log->arena, v));
}

static void
read_all(struct log *log, struct spans *spans, const struct json *v, int depth)
{
	if (depth == DEPTH_MAX)
		return;
	if (otel_is_span(v)) {
		read_span(log, spans, v);
		return;
	}
	for (json_each(element, v))
		read_all(log, spans, element, depth + 1);
	for (json_members(key, v))
		if (may_hold(json_value(key)))
			read_all(log, spans, json_value(key), depth + 1);
}

static void
read_record(struct log *log, const struct json *r)
{
	read_all(log, spans_in(log->arena, &log->state), r, 0);
}

static void
end(struct log *log)
{
	spans_tell(spans_in(log->arena, &log->state), log->builder);
}

const struct logfmt logfmt_otel = {
	.name = "otel",
	.what = "OpenTelemetry spans of agents, models and tools",
	.score = score,
	.read = read_record,
	.end = end,
};
