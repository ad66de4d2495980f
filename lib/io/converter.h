/* Files that are text of another notation, and become JSON when they are opened. */
#pragma once

#include <stdbool.h>

#include "base/str.h"
#include "io/out.h"

/* Converts the files of one notation. */
struct converter {
	/* Returns whether a file that begins so has the notation. */
	bool (*owns)(struct str start);
	/* Writes the text as JSON. A line of the output has the number of the line
	 * of the text that it is about. Returns false after a message. */
	bool (*convert)(struct out *, struct str text, const char *file);
};

/* Returns the descriptor from which to read the file that is open at its start as
 * `fd`: `fd` itself if no converter (the list ends with one without functions) owns the
 * file or it is no regular file, else a temporary file with the JSON; then `fd` is
 * closed. Files of more than `most` bytes are refused. Returns -1 after a message. */
int converter_open(
    const struct converter *, int fd, const char *file, size_t most);

/* Returns whether a converter owns a text that begins so. */
bool converter_owns(const struct converter *, struct str start);
