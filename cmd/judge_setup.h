/* What the options of mcpl-judge mean together. */
#pragma once

#include "cmd/judge_options.h"

/* Finds out whom to ask, as far as the environment and key files tell it, too,
 * keeps the key from going anywhere else, and makes the cache's folder. Options
 * that make no sense together, and a folder that cannot be used, end the
 * program. */
void judge_settle(struct judge_options *);
