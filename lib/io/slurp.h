/* Reads whole files. */
#pragma once

#include <stdbool.h>

#include "base/str.h"

/* Reads the descriptor to its end, but at most `most` bytes, into the arena.
 * Returns false, with errno, if a read fails. */
bool slurp(struct arena *, int fd, size_t most, struct str *text);

/* Like slurp, for a file by its name. */
bool slurp_file(struct arena *, const char *path, size_t most, struct str *);
