/* Formats that are tried on the first records of a file: nothing is written, and no
 * message is printed. */
#pragma once

#include "extract/format/format.h"

enum { LOG_TRIAL_BYTES = 1 << 20 }; /* after which no other record is tried */

/* A record of a file whose format is not known yet. */
struct log_record {
	const struct json *json;
	struct str prefix;
	struct place at;
	bool shortened, one_line;
	size_t
	    torn; /* the line of a record before this one that is lost; or 0 */
};

/* The first records of a file. */
struct log_records {
	const char *path;
	const struct log_record *list;
	size_t n;
};

struct log_trial {
	size_t tried, read; /* records; those of which nothing is unread */
	/* Prompts, texts and calls that are read; a call counts more. */
	size_t weight;
	struct str written; /* of log_try_by: by its function, in its arena */
};

/* Returns what the format reads of the records, or of the first ones if they are
 * large. */
struct log_trial log_try(const struct log_format *, const struct log_records *);

/* Like log_try, but the function writes each run, and `weight` is the number of bytes
 * that the function wrote. */
struct log_trial log_try_by(const struct log_format *,
    const struct log_records *,
    void (*write)(
	struct out *, const struct trace_options *, const struct trace_part *),
    struct arena *);
