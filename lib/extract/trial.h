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
};

/* Returns what the format reads of the records, or of the first ones if they are
 * large. */
struct log_trial log_try(const struct log_format *, const struct log_records *);

/* Returns the likeliest format: of those that are certain, or else have the highest
 * score, the one that reads most of the records; none whose records are common
 * in other formats' logs if another is certain. Returns NULL if no record hints at
 * any format, or if hints alone speak for a format that reads less than half of the
 * records. */
const struct log_format *log_choose(
    const struct log_format_guess *, const struct log_records *);

/* Warns which format reads the file, and which formats with a score do not, with the
 * records that each would read. */
void log_explain(const struct format_index *, const struct log_format *chosen,
    const struct log_records *);
