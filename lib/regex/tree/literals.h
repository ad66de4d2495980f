/*
 * What a text must hold to match a pattern: of many patterns, those whose
 * texts are not there need no search.
 */
#pragma once

#include "regex/tree/tree.h"

/*
 * Texts in lower case of which each match holds at least one, once its letters
 * are lowered too (by unicode_lower_js or unicode_lower_go); none where nothing
 * of use is known, and of patterns for which the machines may find no verdict,
 * since none is to be found for those that do not match either.
 */
struct str_list literals_of(struct arena *, const struct pattern *);

/* The text in lower case that the pattern is, if it is nothing but ASCII in
 * either case; else absent. */
struct str literals_whole(struct arena *, const struct pattern *);
