/* Parses paths as jsonpath-plus does. */
#pragma once

#include "emulate/jsonpath/parse.h"

bool jsonpath_parse_plus(struct path_parser *, struct query *);

/* Sets the segment to what a token selects, by the token's text. A quoted text
 * is a name, never a negative index or a list. */
void jsonpath_token_segment(
    struct segment *, struct arena *, struct str text, bool quoted);
