/* The tables of --why. */
#pragma once

#include "report/tally/why.h"
#include "text/table.h"

/* Returns the title: "Rules that failed runs break and passed runs keep". */
struct str why_title(
    const struct why *, const struct contrast *, struct arena *);

/* Returns the lines of the contrast: each rule, and how many runs of the group and
 * of the others break the rule, in the half of the runs in which the rule was found
 * and in the other half. */
struct table why_table(
    const struct why *, const struct contrast *, struct arena *);

/* Returns what else is to be said of the contrast: how many runs and habits were
 * compared, or why there is no line. */
struct str why_sentence(
    const struct why *, const struct contrast *, struct arena *);

/* Returns a sentence where nothing could be contrasted, for lack of a group or of
 * calls; else an absent text. */
struct str why_nothing(const struct why *, struct arena *);
