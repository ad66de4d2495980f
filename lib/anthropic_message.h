/*
 * Blocks of a message of Anthropic's API, which many logs are made of, and the
 * counts that come with a message.
 */
#ifndef ANTHROPIC_MESSAGE_H
#define ANTHROPIC_MESSAGE_H

#include "builder.h"

/* Tells the builder what a block of an assistant's message says: a text, a
 * call, or a result of a tool that the API itself ran. */
void anthropic_block_read(struct builder *, const struct json *block);

bool anthropic_is_result(const struct json *block);

/* Tells the builder of a tool's result. `more` is what Claude's programs log of
 * it besides, or NULL. */
void anthropic_result_read(
    struct builder *, const struct json *block, const struct json *more);

/* Reads a message's usage into ours. */
void anthropic_usage_read(struct usage *, const struct json *counts);

#endif
