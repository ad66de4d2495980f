/*
 * What mcpl-report does: records are read and counted, compared with a baseline
 * and held against a snapshot, the gate decides, and a report tells of it.
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
#include "report/tally/tally.h"

/* What the user wants. */
struct report_plan {
	const struct report_format *report;
	struct report_look look;
	struct tally_plan tally;
	struct gate gate;
	struct redact *redact; /* what is not to be told; NULL: nothing */
	const bool *filter; /* the statuses that count; NULL: all, and none */
	char *baseline;     /* a file; NULL: none, as below */
	double alpha;       /* of the comparison with it */
	const char *snapshot, *snapshot_write;
	const char *step_summary; /* a file to add the Markdown to */
	bool partial;             /* no report, but a partial */
	bool strict;              /* to the first bad record only */
	size_t max_line;
};

struct report {
	const struct report_plan *plan;
	struct tally_plan counted; /* no more than the report needs */
	struct arena arena;
	struct external_sort external_sort;
	struct tally tally;
	struct compare compare;
	struct drift drift;
	struct report_job job;
	struct out summary;
};

/* The text format, the usual gate, a hundred findings, and no more. */
struct report_plan report_default(void);

/* The plan must live as long, and the struct may not be moved. Reads the
 * baseline. */
void report_start(struct report *, const struct report_plan *);

/* How many threads of those asked for can read: one alone where single runs
 * are told of or compared, or the first bad record ends it all. */
size_t report_jobs(const struct report_plan *, size_t asked);

/* Reads all of the input with so many threads; `out`, in which nothing is
 * written yet, is report_end's. */
void report_read(struct report *, size_t jobs, struct in *, struct out *);

/* Decides, and writes it all; what the exit status is to be, 0 for a partial.
 */
int report_end(struct report *, struct out *);
