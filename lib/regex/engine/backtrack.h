/*
 * A machine that tries one way after another, with the semantics of
 * ECMAScript (ES2023 22.2.2) to the letter: captures are emptied at each turn
 * of a repetition, an optional turn that takes nothing is undone, lookbehinds
 * are read from right to left. It gives up after a number of steps.
 */
#pragma once

#include "regex/engine/program.h"
#include "regex/tree/types.h"

/* Steps enough for any realistic pattern, a third of a second at most, and a
 * little more for long texts. */
uint64_t backtrack_steps(struct str text);

/* As pcre2_regex_search. Its stack is bounded too: REGEX_LIMIT where it would not do.
 */
enum regex_found backtrack_search(const struct program *, struct str text,
    size_t from, size_t *spans, uint64_t steps);
