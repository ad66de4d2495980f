/* What a report is compared with: records, partials, or MCPLab's results.json,
 * or all of these in one file. */
#pragma once

#include <stddef.h>

#include "redact/redact.h"
#include "report/tally/compare.h"

/* Reads the file ("-" is standard input) into a comparison that was started.
 * What it cannot make use of is told (diag_error): a bad record, or a file
 * that holds no run. What is redacted (NULL: nothing) is so on both sides. */
void baseline_read(
    struct compare *, char *path, size_t max_line, struct redact *);
