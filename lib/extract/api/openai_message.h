/* Reads messages of OpenAI's Chat Completions, which many logs consist of, and
 * the counts that come with a response. */
#pragma once

#include "extract/run/builder.h"

/* Returns whether the value is a list of such messages: objects with a role and
 * without blocks that only Anthropic's API has. */
bool openai_messages_are(const struct json *list);
/* Returns whether the value is a single such message. */
bool openai_message_is(const struct json *);

/* Returns whether the value is a message of Anthropic's, with blocks of tools,
 * as proxies for several APIs log it. openai_message_read reads it. */
bool openai_message_is_foreign(const struct json *);

/* Reports a message at time `ts` (NULL: at the time that the message has, if
 * any). An assistant's message counts as one call of a model unless `counted`. */
void openai_message_read(struct builder *, const struct json *message,
    const struct json *ts, bool counted);

/* Reports a call in a message: of a function, of a custom tool, or, as other
 * programs write it, with name and arguments in the call itself. */
void openai_call_read(struct builder *, const struct json *call);

/* Reports a call that the server itself made, as Groq logs it, with its output. */
void openai_executed_read(struct builder *, const struct json *call);

/* Reads a response's counts. */
void openai_usage_read(struct usage *, const struct json *counts);
/* Reads only the cost from a response's counts, if it is logged. */
void openai_cost_read(struct usage *, const struct json *counts);
