/* OpenAI's Chat Completions, the form that most servers speak, for the
 * providers that differ in little but the address. */
#pragma once

#include "judge/provider/batch_api.h"
#include "judge/provider/rest.h"

/* The request; `more` are further members of its body (",..."). */
struct str openai_chat_body(const struct endpoint *, const struct prompt *,
    struct arena *, const char *more);

/* Reads the reply. */
void openai_chat_read(
    struct endpoint *, const struct exchange *, struct answer *);

/* Usage in OpenAI's words: of chats, and of its Responses. */
struct usage openai_chat_usage(
    const struct json *usage, const char *input, const char *output);

/* OpenAI's Batch API, and Azure's, which differs in addresses and words. */
extern const struct batch_api batch_openai;
