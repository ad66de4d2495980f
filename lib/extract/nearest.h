/* Finds the formats that come nearest to a log of unknown format. */
#pragma once

#include "extract/log_reader.h"

/* Returns the names of at most three formats, separated by commas, that would
 * read most from the records that wait in the reader; absent if no format would
 * read anything. */
struct str nearest_formats(struct log_reader *);
