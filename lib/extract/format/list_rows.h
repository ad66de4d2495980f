/* The rows of formats as JSON, for --list-formats=rows. */
#pragma once

#include "extract/format/log_format.h"
#include "io/out.h"

/* Writes a line for each row of the format: {"format", "when", "reads", ...}, in which
 * "in" has the path of the value that the row's table reads. A format without rows, such
 * as a user's map, has one line. */
void log_list_rows(struct out *, const struct log_format *);
