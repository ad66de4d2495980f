/* Converts log files to traces: reads all input and writes a trace for each
 * run. */
#pragma once

#include "extract/log_reader.h"
#include "io/in.h"

/* Reads the input with `jobs` threads. The output and the messages, and their
 * order, do not depend on the number of threads. Returns the number of records that were
 * written. */
size_t extract(struct in *, const struct extract_job *, size_t jobs);

/* Reads the input of a hook from the input, and then the transcript that it names. Writes
 * the records of the run, with the event: also if the transcript cannot be read. Reports an
 * input that is none of a hook, and then writes nothing. */
void extract_hook(struct in *, const struct extract_job *);
