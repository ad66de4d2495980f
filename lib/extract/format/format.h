/*
 * The table of all log formats, and the choice of a file's format from its
 * first records. To read another format, write extract/format/NAME.c, which
 * defines a struct log_format (log.h), and add a row to the table in format.c.
 */
#pragma once

#include "extract/format/log.h"

/* The formats in order of precedence, ended by NULL. */
extern const struct log_format *const log_format_table[];

/* The i-th's name, and what it is; NULL behind the last. */
const char *log_format_row(size_t i, const char **what);

/* NULL if there is none of that name. */
const struct log_format *log_format_named(const char *name);

/*
 * Finds a file's format from its first records. Zeroed is ready.
 */
enum { LOG_FORMAT_MAX = 96 };
struct log_format_guess {
	int scores[LOG_FORMAT_MAX];
	size_t records;
};

/* Takes a record into account. The format if it is certain by now. */
const struct log_format *log_format_guess(
    struct log_format_guess *, const struct json *);

/* The likeliest one; NULL if nothing speaks for any. */
const struct log_format *log_format_likeliest(const struct log_format_guess *);
