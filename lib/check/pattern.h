/* Kind regex: whether a regular expression matches in the view's text. */
#ifndef CHECK_PATTERN_H
#define CHECK_PATTERN_H

#include "../check.h"
#include "../regex.h"

/* `pattern` is what the author wrote, for --lint. */
struct check pattern_check(
    struct arena *, const struct regex *, struct str pattern);

#endif
