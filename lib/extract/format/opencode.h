/*
 * Messages of opencode's sessions, which opencode_events.c puts together from
 * the events of opencode's server.
 */
#pragma once

#include "extract/format/log_format.h"

/* Reads a message: its info, and its parts before the part with the id `until`
 * (NULL: all parts). `before` is the preceding message, or NULL. */
void opencode_message_read(struct builder *, const struct json *message,
    const struct json *before, const struct json *until);

/* Returns the message of the value's error, else its name, which is all that
 * some errors have; NULL if the value has no error. */
const struct json *opencode_error(const struct json *);
