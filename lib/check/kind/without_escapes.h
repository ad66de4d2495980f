/* Kind plain: another check, asked of what evolve takes for the run's answer,
 * without the escape sequences of terminals. */
#pragma once

#include "check/check.h"

/* `inner` must live as long as this check. */
struct check plain_check(const struct check *inner);
