/* Writes a run, or a part of a run, as a trace record: see mcpl-trace(5). */
#pragma once

#include "extract/run/run.h"
#include "io/out.h"

struct trace_part;
struct export;

struct trace_options {
	const char *format;           /* source.format */
	const char *scenario, *agent; /* replace the log's; NULL: the log's */
	size_t results; /* bytes to keep of each result; SIZE_MAX: all; 0: no
			 * results */
	bool no_system; /* leave out the system prompt */
	/* Writes runs instead of trace_write, in the format `to`
	 * (export/export.h); NULL: trace_write writes them. */
	void (*write)(struct out *, const struct trace_options *,
	    const struct trace_part *);
	const struct export *to;
	/* Estimates the cost of runs without a logged cost; NULL: no cost is
	 * estimated. One thread only may write then. */
	struct prices *prices;
	bool color; /* for formats that people read */
	/* True if the log may have escapes of lone surrogates, which are written
	 * as that of U+FFFD: programs such as jq refuse lone surrogates. NULL:
	 * false. */
	bool *lone;
};

/* The part of a run that becomes one record. */
struct trace_part {
	const struct run *run;
	const struct thread *thread;
	const struct turn *turn; /* NULL: all turns of the thread */
	struct str id;           /* body */
	struct str parent;       /* body: id of the run that started the
				  * sub-agent */
};

/* Writes the record as one line. */
void trace_write(
    struct out *, const struct trace_options *, const struct trace_part *);
