/* Chooses among formats by what each reads of the first records of a file. */
#pragma once

#include "extract/format/log_try.h"

/* Returns the likeliest format: of those that are certain, or else have the highest
 * score, the one that reads most of the records; none whose records are common
 * in other formats' logs if another is certain. Returns NULL if no record hints at
 * any format, or if hints alone speak for a format that reads less than half of the
 * records. */
const struct log_format *log_choose(
    const struct log_format_guess *, const struct log_records *);

/* Warns which format reads the file, and which formats with a score do not, with the
 * records that each would read. */
void log_explain(const struct format_index *, const struct log_format *chosen,
    const struct log_records *);
