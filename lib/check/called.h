/* Kind called: whether a tool was called. */
#ifndef CHECK_CALLED_H
#define CHECK_CALLED_H

#include "../check.h"

struct check called_check(struct arena *, struct str tool);

#endif
