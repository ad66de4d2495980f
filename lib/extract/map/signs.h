/* The signs of a map's logs (struct log_format), found in the map's condition. */
#pragma once

#include "query/jsonpath/jsonpath.h"

/* Returns signs of which each record has one if the condition (jsonpath_condition)
 * holds for the record, in the arena; NULL if the condition may hold for any
 * record. */
const char *map_signs(struct arena *, const struct jsonpath *condition);
