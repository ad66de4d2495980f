/* A run, or a part of it, as a record: see mcpl-trace(5). */
#pragma once

#include "extract/run/run.h"
#include "io/out.h"

struct trace_part;
struct export;

struct trace_options {
	const char *format;           /* source.format */
	const char *scenario, *agent; /* in place of the log's; NULL: not */
	size_t results; /* bytes kept of each result; SIZE_MAX: all; 0: none */
	/* What writes runs in place of trace_write, and as what (export.h);
	 * NULL: nothing does. */
	void (*write)(struct out *, const struct trace_options *,
	    const struct trace_part *);
	const struct export *to;
};

/* What of a run becomes a record. */
struct trace_part {
	const struct run *run;
	const struct thread *thread;
	const struct turn *turn; /* NULL: all of the thread's */
	struct str id;           /* body */
	struct str parent;       /* body: id of the run of a sub-agent */
};

/* Writes a line. */
void trace_write(
    struct out *, const struct trace_options *, const struct trace_part *);
