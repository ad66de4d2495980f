/* Facts that the source of a regular expression shows, in any of the languages of the
 * dialects. */
#pragma once

#include "base/str.h"

/* Returns whether the pattern is a text without any operator. */
bool pattern_is_plain(struct str);

/* Returns whether a dot stands for a dot, as in example.com: it is the whole
 * pattern, or between letters or digits. */
bool pattern_has_loose_dot(struct str);

/* Returns whether a $ is before something, so that nothing can match. */
bool pattern_has_loose_dollar(struct str);

/* Returns the pattern with backslashes before the dots, or the $, of these kinds. */
struct str pattern_escaped(struct arena *, struct str, char c);

/* Returns whether the pattern has letters, and neither the flag i nor both cases
 * of its letters. */
bool pattern_counts_case(struct str);

/* Returns what can make a search slow: "repeats a repetition", "looks around",
 * or NULL. */
const char *pattern_slow(struct str);
