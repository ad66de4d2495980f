/* Findings from runs about each scenario, and of the tools that rules name. */
#pragma once

#include "check/advice/advice.h"
#include "check/advice/shown.h"

/* Returns what the runs show of the scenario; NULL if no run does, or if another
 * scenario has the same assertions and is shown for both. */
const struct advice_shown *advice_shown_of(
    const struct advice_runs *, const struct scenario *);

/* Returns whether the check, by its number in the scenario, judged nothing in any run
 * of the scenario; false if there is none. */
bool advice_runs_idle(
    const struct advice_runs *, const struct scenario *, size_t check);

/* Returns the lines that would cover calls of the runs; NULL without runs. */
struct permission_gains;
const struct permission_gains *advice_runs_permissions(
    const struct advice_runs *);

/* Returns whether a run called a tool that fits one of the call's globs; true if
 * no run recorded its calls. */
bool advice_runs_call(const struct advice_runs *, const struct rule_call *);
