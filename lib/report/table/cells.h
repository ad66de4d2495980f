/* Columns and cells that the tables of reports share. */
#pragma once

#include "report/table/rows.h"
#include "text/table.h"

/* The columns of the names that are shown, and a row's cells in them; `sum`:
 * the row is one of several groups. */
void cells_name_columns(struct table *, const struct rows *);
void cells_names(
    struct table *, const struct rows *, const struct tally_group *, bool sum);

void cells_name_column(struct table *, const char *title);
/* Of what is not told "-" stands there. */
void cells_name(struct table *, struct str name);

void cells_number_column(struct table *, const char *title);
/* A count; 0 does not strike the eye. */
void cells_number(struct table *, size_t n, enum tone);

/* A text of a column of numbers; "-" if it is absent. */
void cells_text(struct table *, struct str text);
