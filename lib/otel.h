/*
 * Spans as OpenTelemetry's exporters write them: OTLP in JSON, the SDKs of
 * JavaScript and Python, and tables and APIs that go back to these. They
 * differ in the names of members and in how ids, times and attributes are
 * written.
 */
#ifndef OTEL_H
#define OTEL_H

#include "spans.h"

/* Whether the object is a span. */
bool otel_is_span(const struct json *);

/* Fills in what says where the span stands: ids and times, and how it ended
 * (its error; for a tool's is_error too). Numbers are nanoseconds if `nano`,
 * else of the unit that fits. */
void otel_place(struct arena *, struct span *, const struct json *, bool nano);

/* The span's attributes, or an event's or resource's, as one object; its
 * values are plain. NULL if it has none. All is in the arena. */
const struct json *otel_attributes(struct arena *, const struct json *);

/* The first of the attributes (blanks between them) that is there, whether its
 * name is one key or a path of names. */
const struct json *otel_find(const struct json *attributes, const char *names);

/* Time of a span: RFC 3339, a number, a number as text, or [seconds,
 * nanoseconds]; SPAN_NO_TIME if it is none of them. */
int64_t otel_time(const struct json *, bool nano);

#endif
