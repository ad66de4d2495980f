/*
 * Logs that hold records of several formats, as when files were joined, or when
 * two programs wrote to one output. A record that the log's own format does not
 * know, and that another format claims, begins a stream of that other format.
 * Later records belong to one of the streams; streams may be interleaved.
 */
#pragma once

#include "extract/format/format.h"

struct mixed;

/* Returns what is known of a log of this format before its first record. All
 * memory is in the arena. */
struct mixed *mixed_new(struct arena *, const struct log_format *own,
    const struct format_index *formats);

/* Takes the record by which the log's own format was recognised. */
void mixed_begin(struct mixed *, const struct json *record);

/* Returns the format of the stream that the record at this place belongs to: the
 * log's own, or another. A record that no format claims belongs to the stream
 * whose records have most of its members. Returns NULL if no stream has: the
 * record may be the first of another format, which a later record shows. NULL is
 * passed for a record that was cut off, which belongs to the stream of the record
 * before. */
const struct log_format *mixed_format(
    struct mixed *, const struct json *record, struct place);

/* Settles the records for which mixed_format returned NULL: they, and later records
 * of their shapes, belong to the stream of the record before. */
void mixed_settle(struct mixed *);

/* Notes a record of which its format read nothing: mixed_warn names the record if another
 * format knows something of it. */
void mixed_doubt(struct mixed *, const struct json *record, struct place);

/* Warns of records that were read by a format which does not know them, while a
 * format of an API's messages claims them: such messages may be part of the log. */
void mixed_warn(const struct mixed *);
