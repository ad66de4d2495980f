/*
 * Blocks of a message of Anthropic's API, which many logs are made of, and the
 * counts that come with a message.
 */
#pragma once

#include "extract/run/builder.h"

/* Tells the builder what a block of an assistant's message says: a text, a
 * call, or a result of a tool that the API itself ran. */
void anthropic_block_read(struct builder *, const struct json *block);

bool anthropic_is_result(const struct json *block);

/* Tells the builder of a tool's result. `more` is what Claude's programs log of
 * it besides, or NULL. */
void anthropic_result_read(
    struct builder *, const struct json *block, const struct json *more);

/* Whether these are messages of that API that no other has: a list of objects
 * with a role, some with a block of a call or a result. */
bool anthropic_messages_are(const struct json *list);

/* Tells the builder what a message says, but not what it used. */
void anthropic_message_read(struct builder *, const struct json *message);

/* The same of a message's role and content. */
void anthropic_content_read(
    struct builder *, const struct json *role, const struct json *content);

/* Reads a message's usage into ours. */
void anthropic_usage_read(struct usage *, const struct json *counts);

/* The same of what Claude Code and Amp count, which is named otherwise:
 * inputTokens; without the cost. */
struct usage anthropic_usage_of_program(const struct json *counts);

/* What Claude Code's modelUsage, an object with a member for each model, comes
 * to; without the cost. */
struct usage anthropic_usage_by_model(const struct json *);
