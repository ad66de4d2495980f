/*
 * Conditions: JSONPath's filter expressions, as $.type == 'call', of one value.
 * `$` is the value, and so is @; they are asked of a list that holds it alone.
 */
#pragma once

#include "query/jsonpath/jsonpath.h"

/* A path that selects the value of map_condition_holds if the condition holds;
 * NULL: it is none, as jsonpath_compile has it. */
struct jsonpath *map_condition(
    struct arena *, struct str text, struct jsonpath_error *);

bool map_condition_holds(
    const struct jsonpath *, const struct json *value, struct arena *);
