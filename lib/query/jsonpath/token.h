/* What a token of jsonpath-plus's paths selects, by its text alone. */
#pragma once

#include "query/jsonpath/tree.h"

/* `quoted` tells a name from a negative index, or from a list. */
void jsonpath_token_segment(
    struct segment *, struct arena *, struct str text, bool quoted);
