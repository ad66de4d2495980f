/* Checks the options of mcpl-judge together, and completes them. */
#pragma once

#include "cmd/judge_options.h"

/* Determines the endpoint from the options, the environment and key files;
 * redacts the key everywhere else; and creates the folder of the cache. Options
 * that contradict each other, and a folder that cannot be used, end the
 * program. */
void judge_settle(struct judge_options *);
