/* Kind regex: whether a regular expression matches in the view's text. */
#pragma once

#include "check/check.h"
#include "regex/regex.h"

/* Takes the regex over. The pattern as its author wrote it and the flags that
 * it was compiled with (REGEX_...) are for --lint. */
struct check pattern_check(
    struct arena *, struct regex *, struct str pattern, unsigned flags);

/* The same, and of a YES `why` is what matched. */
struct check pattern_check_telling(
    struct arena *, struct regex *, struct str pattern, unsigned flags);

/* One of these, which tells of a NO where only letter case is to blame. Takes
 * the same pattern over as it is where case does not count; NULL: it tells
 * nothing. */
struct check pattern_hinting(
    struct arena *, struct check, struct regex *caseless);
