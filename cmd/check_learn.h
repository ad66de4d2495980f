/* The mode --learn of mcpl-check. */
#pragma once

#include "cmd/check_options.h"

/* Reads good runs from the files, and bad runs from that of --against, and writes a
 * policy. Returns whether all was written. */
bool check_learn(const struct check_options *, char **files);
