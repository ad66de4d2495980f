/* Reads messages of Anthropic's API, their content blocks and their counts.
 * Many logs consist of such messages. */
#pragma once

#include "extract/run/builder.h"

/* Reports a block of an assistant's message: a text, a call, or the result of a
 * tool that the API itself ran. */
void anthropic_block_read(struct builder *, const struct json *block);

bool anthropic_block_is_result(const struct json *block);

/* Reports a tool's result. `more` is what Claude's programs log in addition to
 * the block, or NULL. */
void anthropic_result_read(
    struct builder *, const struct json *block, const struct json *more);

/* Returns whether these messages can only be Anthropic's: a list of objects
 * with a role, at least one of which has a block of a call or a result. */
bool anthropic_messages_are(const struct json *list);

/* Reports the content of a message, but not its usage. */
void anthropic_message_read(struct builder *, const struct json *message);

/* Like anthropic_message_read, but takes the message's role and content. */
void anthropic_content_read(
    struct builder *, const struct json *role, const struct json *content);

/* Reads a message's counts. */
void anthropic_usage_read(struct usage *, const struct json *counts);

/* Reads counts as Claude Code and Amp name them (inputTokens), without the
 * cost. */
struct usage anthropic_usage_of_program(const struct json *counts);

/* Returns the sum of Claude Code's modelUsage, an object with a member for each
 * model, without the cost. */
struct usage anthropic_usage_by_model(const struct json *);
