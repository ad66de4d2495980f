/* Reads a file with the runs of an earlier time: records, partials or MCPLab's
 * results.json, or several of these in one file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"
#include "redact/redact.h"
#include "report/tally/result.h"
#include "json/json.h"

struct earlier {
	const char *option; /* for messages: "--baseline" */
	size_t max_line;
	struct redact *redact; /* replaces secrets; NULL: nothing */
	size_t jobs;           /* threads that read */
	/* the statuses that count, for which a partial has no single runs; NULL:
	 * all runs */
	const bool *filter;
	/* Take a run, and a partial, of which the second returns false after a
	 * message if it cannot be used. Each thread passes its own of `takers`,
	 * and has its own arena, which is reset after the call. */
	void (*run)(void *taker, struct result *, struct arena *moment);
	bool (*partial)(void *taker, const struct json *, struct place,
	    struct arena *moment);
	void *const *takers; /* one for each job */
};

/* Reads the file ("-" is standard input). Reports what it cannot use by
 * diag_error(): a bad record, or a file without any run. */
void earlier_read(const struct earlier *, char *path);
