/* Reads rows of CSV (RFC 4180): cells in quotes may hold line breaks, and two
 * quotes in them are one. */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"

struct csv {
	struct str rest; /* not read yet */
	char separator;  /* between cells */
	size_t line;     /* of the first byte of `rest`, from 1 */
	struct arena *arena;
	/* Is called with mistakes, which are read over; `line` is theirs. */
	void (*mistake)(void *arg, size_t line, const char *what);
	void *arg;
};

/* Cells are slices of the text, or copies in the arena. */
struct csv_row {
	struct str *cells;
	size_t n, line; /* line: of its first character */
};

/* Returns the next row, of one empty cell for an empty line. To be called while
 * `rest` is not empty. */
struct csv_row csv_row(struct csv *);
