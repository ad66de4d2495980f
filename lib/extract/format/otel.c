/*
 * OpenTelemetry data of agents: requests of OTLP, one or many in a file; spans
 * and log records one a line, as the SDKs' exporters write them; lists of
 * these, and objects that hold such lists.
 */
#include "extract/format/log_keep.h"
#include "extract/format/log_rows.h"
#include "extract/otel/agent.h"
#include "extract/otel/body.h"
#include "extract/otel/join.h"
#include "extract/otel/messages.h"
#include "extract/otel/span.h"
#include "extract/value/copy.h"

enum { DEPTH_MAX = 8 }; /* depth at which spans are looked for */

/* The contents of a trace, or of a session of an agent that logs events. */
struct found {
	struct otel_join spans;
	bool in_session; /* the session of a span has its own events, or */
	bool session;    /* these are a session's events */
};

/* Returns whether v may hold spans, or hold values that hold spans. */
static bool
may_hold(const struct json *v)
{
	return json_is(v, JSON_ARRAY) || json_is(v, JSON_OBJECT);
}

static bool
is_event(const struct lookup *v)
{
	struct str name = otel_log_name(v);

	return name.n != 0 &&
	    (otel_messages_event(name) || otel_agent_event(name) ||
		otel_body_is(json_get(v->json, "body")));
}

/* Returns whether v holds a span or an event; only some elements of a list are
 * examined. */
static bool
holds_any(const struct json *v, int depth)
{
	struct lookup o = lookup_of(v);
	bool found = false;
	int n = 0;

	if (depth == DEPTH_MAX)
		return false;
	if (otel_span_is(&o) || is_event(&o))
		return true;
	for (json_each(element, v)) {
		if (found || ++n == DEPTH_MAX)
			break;
		found = may_hold(element) && holds_any(element, depth + 1);
	}
	for (json_members(key, v))
		if (!found && may_hold(json_value(key)))
			found = holds_any(json_value(key), depth + 1);
	return found;
}

/* Returns whether r is a metric, in which there are neither spans nor
 * events. */
static bool
is_metric(const struct json *r)
{
	return json_str_is(json_get(r, "type"), "metric");
}

static int
score(const struct json *r)
{
	if (field_find(r, "resourceSpans resource_spans") != NULL ||
	    field_find(r, "scopeSpans scope_spans") != NULL || holds_any(r, 0))
		return LOG_FORMAT_SURE;
	if (field_find(r, "resourceLogs resourceMetrics") != NULL ||
	    is_metric(r))
		return LOG_FORMAT_SURE / 5;
	return 0;
}

/* ---- records ---- */

static struct found *
found_in(struct log *log)
{
	struct found *f = log->state;

	if (f == NULL) {
		log->state = f = arena_new(log->arena, struct found);
		otel_join_init(&f->spans, log->arena);
	}
	return f;
}

static void
add_span(struct log *log, const struct json *v)
{
	struct found *f = found_in(log);

	f->in_session |= log_keeps_any_late(log) &&
	    log_keeps_late(log, json_raw(otel_attribute(v, OTEL_SESSION)));
	otel_join_span(&f->spans, log_place(log, v), v);
}

static void
add_event(struct log *log, const struct json *v)
{
	struct found *f = found_in(log);
	struct otel_log e = otel_log_read(log->arena, v);

	f->in_session |= log_keeps_late(
	    log, json_raw(otel_find(e.attributes, OTEL_SESSION)));
	otel_join_event(&f->spans, log_place(log, v), &e);
}

static void
add_session_event(struct log *log, const struct json *v)
{
	struct found *f = found_in(log);
	struct otel_log e = otel_log_read(log->arena, v);
	struct place at = log_place(log, v);

	if (!f->session) {
		builder_source(log->builder, at.file, at.line);
		builder_begin_run_in(log->builder, log->text);
		builder_set(log->builder, RUN_ID,
		    otel_find(e.attributes, OTEL_SESSIONS));
	}
	f->session = true;
	otel_agent_read(log->arena, log->builder, &e);
}

static void
keep_event(struct log *log, const struct json *v, const struct lookup *o)
{
	const struct json *session = otel_attribute(v, "session.id");

	if (!otel_agent_event(otel_log_name(o))) {
		log_keep(log, otel_id(otel_get(o, OTEL_TRACE_ID)), false,
		    add_event, v);
		return;
	}
	if (session == NULL)
		session = otel_attribute(v, "conversation.id");
	log_keep(log, json_raw(session), true, add_session_event, v);
}

static void
read_all(struct log *log, const struct json *v, int depth)
{
	struct lookup o = lookup_of(v);

	if (depth == DEPTH_MAX)
		return;
	if (otel_span_is(&o)) {
		log_keep(log, otel_id(otel_get(&o, OTEL_TRACE_ID)), false,
		    add_span, v);
		return;
	}
	if (is_event(&o)) {
		keep_event(log, v, &o);
		return;
	}
	for (json_each(element, v))
		if (may_hold(element))
			read_all(log, element, depth + 1);
	for (json_members(key, v))
		if (may_hold(json_value(key)))
			read_all(log, json_value(key), depth + 1);
}

static void
read_record(struct log *log, const struct json *r)
{
	if (!is_metric(r))
		read_all(log, r, 0);
}

static const struct log_row rows[] = {
	LOG_ROW(
	    "", LOG_HOOK), /* spans and events are looked for in any value */
	LOG_LAST,
};

/* Emits the run. Sessions that agents log as events have more than their
 * spans. */
static void
end(struct log *log)
{
	struct found *f = found_in(log);
	struct spans spans = { .arena = log->arena };

	if (f->session || f->in_session)
		return;
	otel_join_spans(&f->spans, &spans);
	spans_emit(&spans, log->builder, log->text);
}

const struct log_format log_format_otel = {
	.name = "otel",
	.what = "OpenTelemetry: spans and log events of agents",
	.shared_keys = "traceId trace_id traceID context.trace_id session.id",
	.lists = ". resourceSpans resource_spans resourceSpans.scopeSpans "
		 "resource_spans.scope_spans "
		 "resourceSpans.scopeSpans.spans "
		 "resource_spans.scope_spans.spans scopeSpans scopeSpans.spans "
		 "spans resourceLogs resourceLogs.scopeLogs "
		 "resourceLogs.scopeLogs.logRecords",
	.score = score,
	.rows = rows,
	.read = read_record,
	.knows_blocks = true, /* spans report calls at the end */
	.end = end,
	.common = true,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
