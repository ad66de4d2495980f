/* Parts of the HTML page. */
#pragma once

#include "report/format/format.h"
#include "report/table/rows.h"
#include "text/table.h"

/* Text in which nothing is markup. */
void html_put_text(struct report_job *, struct str);

/* Nothing is put of a table without rows. rates: whose pass rates are drawn
 * behind the rows, or NULL. */
void html_put_table(struct report_job *, const char *title,
    const struct table *, const struct rows *rates);

void html_put_findings(struct report_job *);
