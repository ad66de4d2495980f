/* The table of report formats. A format lives in a file of its own, includes
 * this header for the declaration of its struct, and has a row in format.c. */
#pragma once

#include <stddef.h>

#include "report/format/job.h"

extern const struct report_format report_text, report_json, report_markdown,
    report_html, report_junit, report_tap, report_tap13, report_ctrf,
    report_sarif, report_github, report_lines, report_csv, report_mcplab,
    report_mcplab_summary;

/* All formats in the order of --list-formats, ended by NULL. */
extern const struct report_format *const report_table[];

/* Returns the name of format i and sets *what to its description; returns NULL
 * behind the last format. */
const char *report_row(size_t i, const char **what);

/* Returns the format of that name, or NULL. */
const struct report_format *report_format_named(const char *name);
