/* The parts of the HTML page: the embedded files, text and tables, and a run as JSON, in
 * which html.c escapes each byte that HTML could take for markup. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/hash.h"
#include "io/out.h"
#include "report/format/job.h"
#include "report/table/rows.h"
#include "report/tally/result.h"
#include "text/table.h"

/* The bytes of html.css and the scripts, which the Makefile puts into the
 * library. */
extern const unsigned char html_css[], html_js[], html_sort_js[],
    html_charts_js[], html_graph_js[], html_filter_js[], html_search_js[],
    html_marks_js[], html_save_js[], html_runs_js[], html_one_js[],
    html_compare_js[], html_data_js[], html_page_js[];
extern const size_t html_css_size, html_js_size, html_sort_js_size,
    html_charts_js_size, html_graph_js_size, html_filter_js_size,
    html_search_js_size, html_marks_js_size, html_save_js_size,
    html_runs_js_size, html_one_js_size, html_compare_js_size,
    html_data_js_size, html_page_js_size;

/* Writes the run's row of the table of runs: a list whose places html_page.js
 * names. was: the run is one of the baseline. */
void html_run_row(
    struct out *, const struct result *, bool was, struct arena *);

/* Writes the names and statuses of the run's checks behind its row, a line each. */
void html_run_checks(struct out *, const struct result *, struct arena *);

/* Writes a row that html_run_row() and html_run_checks() wrote, with the checks as
 * its last element: a list of the names of checks that no row before had, and for
 * each check the number of its name, from 1 in the order of the names, times
 * STATUS_COUNT plus its status. The table has the names so far. */
void html_row_put(struct out *, struct str piece, struct hash_table *names);

/* The first bytes of the keys of rows and records in the external sort. */
enum { HTML_ROW = '1', HTML_RECORD = '2' };

/* Writes the run's record. Long texts are cut; what exceeds the size that a
 * run may have in the page is left out, and a text says so; so is the system
 * prompt. The last member, `shortened`, is the number of such places, unless that
 * is 0. */
void html_run_record(struct out *, const struct result *, struct arena *);

/* Puts the rows and records of the external sort, and the script. apart: the records
 * become files of the job's folder. */
void html_data(struct report_job *, struct str script, bool apart);

/* Puts what the page shows without its script. */
void html_sections(struct report_job *);

/* Puts text of the data, in which nothing is markup. */
void html_text(struct report_job *, struct str);

/* Puts a section with the table, unless the table is empty. rates: the groups of the
 * rows, whose pass rates are drawn at the end of each row; NULL: none. */
void html_table(struct report_job *, const char *title, const struct table *,
    const struct rows *rates);

/* Puts a cell of a table's row. */
void html_cell(
    struct report_job *, const struct table *, size_t row, size_t column);

/* Puts the section of --history, with a chart for each trend; at most `most` series. */
void html_history(struct report_job *, size_t most);
