/* OpenAI's Chat Completions, the form that most servers speak, for the
 * providers that differ in little but the address. */
#ifndef CHAT_H
#define CHAT_H

#include "judge/provider/rest.h"

/* The request; `more` are further members of its body (",..."). */
struct str chat_body(const struct peer *, const struct prompt *, struct arena *,
    const char *more);

/* Reads the reply. */
void chat_read(struct peer *, const struct exchange *, struct answer *);

/* Usage in OpenAI's words: of chats, and of its Responses. */
struct usage chat_usage(
    const struct json *usage, const char *input, const char *output);

#endif
