/*
 * What OpenTelemetry's exporters write, whatever it tells of: OTLP in JSON, the
 * SDKs of JavaScript and Python, and tables and APIs that go back to these.
 * They differ in the names of members and in how ids, times and attributes are
 * written.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "extract/otel/names.h"
#include "extract/span/span.h"
#include "extract/value/lookup.h"

/* The attribute that names a program's session. */
#define OTEL_SESSION "session.id"

/* The attributes of a span, an event, a log record or a resource, as one
 * object, of which only the members' texts are its own; its values are plain.
 * NULL if it has none. All is in the arena, or where the attributes are. */
const struct json *otel_attributes(struct arena *, const struct json *);

/* One of its attributes, without the others being looked at: NULL if it is not
 * there. Only of a simple value it is the value itself. */
const struct json *otel_attribute(const struct json *, const char *name);

/* A value as OTLP wraps it, plain; a plain one is itself. */
const struct json *otel_value(struct arena *, const struct json *);

/* The first of the members (blanks between their names) that is there, whether
 * its name is one key or a path of names. */
const struct json *otel_find(const struct json *, const char *names);
const struct json *otel_find_in(const struct lookup *, const char *names);

/* Of a value that is asked for many: the member that has one of the names. */
static inline const struct json *
otel_get(const struct lookup *v, enum otel_name of)
{
	return lookup_first(v, otel_names[of]);
}

/* The string that a string holds as JSON; else the value itself. */
const struct json *otel_unquoted(struct arena *, const struct json *);

/* What an agent logged of a text: NULL if it kept that to itself. */
const struct json *otel_text(const struct json *);

/* An id: a string's, or a number's text; absent if it is neither. */
struct str otel_id(const struct json *);

/* A time, in nanoseconds since 1970: RFC 3339, a number, a number as text, or
 * [seconds, nanoseconds]; SPAN_NO_TIME if it is none of them. Numbers are
 * nanoseconds if `nano`, else of the unit that fits. */
int64_t otel_time(const struct json *, bool nano);
