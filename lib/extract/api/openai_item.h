/* Reads items of OpenAI's Responses API, which OpenAI's own programs log too:
 * messages, calls and outputs; and the counts that come with a response. */
#pragma once

#include "extract/run/builder.h"

/* Returns whether the value is such an item. */
bool openai_item_is(const struct json *);

/* Reports the item, except a user's message: only the caller knows which user
 * messages are prompts. */
void openai_item_read(struct builder *, const struct json *item);

/* Reads a response's counts. */
void openai_item_usage(struct usage *, const struct json *counts);
