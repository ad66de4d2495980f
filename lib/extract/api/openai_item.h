/*
 * Items of OpenAI's Responses, which its own programs log too: messages, calls
 * and their outputs; and the counts that come with a response.
 */
#pragma once

#include "extract/run/builder.h"

/* Whether it is such an item. */
bool openai_item_is(const struct json *);

/* Tells the builder what the item says, but for a user's message. Whoever
 * reads the log knows which of these are prompts. */
void openai_item_read(struct builder *, const struct json *item);

/* Reads a response's usage into ours. */
void openai_item_usage(struct usage *, const struct json *counts);
