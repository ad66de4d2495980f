/* Columns and cells that the tables of reports share. */
#pragma once

#include "report/table/rows.h"
#include "text/table.h"

/* cells_name_columns() adds the columns of the names that are shown,
 * cells_names() a row's cells in these columns; `sum`: the row sums up several
 * groups. */
void cells_name_columns(struct table *, const struct rows *);
void cells_names(
    struct table *, const struct rows *, const struct tally_group *, bool sum);

void cells_name_column(struct table *, const char *title);
/* Adds the name, or "-" if it is absent. */
void cells_name(struct table *, struct str name);

void cells_number_column(struct table *, const char *title);
/* Like cells_number_column(), but for a column that is optional: see
 * table_optional(). */
void cells_optional_column(struct table *, const char *title, int optional);
/* Adds a count; 0 is faint. */
void cells_number(struct table *, size_t n, enum tone);

/* Adds a text to a column of numbers; "-" if it is absent. */
void cells_text(struct table *, struct str text);
