/* mcpl-judge --label: a person labels checks that a judge answered. */
#pragma once

#include "cmd/judge_options.h"

/* Reads the files, and asks the person at the terminal. Returns the exit status; or
 * -1 without --label. */
int judge_label_run(struct judge_options *, char **files);
