/*
 * The contract that every report keeps, and the table of them. A report
 * prints what was counted; one that tells of each run, too, leaves pieces of
 * text in the spool, since only at the end are they in order. What it prints
 * hangs on the records alone, not on their order.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "io/external_sort.h"
#include "io/out.h"
#include "report/mcplab/drift.h"
#include "report/tally/compare.h"
#include "report/tally/gate.h"
#include "report/tally/result.h"
#include "report/tally/tally.h"

/* How it is to look. */
struct report_look {
	size_t width; /* of a line, in cells */
	bool color;
	bool csv_raw; /* leave what a spreadsheet takes for a formula */
	bool details; /* all tables, not the most important alone */
};

struct report_job {
	struct report_look look;
	struct arena *arena; /* lives as long as the job */
	struct external_sort *external_sort;
	void *own; /* the report's own, NULL at first; in the arena */

	/* from the end of the input on */
	struct out *out;
	const struct tally *tally;     /* finished */
	const struct compare *compare; /* finished; NULL: no baseline */
	const struct drift *drift;     /* NULL: no snapshot */
	const struct gate *gate;
	struct gate_verdict verdict;
};

struct report_format {
	const char *name, *what;
	/* Tells no more of the tally than sums and findings, and of a run
	 * nothing of its calls; unless details are asked for. */
	bool brief;
	/* Has no place for why the exit status is what it is. */
	bool mute;
	/* Called for each run before end, with an arena for the moment; NULL
	 * where the tally tells enough. */
	void (*run)(struct report_job *, const struct result *, struct arena *);
	/* Prints it all. */
	void (*end)(struct report_job *);
};

extern const struct report_format report_text, report_json, report_markdown,
    report_html, report_junit, report_tap, report_tap13, report_ctrf,
    report_sarif, report_github, report_lines, report_csv, report_mcplab,
    report_mcplab_summary;

/* All reports in the order of --list-formats, ended by NULL. */
extern const struct report_format *const report_table[];

/* The i-th's name, and what it is; NULL behind the last. */
const char *report_row(size_t i, const char **what);

/* The report of that name, or NULL. */
const struct report_format *report_format_named(const char *name);

/* Has a part of a report put with memory of its own, lest all the tables of
 * many groups stay there to the end. */
void report_apart(struct report_job *, void (*put)(struct report_job *));
