/* Writes the rules of a map for chosen places. */
#pragma once

#include "extract/draft/place.h"

/* Returns the map of the n records of this shape, without a heading, in the arena; absent if
 * no rule was found. The marks of the shape's members (shape_reset) are lost. */
struct str draft_map(struct arena *, const struct json *const *records,
    size_t n, struct shape *record, const struct draft_places *);
