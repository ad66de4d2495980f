/*
 * A message of OpenAI's Chat Completions, which many logs are made of, and
 * the counts that come with a response.
 */
#pragma once

#include "extract/run/builder.h"

/* Whether these are such messages: a list of objects with a role, and without
 * blocks that only Anthropic's API has. */
bool openai_messages_are(const struct json *list);
/* Whether it is one of them, alone. */
bool openai_message_is(const struct json *);

/*
 * Tells the builder what the message says. ts is when, if that is known; an
 * assistant's message counts as one call of a model unless `counted`.
 */
void openai_message_read(struct builder *, const struct json *message,
    const struct json *ts, bool counted);

/* Tells the builder of a call in a message: of a function, of a custom tool, or
 * one that has its name and arguments itself, as other programs write it. */
void openai_call_read(struct builder *, const struct json *call);

/* Reads a response's usage into ours. */
void openai_usage_read(struct usage *, const struct json *counts);
/* Of it, what the response cost, where that is told. */
void openai_cost_read(struct usage *, const struct json *counts);
