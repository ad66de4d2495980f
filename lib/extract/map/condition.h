/* Conditions on a value: filter expressions of JSONPath, such as $.type ==
 * 'call'. Both `$` and `@` are the value, since the filter runs on a list that
 * holds only the value. */
#pragma once

#include "query/jsonpath/jsonpath.h"

/* Compiles a condition into a path that selects the value if the condition
 * holds. Returns NULL and sets *error, like jsonpath_compile, if the text is no
 * condition. */
struct jsonpath *map_condition(
    struct arena *, struct str text, struct jsonpath_error *);

bool map_condition_holds(
    const struct jsonpath *, const struct json *value, struct arena *);
