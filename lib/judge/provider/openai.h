/* OpenAI's protocols, for the providers that differ from them only in a few
 * points: Chat Completions, which most servers speak, and the Batch API. */
#pragma once

#include "judge/provider/batch_api.h"
#include "judge/provider/rest.h"

/* Returns the body of a request. `more` is appended to its members
 * (",..."). */
struct str openai_chat_body(const struct endpoint *, const struct prompt *,
    struct arena *, const char *more);

/* A provider's `about`: the list of models. */
bool openai_about(const struct endpoint *, struct exchange *, struct str last);

/* A provider's `write` and `post`. */
void openai_write(
    const struct endpoint *, const struct prompt *, struct exchange *);
void openai_post(const struct endpoint *, struct exchange *, struct str body);

/* Reads the reply to a chat; a provider's `read`. */
void openai_chat_read(
    struct endpoint *, const struct exchange *, struct answer *);

/* Reads usage of chats or of the Responses API; `input` and `output` are the
 * names of the counts. */
struct usage openai_chat_usage(
    const struct json *usage, const char *input, const char *output);

/* OpenAI's Batch API, and Azure's, which differs in addresses and words. */
extern const struct batch_api batch_openai;
