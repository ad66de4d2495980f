/* --guard: whether the call that an agent's hook asks about may be made. */
#pragma once

#include "check/dialect/spec.h"
#include "cmd/check_options.h"

/* Judges the calls of the records in the files. Returns the exit status: 2 and the reasons
 * on standard error if a call is forbidden (with --guard=json 0, and the decision on
 * standard output), 0 if none is, 1 after trouble. */
int check_guard(
    const struct check_options *, const struct spec *, char **files);
