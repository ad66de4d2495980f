/*
 * The records of other formats in a file (mixed.h): each of these formats has a
 * reader of its own. For log_reader.c.
 */
#pragma once

#include "extract/log_feed.h"

enum { GUESS_RECORDS = 50 }; /* after which the likeliest format is taken */

/* Feeds a record of a file whose format is known. If the format was not asked
 * for by name, the record may be of another format. */
void log_streams_feed(struct log_reader *, const struct log_record *, bool cut);

/* Keeps a copy of the record until its format is known. */
void log_streams_wait(struct log_reader *, const struct log_record *);

/* Feeds the records that wait to the reader of the record that follows, from the
 * first one on that its format knows; those before go to the last reader. */
void log_streams_settle(struct log_reader *, struct log_reader *next);

/* Feeds the records that wait at the end of the file. */
void log_streams_end(struct log_reader *);

/* Forgets the records of other formats in the file, and what was read of them;
 * x->n_streams is not 0 if there are any. */
void log_reader_forget_streams(struct log_reader *);

/* Frees all memory of the reader. */
void log_reader_close(struct log_reader *);
