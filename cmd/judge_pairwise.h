/* mcpl-judge --pairwise: compares the runs of two files. */
#pragma once

#include "cmd/judge_options.h"

/* Reads both files, and compares their runs. Returns the exit status; or -1
 * without --pairwise. */
int judge_pairwise_run(struct judge_options *, char **files);
