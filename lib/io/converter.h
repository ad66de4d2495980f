/* Files that are text of another notation, and become JSON when they are opened. */
#pragma once

#include <stdbool.h>

#include "base/str.h"
#include "io/out.h"

enum { CONVERTER_START_MAX = 4096 };

/* The answer to the question whether a text that begins so has the notation. */
enum converter_owns {
	CONVERTER_OWNS_NOT,
	CONVERTER_NEEDS_MORE, /* the text may, as far as it is known */
	CONVERTER_OWNS,
};

/* Converts the files of one notation. */
struct converter {
	enum converter_owns (*owns)(struct str start);
	/* Writes the text as JSON. A line of the output has the number of the line
	 * of the text that it is about. Returns false after a message. */
	bool (*convert)(struct out *, struct str text, const char *file);
};

/* Returns the answer for a notation whose texts begin with the mark. */
enum converter_owns converter_begins(struct str start, struct str mark);

/* Returns the answer of the converters (the list ends with one without functions) for
 * a text that begins so. */
enum converter_owns converter_owns(const struct converter *, struct str start);

/* Returns the descriptor from which to read the regular file that is open at its start
 * as `fd`: `fd` itself if no converter owns the file, else a temporary file with the
 * JSON; then `fd` is closed. Files of more than `most` bytes are refused. Returns -1
 * after a message. */
int converter_open(
    const struct converter *, int fd, const char *file, size_t most);

/* Returns a temporary file with the JSON of a text that a converter owns: `start`, and
 * what is read from `fd` (-1: nothing), which stays open. Returns -1 after a message. */
int converter_read(const struct converter *, struct str start, int fd,
    const char *file, size_t most);
