/* What a descriptor holds, whole, however little a read gives at a time. */
#pragma once

#include <stdbool.h>

#include "base/str.h"

/* Reads to the end, or `most` bytes. False, with errno, if a read fails. */
bool slurp(struct arena *, int fd, size_t most, struct str *text);

/* The same of a file by its name. */
bool slurp_file(struct arena *, const char *path, size_t most, struct str *);
