/* Messages of opencode's sessions. */
#pragma once

#include "extract/format/log.h"

/* Tells the builder what a message says: its info, and its parts before that
 * with the id `until`, or NULL; `before` is the message before it, or NULL. */
void opencode_message_read(struct builder *, const struct json *message,
    const struct json *before, const struct json *until);

/* What the value's error says: its message, else its name, which is all that
 * some have; NULL if it has none. */
const struct json *opencode_error(const struct json *);
