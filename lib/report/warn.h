/* Warnings about the runs as a whole. */
#pragma once

#include "base/arena.h"
#include "report/tally/tally.h"

/* Warns of a name of --by that no run has, for it may be misspelt. */
void warn_of_names(const struct tally *, struct arena *);

/* Warns of verdicts of several judges: what one judge passes, another judge may
 * fail. */
void warn_of_judges(const struct tally *);
