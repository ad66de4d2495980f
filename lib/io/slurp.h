/* Reads whole files. */
#pragma once

#include <stdbool.h>

#include "base/str.h"

/* Reads the descriptor to its end, but at most `most` bytes, into the arena.
 * Returns false, with errno, if a read fails. */
bool slurp(struct arena *, int fd, size_t most, struct str *text);

/* Like slurp, for a file by its name. */
bool slurp_file(struct arena *, const char *path, size_t most, struct str *);

enum slurp_kind {
	SLURP_NAMED, /* a file that the user named: also a pipe or device; "-" is
			  standard input */
	SLURP_REGULAR, /* a file that another file names */
};

/* Reads a whole file into the arena. Returns NULL, or the reason why that cannot be
 * done: the file is larger than `most` bytes, or another. */
const char *slurp_whole(struct arena *, const char *path, enum slurp_kind,
    size_t most, struct str *text);
