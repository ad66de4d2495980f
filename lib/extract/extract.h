/* Log files to traces: reads all of the input and writes a trace for every run
 * in it. */
#pragma once

#include "extract/log_reader.h"
#include "io/in.h"

/* With so many threads. Whatever their number is, what is written and said is
 * the same, in the same order. */
void extract(struct in *, const struct extract_job *, size_t jobs);
