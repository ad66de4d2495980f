/*
 * Logs read by several threads. A piece of the input is several small files,
 * or a large one, each read from its beginning to its end; or a part of a
 * large file in which each record is a run of its own (logfmt's `alone`).
 *
 * Who reads a piece does not know what came before it: which ids and files
 * there were (ids.h, kin.h), how the file began. What is taken for granted of
 * that is looked at when it is the piece's turn to be written, and where it
 * was wrong, which is seldom, the piece is read again, by the extractor that
 * knows all that was written. What cannot be read twice, as a pipe, is read
 * when its turn has come.
 */
#pragma once

#include "extract/log_reader.h"
#include "io/in.h"

/* With two jobs or more; `given` are the files. */
struct extract_counts extract_parallel(struct in *, char **files,
    const struct extract_job *, const struct fileset *given, size_t jobs);
