/*
 * The table of all log formats, and the choice of a file's format from its
 * first records. To read another format, write extract/format/NAME.c, which
 * defines a struct log_format (log_format.h), and add a row to the table in format.c.
 */
#pragma once

#include "extract/format/log_format.h"

/* The formats that are written in C, in order of precedence, ended by NULL. */
extern const struct log_format *const log_format_table[];

/* Returns the format of log_format_table with this name, or NULL. */
const struct log_format *log_format_named(const char *name);

/* The scores of all formats for the first records of a file. Zeroed at
 * first. */
enum { LOG_FORMAT_MAX = 256 };
struct log_format_guess {
	/* The formats in order of precedence, ended by NULL and at most
	 * LOG_FORMAT_MAX; NULL: log_format_table. */
	const struct log_format *const *table;
	int scores[LOG_FORMAT_MAX];
	size_t records;
};

/* Adds the scores of a record. Returns the format if it is certain now, else
 * NULL. */
const struct log_format *log_format_guess(
    struct log_format_guess *, const struct json *);

/* Returns the likeliest format, or NULL if no record hints at any. */
const struct log_format *log_format_likeliest(const struct log_format_guess *);
