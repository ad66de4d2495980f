/*
 * What Claude's programs log in a user's place: the user's own words, results
 * of tools, and words of the program, which are no prompt.
 */
#pragma once

#include "extract/run/builder.h"

/* The content of a message: a string or blocks. `more` is the record's own
 * account of the result, or NULL; is_meta: the words are the program's. */
void claude_user_read(struct builder *, const struct json *content,
    const struct json *more, bool is_meta);

/* Whether a record of that origin (what the program says of who spoke; NULL: it
 * does not) holds no prompt: a notice to the model, or another agent's. */
bool claude_user_is_other(struct builder *, const struct json *origin);

/* Content of which all that is not the program's is a prompt. */
void claude_prompt_read(struct builder *, const struct json *content);
