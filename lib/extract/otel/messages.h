/* Reads the input and output of an agent or a model from a span, where
 * instrumentations put them as lists in an attribute, as attributes for each
 * part, or as events for each message or for a whole operation. */
#pragma once

#include "extract/span/span.h"
#include "extract/value/lookup.h"

/* Returns whether an event of that name (a body) holds a message or an
 * operation. */
bool otel_messages_event(struct str name);

/* Fills in input and output. `events` is a list of events, or NULL. */
void otel_messages_read(struct arena *, struct span *,
    const struct json *events, const struct lookup *attributes);

/* Fills in a tool's arguments and result from events that hold them as
 * messages, as Strands logs them, unless the span has them already. */
void otel_messages_tool(
    struct arena *, struct span *, const struct json *events);
