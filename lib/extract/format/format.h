/*
 * The table of all log formats, and the choice of a file's format from its
 * first records. To read another format, write extract/format/NAME.c, which
 * defines a struct log_format (log_format.h), and add a row to the table in format.c.
 */
#pragma once

#include "extract/format/log_format.h"

/* All formats in order of precedence, ended by NULL. */
extern const struct log_format *const log_format_table[];

/* Returns the name of the i-th format and sets *what to its description;
 * returns NULL if there is no i-th format. */
const char *log_format_describe(size_t i, const char **what);

/* Returns the format with this name, or NULL. */
const struct log_format *log_format_named(const char *name);

/* The scores of all formats for the first records of a file. Zeroed at
 * first. */
enum { LOG_FORMAT_MAX = 96 };
struct log_format_guess {
	int scores[LOG_FORMAT_MAX];
	size_t records;
};

/* Adds the scores of a record. Returns the format if it is certain now, else
 * NULL. */
const struct log_format *log_format_guess(
    struct log_format_guess *, const struct json *);

/* Returns the likeliest format, or NULL if no record hints at any. */
const struct log_format *log_format_likeliest(const struct log_format_guess *);
