/* A table of short texts, for reports to print in their own way. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"
#include "io/out.h"

/* How a text is to strike the eye. */
enum tone {
	TONE_PLAIN,
	TONE_GOOD,
	TONE_BAD,
	TONE_WARN,
	TONE_FAINT,
	TONE_STRONG,
};

/* What a terminal is sent before and after a text of the tone. */
const char *tone_begin(enum tone);
const char *tone_end(enum tone);

struct table_column {
	const char *title;
	bool right; /* set to the right: numbers */
	bool name;  /* may be shortened where the table is too wide */
};

struct table_cell {
	struct str text; /* clean, one line; its owner is the caller */
	enum tone tone;
};

struct table {
	struct arena *arena;
	struct table_column *columns;
	size_t n_columns;
	struct table_cell *cells; /* row by row */
	size_t n_cells;
	size_t more; /* rows that there are and the table does not have */
};

void table_column(struct table *, struct table_column);
/* Adds the next cell; rows are filled from left to right. */
void table_cell(struct table *, struct str text, enum tone);
const struct table_cell *table_at(
    const struct table *, size_t row, size_t column);
size_t table_rows(const struct table *);
/* "3 more rows are not shown", of so many; absent of none. */
struct str table_left_out(struct arena *, size_t n);

/* Writes it with its columns aligned, names shortened so that a line has
 * `width` cells where they allow that. */
void table_write(struct out *, const struct table *, size_t width, bool color);
