/*
 * The contract between mcpl-report and its report formats. A format prints
 * what was counted, and may print each run as well: such a format adds a piece
 * of text for each run to the external sort, because the runs are in order
 * only at the end of the input. The output depends only on the records, not on
 * their order.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "io/content_folder.h"
#include "io/external_sort.h"
#include "io/out.h"
#include "report/mcplab/drift.h"
#include "report/table/rows.h"
#include "report/tally/compare.h"
#include "report/tally/gate.h"
#include "report/tally/history.h"
#include "report/tally/result.h"
#include "report/tally/tally.h"
#include "report/tally/why.h"

/* Options that change what a report looks like. */
struct report_look {
	size_t width; /* of a line, in cells */
	bool color;   /* use the terminal's colors */
	bool csv_raw; /* leave text that a spreadsheet takes for a formula */
	bool details; /* show all tables, not only the most important ones */
};

/* One report while it is made; formats take everything from here. */
struct report_job {
	struct report_look look;
	struct arena *arena; /* lives as long as the job */
	struct external_sort *external_sort;
	struct out piece; /* in memory; for the text of the current run */
	void *own;        /* the format's state, set by its start() */

	/* Set when the input has ended. */
	struct out *out;
	/* NULL: no --history; set from the start, finished at the end */
	const struct history *history;
	struct content_folder
	    *folder;               /* for files beside the output, or NULL */
	const struct tally *tally; /* finished */
	const struct compare *compare; /* finished; NULL: no baseline */
	const struct drift *drift;     /* NULL: no snapshot */
	const struct why *why;         /* NULL: no --why */
	const struct gate *gate;
	struct gate_verdict verdict;
	const struct rows *rows; /* set by end() of a format with tables */
};

struct report_format {
	const char *name, *what; /* for --list-formats */
	/* The format prints only sums and failures of the tally, and does not
	 * read the calls of a run, unless details are asked for. */
	bool brief;
	/* The output has no place for the reason of the exit status. */
	bool mute;
	/* The format itself sees to it that no text is a command of GitHub's
	 * runner, where this is OUT_UNGUARDED. */
	enum out_guard guard;
	/* Makes job->own in job->arena; NULL: the format has no state. */
	void (*start)(struct report_job *);
	/* Takes each run before end(); the arena is reset after the call.
	 * NULL: the tally has all that the format needs. */
	void (*run)(struct report_job *, const struct result *, struct arena *);
	/* Takes each run of the baseline in the same way, before the others;
	 * NULL: the format shows none. */
	void (*was)(struct report_job *, const struct result *, struct arena *);
	/* Prints the report to job->out. */
	void (*end)(struct report_job *);
};

/* Prepares the job for the format's run(). */
void report_job_start(struct report_job *, const struct report_format *);

/* Frees what report_job_start() allocated outside of the arena. */
void report_job_free(struct report_job *);

/* Calls put() with a copy of the job that has an arena of its own, freed after
 * the call, so that the tables of many groups do not stay in memory until the
 * end of the report. */
void report_apart(struct report_job *, void (*put)(struct report_job *));
