/*
 * A machine whose time grows with the text's length alone, whatever the
 * pattern: finite automata read the text once each, one for each lookaround,
 * from the inside out, to note where it holds, and one for the pattern. It
 * tells whether a match is there, not where. For patterns without references
 * back.
 */
#pragma once

#include "regex/engine/program.h"
#include "regex/tree/types.h"

struct dfa_search;

/* NULL if a pattern is not for it, or too large when its repetitions are
 * written out. */
struct dfa_search *dfa_search_new(struct arena *, const struct pattern *);

/* REGEX_LIMIT if making states takes too long. */
enum regex_found dfa_search_run(const struct dfa_search *, struct str text);
