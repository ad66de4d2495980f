/* mcpl-check --advise. */
#pragma once

#include "check/dialect/spec.h"
#include "cmd/check_options.h"

/* Writes the advice of the options' priorities on the assertion files or, if the
 * options say so, the changes in these files as a unified diff. If `files` names files of runs, the runs that the filter
 * selects count. Returns false if the output could not be written. */
bool check_advice(
    const struct check_options *, const struct spec *, char **files);
