/* Kind guardrail: whether a guardrail fired in the view's turn. */
#pragma once

#include "check/check.h"

/*
 * YES if the first record of that name (or of PromptKit's older name for it:
 * BannedWordsValidator of banned_words) did not pass; with an absent name, if
 * any did not.
 */
struct check guardrail_check(struct arena *, struct str name);
