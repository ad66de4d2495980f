/*
 * A machine that reads a text once, whatever the pattern: a finite automaton
 * whose states are made as the text needs them. It tells whether a match is
 * there, not where. For patterns without lookaround and references back.
 */
#ifndef REGEX_LINEAR_H
#define REGEX_LINEAR_H

#include "../regex.h"
#include "program.h"

struct linear;

/* NULL if the pattern is not regular, or too large when its repetitions are
 * written out. */
struct linear *linear_new(struct arena *, const struct pattern *);

/* REGEX_LIMIT if making states takes too long. */
enum regex_found linear_search(const struct linear *, struct str text);

#endif
