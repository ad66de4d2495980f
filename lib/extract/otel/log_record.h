/* A log record of OpenTelemetry that is an event, as OTLP or the SDKs of
 * JavaScript and Python write it. The event belongs to a span, or to none (the
 * events that agents log about themselves). */
#pragma once

#include "extract/otel/otel.h"

struct otel_log {
	struct str name;        /* body: of the event */
	struct str trace, span; /* bodies; absent: belongs to no span */
	int64_t time;           /* nanoseconds since 1970, or SPAN_NO_TIME */
	const struct json *attributes, *body; /* plain values (see otel_value)
					       * */
};

/* Returns the event's name (a body within the value); absent if the value is
 * not a log record or its event has no name. */
struct str otel_log_name(const struct lookup *);

/* Reads a log record. The result is in the arena or in the value. */
struct otel_log otel_log_read(struct arena *, const struct json *);

/* Returns the source of the record as an event of a span: an object with a name
 * and attributes, one of which is "event.body". */
struct str otel_log_event(struct arena *, const struct otel_log *);
