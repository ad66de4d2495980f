/*
 * A content of Gemini's API: parts by a user, a model or a tool; and the
 * counts that come with a response.
 */
#pragma once

#include "extract/run/builder.h"

/* Whether it is one: an object with a list of parts. */
bool gemini_content_is(const struct json *);

/* Tells the builder what its parts say. more: a model's text goes on where
 * that of the content before it ended. */
void gemini_content_read(
    struct builder *, const struct json *content, bool more);

/* The same of one of them. */
void gemini_part_read(
    struct builder *, const struct json *part, bool by_model, bool more);

/* Tells the builder of a call, as the API or its programs name tools. */
void gemini_call(struct builder *, const struct json *id,
    const struct json *name, const struct json *args);

/* Reads usageMetadata into ours. */
void gemini_usage_read(struct usage *, const struct json *counts);
