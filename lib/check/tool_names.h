/* How the tools that a check names relate to the tools that a run called. */
#pragma once

#include "check/check.h"

/*
 * Returns why the check cannot be decided: it names SERVER:TOOL, and the log
 * does not record the server of a call of TOOL. Absent if that is not so, or if
 * the finding does not depend on it.
 */
struct str tool_names_unknown(
    const struct check *, const struct finding *, struct view *);

/* Returns what the tools that the check names, and that were not called, have
 * in common with called tools: only letter case or a server's prefix differs.
 * Absent if nothing. */
struct str tool_names_similar(const struct check *, struct view *);
