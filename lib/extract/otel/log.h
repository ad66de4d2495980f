/*
 * A log record of OpenTelemetry that is an event: OTLP's, and what the SDKs of
 * JavaScript and Python write. It may stand for itself, as those that agents
 * tell of themselves, or belong to a span.
 */
#pragma once

#include "extract/otel/otel.h"

struct otel_log {
	struct str name;        /* body: of the event */
	struct str trace, span; /* bodies; absent: of none */
	int64_t time;           /* nanoseconds since 1970, or SPAN_NO_TIME */
	const struct json *attributes, *body; /* plain */
};

/* The name of the event (a body of the value); absent if it is no log record,
 * or not an event of a name. */
struct str otel_log_name(const struct lookup *);

/* Reads one; all is in the arena, or in the value. */
struct otel_log otel_log_read(struct arena *, const struct json *);

/* The record as an event of a span: an object with a name and attributes,
 * "event.body" one of them. */
struct str otel_log_event(struct arena *, const struct otel_log *);
