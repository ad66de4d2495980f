/* A table of short texts, which each report format prints in its own way. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"
#include "io/out.h"

/* The emphasis of a text. */
enum tone {
	TONE_PLAIN,
	TONE_GOOD,
	TONE_BAD,
	TONE_WARN,
	TONE_FAINT,
	TONE_STRONG,
};

/* Return the escape sequences that begin and end the tone on a terminal. */
const char *tone_begin(enum tone);
const char *tone_end(enum tone);

struct table_column {
	const char *title;
	bool right; /* aligned to the right, as numbers are */
	bool name;  /* may be shortened if the table is too wide */
	/* 0: always there; else the columns of the greatest number are the
	 * first that a table which is too wide goes without */
	int optional;
};

struct table_cell {
	struct str text; /* clean, of one line, owned by the caller */
	enum tone tone;
};

struct table {
	struct arena *arena;
	struct table_column *columns;
	size_t n_columns;
	struct table_cell *cells; /* row by row */
	size_t n_cells;
	size_t more; /* rows that exist but are not in the table */
};

/* Adds a column. All columns must be added before the first cell. */
void table_column(struct table *, struct table_column);
/* Makes the column that was added last optional. */
void table_optional(struct table *, int optional);
/* Adds the next cell. Rows are filled from left to right. */
void table_cell(struct table *, struct str text, enum tone);
const struct table_cell *table_at(
    const struct table *, size_t row, size_t column);
size_t table_rows(const struct table *);
/* Returns "3 more rows are not shown" for n = 3, and the absent text for 0. */
struct str table_left_out(struct arena *, size_t n);

/* Returns the table without the columns that hold "-" throughout, and without as
 * many optional columns as make the other columns fit `width` cells. *note says
 * which optional columns these are; it is absent if there are none. A table of any
 * width (SIZE_MAX) is left as it is. */
struct table table_fold(const struct table *, size_t width, struct str *note);

/* Writes the table with aligned columns. Names are shortened so that a line
 * takes at most `width` cells, where they can be. */
void table_write(struct out *, const struct table *, size_t width, bool color);
