/* Kind rate: how many of the calls succeeded. */
#pragma once

#include "check/check.h"

/* Whether such a share of the tool's calls, from 0 to 1, did not fail; of all
 * calls if the name is absent or empty. NO if there were none. Of what was
 * found `why` is how many. */
struct check rate_check(struct arena *, struct str tool, double least);

/* Whether none of them succeeded, which is so if there were none. */
struct check rate_check_none(struct arena *, struct str tool);
