/*
 * Headers that a user wants to go with each request, for the gateways that ask
 * for them. They come in a file, as a key does: command lines are there for all
 * to see.
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"

/*
 * Reads a file with one "Name: value" a line; empty lines and those that begin
 * with # say nothing. The list is in the arena and ends with NULL. False, and
 * *wrong, if the file cannot be read or a line is none; what is on it is not
 * told, since it may be a secret.
 */
bool headers_read(
    struct arena *, const char *file, const char ***headers, struct str *wrong);

/* Whether both have the same name, in any case. */
bool headers_same_name(const char *, const char *);
