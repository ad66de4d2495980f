/* A run as the page holds it: JSON, in which no byte is markup to HTML. */
#pragma once

#include "base/arena.h"
#include "io/out.h"
#include "report/tally/result.h"

/* The run's row in the table of runs, a list whose places html.js names. */
void html_run_row(struct out *, const struct result *, struct arena *);

/* The record, long texts cut, and what exceeds the size that a run may have
 * in the page left out with a word on it. */
void html_run_record(struct out *, const struct result *, struct arena *);
