/* Reads a content of Gemini's API, which is a list of parts by a user, a model
 * or a tool, and the counts that come with a response. */
#pragma once

#include "extract/run/builder.h"

/* Returns whether the value is a content: an object with a list of parts. */
bool gemini_content_is(const struct json *);

/* Reports the parts of a content. more: a model's text continues the text of
 * the previous content. */
void gemini_content_read(
    struct builder *, const struct json *content, bool more);

/* Like gemini_content_read, for one part. */
void gemini_part_read(
    struct builder *, const struct json *part, bool by_model, bool more);

/* Reports a call; derives the server from the tool's name, as the API or its
 * programs spell it. */
void gemini_call(struct builder *, const struct json *id,
    const struct json *name, const struct json *args);

/* Reads usageMetadata. */
void gemini_usage_read(struct usage *, const struct json *counts);
