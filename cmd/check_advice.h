/* mcpl-check --advise. */
#pragma once

#include "check/dialect/spec.h"
#include "cmd/cli.h"
#include "trace/filter.h"

/* Writes the advice on the assertion files, or, with `diff`, the additions to
 * them. Runs are read if files of them are named, and those that the filter
 * leaves count. Returns false if the output could not be written. */
bool check_advice(const struct cli *, const struct spec *,
    const struct trace_filter_list *, char **files, bool diff);
