/*
 * Reads logs with several threads. A piece of the input is a number of small
 * files or groups of files (file_groups.h), or a large one, read from beginning to end; or a part of a large file
 * in which each record is a run of its own (log_format's `alone`).
 *
 * A worker that reads a piece does not know the input before it: the ids and
 * files so far (run/run_ids.h, companions.h) and how the file began. The
 * worker's assumptions about these are verified when it is the piece's turn to
 * be written. If an assumption was wrong, which is rare, the piece is read
 * again by the reader that knows all that was written. Input that cannot be
 * read twice, such as a pipe, is read when its turn comes.
 */
#pragma once

#include "extract/log_reader.h"
#include "io/in.h"

/* Reads the groups of files with two or more jobs; `given` holds the files. */
struct extract_counts extract_parallel(struct in *, char ***groups,
    const struct extract_job *, const struct fileset *given, size_t jobs);
