/* Kind messages: another check, asked of each message of the assistant. */
#pragma once

#include "check/check.h"

/* YES if it is of one of them; `why` is then that one's, else the last one's.
 * `inner` must live as long as this check. */
struct check messages_check(const struct check *inner);
