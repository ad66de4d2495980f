/* mcpl-check --advise. */
#pragma once

#include "check/dialect/spec.h"
#include "cmd/cli.h"
#include "trace/filter.h"

/* Writes the advice on the assertion files or, with `diff`, the additions to these
 * files as a unified diff. If `files` names files of runs, the runs that the filter
 * selects count. Returns false if the output could not be written. */
bool check_advice(const struct cli *, const struct spec *,
    const struct trace_filter_list *, char **files, bool diff);
