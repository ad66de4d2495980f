/* Kind args: whether the arguments of a call of a tool pass another check. */
#pragma once

#include "check/check.h"

/*
 * `inner` is asked of the arguments of each call of the tool (view_arguments)
 * and must live as long as this check. YES if at least one passes, CANNOT if
 * there are no calls; seen is how many there were, matched how many passed.
 */
struct check args_check(
    struct arena *, struct str tool, const struct check *inner);
