/* The options of mcpl-judge that depend on each other, and the judges. */
#pragma once

#include "cmd/judge_options.h"

/* Finds the judges in the options, the environment and key files, redacts their
 * secrets from the text of requests, and creates the cache folder. Does nothing
 * with --label, which asks no judge. Ends the program after options that cannot be
 * combined or a folder that cannot be used. */
void judge_settle(struct judge_options *);
