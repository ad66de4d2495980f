/* Log files to traces: reads all of the input and writes a trace for every run
 * in it. */
#ifndef EXTRACT_H
#define EXTRACT_H

#include "extract/log_reader.h"
#include "io/in.h"

/* With so many threads. Whatever their number is, what is written and said is
 * the same, in the same order. */
void extract(struct in *, const struct extraction *, size_t jobs);

#endif
