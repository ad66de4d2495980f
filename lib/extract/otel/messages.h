/*
 * What an agent or a model was given and what it answered, as instrumentations
 * put it on a span: lists in an attribute, attributes for each part, events
 * for each message or for all of an operation.
 */
#pragma once

#include "extract/span/span.h"
#include "extract/value/lookup.h"

/* Whether an event of that name (a body) holds a message or an operation. */
bool otel_messages_event(struct str name);

/* Fills in input and output; `events` is a list of events, or NULL. */
void otel_messages_read(struct arena *, struct span *,
    const struct json *events, const struct lookup *attributes);

/* Fills in what a tool was given and gave, where the events of its span tell
 * that as messages and nothing else does: so do Strands'. */
void otel_messages_tool(
    struct arena *, struct span *, const struct json *events);
