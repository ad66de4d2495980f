/*
 * The table of all log formats, and the choice of a file's format from its
 * first records. To read another format, write extract/format/NAME.c, which
 * defines a struct log_format (log_format.h), and add a row to the table in format.c.
 */
#pragma once

#include "extract/format/format_index.h"

/* The formats that are written in C, in order of precedence, ended by NULL. */
extern const struct log_format *const log_format_table[];

/* Returns the format of log_format_table with this name, or NULL. */
const struct log_format *log_format_named(const char *name);

/* The scores of all formats for the first records of a file. All but the index
 * is zeroed at first. */
struct log_format_guess {
	const struct format_index *index; /* of the formats to choose from */
	int scores[LOG_FORMAT_MAX];
	size_t records;
	struct log_format_set asked; /* private: about the last record, still */
};

/* Adds the scores of a record. Returns the format if it is certain now, else
 * NULL; the scores of the formats after a certain one are not complete. */
const struct log_format *log_format_guess(
    struct log_format_guess *, const struct json *);

/* Goes on with the record for which log_format_guess returned the format. Returns the
 * next format that is certain, unless its records are common in logs of other
 * formats and the format's are not; NULL after the last. */
const struct log_format *log_format_rival(struct log_format_guess *,
    const struct log_format *, const struct json *record);

/* Returns whether the record counts in a choice among the formats that are certain:
 * one of them knows something of the record, and no format is certain of it alone, to
 * whose stream it would go anyway (mixed.h). */
bool log_format_counts(
    const struct log_format_guess *, const struct json *record);

/* Adds the scores of a record, those of all formats. */
void log_format_add_scores(struct log_format_guess *, const struct json *);

/* Returns the format that is certain by this record alone, or NULL. */
const struct log_format *log_format_claims(
    const struct format_index *, const struct json *record);

/* Returns the likeliest format, or NULL if no record hints at any. */
const struct log_format *log_format_likeliest(const struct log_format_guess *);

/* Returns the likeliest format of the record by that record alone, or NULL. */
const struct log_format *log_format_of(
    const struct format_index *, const struct json *record);
