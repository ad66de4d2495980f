/*
 * The whole of mcpl-report: reads records and counts them, compares them with a
 * baseline and with a snapshot, decides the exit status, and prints a report.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "io/external_sort.h"
#include "io/in.h"
#include "io/out.h"
#include "redact/redact.h"
#include "report/format/format.h"
#include "report/mcplab/drift.h"
#include "report/tally/compare.h"
#include "report/tally/gate.h"
#include "report/tally/history.h"
#include "report/tally/tally.h"
#include "trace/seal.h"

/* The options of mcpl-report. */
struct report_plan {
	const struct report_format *format;
	struct report_look look;
	struct tally_plan tally;
	struct zone zone; /* of the days of --by */
	struct gate gate;
	struct redact *redact; /* replaces secrets; NULL: nothing */
	struct prices *prices; /* estimate costs; NULL: nothing does */
	/* the statuses that count; NULL: all runs, also those without a
	 * status */
	const bool *filter;
	char *baseline; /* a file; NULL: none; so for the next paths */
	char **history; /* n_history files of earlier runs */
	size_t n_history;
	double alpha;   /* of the comparison with the baseline; above 0 */
	struct str why; /* as in struct why */
	double margin;  /* the least change of behaviour that counts */
	const char *snapshot, *snapshot_write;
	struct content_folder
	    *folder;              /* for files beside the report; or NULL */
	const char *step_summary; /* a file to append the Markdown report to */
	bool partial;             /* write a partial in place of a report */
	/* the file of the partial, beside which its runs are kept; NULL: they are
	 * not */
	const char *partial_file;
	const char *part; /* the name of the partial's part, or NULL */
	bool sealed;      /* the input must have a seal */
	size_t parts;     /* that there should be; 0: any number */
	size_t runs;      /* that there should be; SIZE_MAX: any number */
	size_t jobs;      /* threads that may read */
	bool strict;      /* stop at the first bad record */
	size_t max_line;
};

struct report {
	const struct report_plan *plan;
	/* plan->tally without what the report does not need */
	struct tally_plan counted;
	struct arena arena;
	struct external_sort external_sort;
	struct tally tally;
	struct compare compare;
	struct history history;
	struct drift drift;
	struct why why;
	struct report_job job;
	struct out summary;
	struct out runs;  /* the file beside the plan's partial_file */
	struct part kept; /* the runs in that file */
	struct seal_count seals;
	size_t read;                 /* runs, except those of partials */
	struct report_worker *alone; /* of report_add; or NULL */
};

/* Returns the defaults: the text format, the usual gate, a hundred failures,
 * and nothing else. */
struct report_plan report_default(void);

/* Prepares the report and reads the baseline and the history. The plan must outlive the report,
 * whose address must not change from then on. */
void report_start(struct report *, const struct report_plan *);

/* Reads the whole input. `out` is the output that report_end() writes later; nothing is
 * written to it here. */
void report_read(struct report *, struct in *, struct out *);

/* Counts a record, in place of report_read; `at` is for messages. */
void report_add(struct report *, const struct json *record, struct place at);

/* Decides, writes all output, and frees the report. Returns the exit status of
 * the gate, 0 for a partial. */
int report_end(struct report *, struct out *);
