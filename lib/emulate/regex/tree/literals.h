/*
 * Texts that a match of a pattern must contain. A caller that has many patterns
 * need not search with those whose texts are absent.
 */
#pragma once

#include "emulate/regex/tree/tree.h"

/*
 * Returns texts in lower case of which each match contains at least one, once
 * its letters are in lower case too (by unicode_lower_js or unicode_lower_go).
 * The list is empty where nothing useful is known, and for patterns on which
 * the engines may reach no verdict, so that these are always searched and
 * REGEX_LIMIT is not lost.
 */
struct str_list literals_of(struct arena *, const struct pattern *);

/* Returns the pattern as a text in lower case, if the pattern is nothing but
 * ASCII characters in either case; otherwise an absent text. */
struct str literals_plain_text(struct arena *, const struct pattern *);
