/* Reads log files one after another: finds each file's format and passes the
 * file's records to the format. */
#pragma once

#include "extract/log_streams.h"

/* Reads all input of one file, or of the files of a group as of one file; returns
 * false if goes_on stopped it. Does not end the file: more of the file may
 * follow. */
bool log_reader_read(struct log_reader *, struct in *);

/* Ends the current file: reports what is known only at the end of a file. Does
 * nothing if no file is open. */
void log_reader_end_file(struct log_reader *);

/* Reads each group of files (file_groups.h) to its end, with the input's buffers.
 * Returns false if goes_on stopped it. */
bool log_reader_read_files(struct log_reader *, struct in *, char ***groups);

/* Continues in the middle of a file of this format, whose runs share this id so
 * far. The previous file must have ended. */
void log_reader_resume(struct log_reader *, const struct log_format *,
    const char *path, struct str id);

struct extract_counts log_reader_counts(const struct log_reader *);
