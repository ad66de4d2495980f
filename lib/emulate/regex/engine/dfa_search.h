/*
 * An engine whose time depends linearly on the length of the text, whatever the
 * pattern. Finite automata (regex/engine/lazy_dfa.h) read the text once each:
 * first one for each lookaround, the innermost first, which marks where the
 * lookaround holds; then the pattern's. The engine reports whether there is a
 * match, not where. It cannot run patterns with backreferences.
 */
#pragma once

#include "emulate/regex/engine/program.h"
#include "emulate/regex/tree/types.h"

struct dfa_search;

/* Returns NULL if the engine cannot run the pattern, or if the pattern is too
 * large when its repetitions are written out. */
struct dfa_search *dfa_search_new(struct arena *, const struct pattern *);

/* Returns REGEX_LIMIT if building states takes too long. */
enum regex_found dfa_search_run(const struct dfa_search *, struct str text);
