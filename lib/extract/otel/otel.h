/* Reads what OpenTelemetry's exporters write: OTLP in JSON, the SDKs of
 * JavaScript and Python, and tables and APIs derived from these. They differ in
 * member names and in the spelling of ids, times and attributes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "extract/otel/names.h"
#include "extract/span/span.h"
#include "extract/value/lookup.h"

/* The attribute with the id of a program's session. */
#define OTEL_SESSION "session.id"
#define OTEL_SESSIONS OTEL_SESSION " conversation.id"

/* Returns the attributes of a span, an event, a log record or a resource as one
 * object with plain values, or NULL if there are none. Only the texts of the
 * object's members are valid, not its own text. The result is in the arena or
 * in the value. */
const struct json *otel_attributes(struct arena *, const struct json *);

/* Returns one attribute without reading the others, or NULL. The result is
 * plain only if it is a simple value. */
const struct json *otel_attribute(const struct json *, const char *name);

/* Returns the plain form of a value that OTLP may have wrapped. */
const struct json *otel_value(struct arena *, const struct json *);

/* Returns the first member that is present. `names` are separated by blanks; a
 * name is one key or a path of keys. */
const struct json *otel_find(const struct json *, const char *names);
const struct json *otel_find_in(const struct lookup *, const char *names);

/* Returns the member that has one of the names; for values that are searched
 * often. */
static inline const struct json *
otel_get(const struct lookup *v, enum otel_name of)
{
	return lookup_first(v, otel_names[of]);
}

/* Returns the string that a string holds as JSON; else the value itself. */
const struct json *otel_unquoted(struct arena *, const struct json *);

/* Returns a text that an agent logged, or NULL if the agent redacted the
 * text. */
const struct json *otel_text(const struct json *);

/* Returns an id, which is a string or a number's text; else the absent text. */
struct str otel_id(const struct json *);

/* Returns a time in nanoseconds since 1970 from RFC 3339 text, a number, a
 * number as text, or [seconds, nanoseconds]; SPAN_NO_TIME for anything else.
 * Numbers are nanoseconds if `nano`, else of the unit that fits. */
int64_t otel_time(const struct json *, bool nano);
