/*
 * Events whose body holds the input and the output of an operation, as the AWS
 * Distro for OpenTelemetry logs them: {"input": {"messages": [{"role",
 * "content": {"content"}}]}, "output": {"messages": [{"role", "content":
 * {"message"}}]}}.
 */
#pragma once

#include "extract/value/copy.h"

/* Returns whether v is such a body. */
bool otel_body_is(const struct json *v);

/* Returns the messages of the input, or of the output, in the first event that
 * has any, in the arena; NULL: there is none. */
const struct json *otel_body_messages(
    struct arena *, const struct json *events, bool output);
