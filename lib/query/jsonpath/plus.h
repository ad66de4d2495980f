/* jsonpath-plus's reading of a path. */
#pragma once

#include "query/jsonpath/parse.h"

bool jsonpath_parse_plus(struct path_parser *, struct query *);

/* `quoted` tells a name from a negative index, or from a list. */
void jsonpath_token_segment(
    struct segment *, struct arena *, struct str text, bool quoted);
