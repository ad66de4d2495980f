/* The conditions under which a map's format is asked (`asked` of struct log_format),
 * found in the map's own condition. */
#pragma once

#include "emulate/jsonpath/jsonpath.h"

/* Returns conditions (extract/format/log_condition.h) that hold for each record for
 * which the map's condition (jsonpath_condition) does, in the arena; NULL if the
 * condition may hold for any record. */
const char *map_signs(struct arena *, const struct jsonpath *condition);
