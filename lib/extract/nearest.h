/* Finds the formats that come nearest to a log of unknown format. */
#pragma once

#include "extract/format/format.h"

/* A record of a file whose format is not known yet. */
struct log_record {
	struct str text, prefix;
	struct place at;
	bool shortened, one_line;
};

/* Returns the names of at most three formats of the table, which NULL ends,
 * separated by commas, that would read most from the n records of a file; absent
 * if no format would read anything. */
struct str nearest_formats(struct arena *,
    const struct log_format *const *table, const char *path,
    const struct log_record *, size_t n);
