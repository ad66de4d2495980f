/* The judges that the options of mcpl-judge name. */
#pragma once

#include "cmd/judge_options.h"

/* Finds the judges in the options, the environment and key files: first the
 * panel, then the judges of --escalate. Their secrets are redacted from the
 * texts of requests. Ends the program after wrong usage. */
void judge_lanes_add(struct judge_options *);
