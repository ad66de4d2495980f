/*
 * Reads additional request headers, which some gateways require, from a file
 * of the user's. They come from a file, as keys do, because everybody on the
 * machine can read command lines.
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"

/*
 * Reads a file with one "Name: value" per line. Empty lines and lines that
 * begin with # are ignored. Stores a list that ends with NULL, in the arena,
 * in *headers. Returns false and sets *wrong if the file cannot be read or a
 * line is not a header; *wrong does not quote the line, which may be a secret.
 */
bool headers_read(
    struct arena *, const char *file, const char ***headers, struct str *wrong);

/* Returns whether two headers have the same name, ignoring case. */
bool headers_same_name(const char *, const char *);
