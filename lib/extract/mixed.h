/*
 * Logs that hold records of several formats, as when files were joined, or when
 * two programs wrote to one output. A record that the log's own format does not
 * know, and that another format claims, begins a stream of that other format.
 * The stream has a reader of its own, which gets all later records of its
 * format, so that streams may be interleaved.
 */
#pragma once

#include "extract/log_reader.h"

/* Returns the reader of the stream that the record belongs to, which is `x`,
 * the reader of the log, or the reader of another stream in this log. A record
 * that no format claims belongs to the stream whose records have most of its
 * members, or else to that of the record before. */
struct log_reader *mixed_reader(
    struct log_reader *x, const struct json *record);

/* Returns whether the log's reader has met another format since the log
 * began. */
bool mixed_has_streams(const struct log_reader *);

/* Ends the other streams, and adds their runs to those that the log's reader
 * counts. */
void mixed_end(struct log_reader *);

/* Forgets the other streams, and what they read. */
void mixed_forget(struct log_reader *);
