/* Log files to traces: finds each file's format and feeds it its records. */
#ifndef EXTRACT_H
#define EXTRACT_H

#include "builder.h"
#include "in.h"
#include "logfmt.h"
#include "walk.h"

/*
 * Reads all of the input and writes a trace for every run in it. `format`
 * is the format of every file; NULL: each file's is found from its records.
 * What the walk (NULL: none) found need be no log: that is only counted.
 * strict: stops at the first bad line.
 */
void extract(struct in *, const struct builder_options *,
    const struct logfmt *format, const struct walk *, bool strict);

#endif
