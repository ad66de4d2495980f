/*
 * A backtracking engine that implements the semantics of ECMAScript (ES2023
 * 22.2.2) exactly: captures are reset at each iteration of a repetition, an
 * optional iteration that takes nothing is undone, lookbehinds are read from
 * right to left. Programs with `perl` set get Perl's semantics of groups. The
 * engine gives up after a number of steps.
 */
#pragma once

#include "emulate/regex/engine/program.h"
#include "emulate/regex/tree/types.h"

/* Returns a number of steps that is enough for any realistic pattern and takes
 * a third of a second at most, a little longer for long texts. */
uint64_t backtrack_steps(struct str text);

/* Like pcre2_regex_search. The stack is bounded too: REGEX_LIMIT is returned if
 * it becomes too large. */
enum regex_found backtrack_search(const struct program *, struct str text,
    size_t from, size_t *spans, uint64_t steps);
