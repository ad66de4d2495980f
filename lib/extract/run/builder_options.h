/*
 * Options of the builder (builder.h): those of the user, and those of the format of the
 * log that is read.
 */
#pragma once

#include "extract/run/call_matching.h"
#include "extract/run/run.h"
#include "extract/run/run_ids.h"
#include "extract/run/time_range.h"
#include "extract/run/trace_write.h"

enum sidechains {
	SIDECHAINS_NEST,     /* sub-agent steps go into the call before them */
	SIDECHAINS_SEPARATE, /* each sub-agent gets a record of its own */
	SIDECHAINS_DROP,
};

/* The meaning of a result for which the log records neither a flag nor a
 * status. */
enum unflagged {
	UNFLAGGED_UNKNOWN, /* the call may have failed */
	UNFLAGGED_OK,      /* the call succeeded */
	UNFLAGGED_BY_TEXT, /* the call failed if the result is a text that
			     * begins as a report of an error does */
};

struct builder_options {
	struct out *out;
	struct trace_options trace;
	enum sidechains sidechains;
	bool split;                      /* write one record for each turn */
	enum unflagged unflagged;        /* of the log's format */
	enum unidentified unidentified;  /* of the log's format */
	const struct time_range *period; /* runs to write; NULL: all */
	size_t max_memory;               /* of log_keep.h; 0: by default */
	/* Kinds of records and blocks that carry nothing, though no reader knows
	 * them; NULL-terminated. NULL: none. */
	const char *const *carry_nothing;
	const char *const *silent; /* the same, of the log's format */
	/* Records that were written before and are skipped; NULL: none are
	 * skipped. The table's arena must outlive the builder. */
	struct hash_table *once;
	/* Numbers runs that share an id or a group across builders; NULL: this
	 * builder numbers only its own runs. */
	struct run_ids *ids;
};
