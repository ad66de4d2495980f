/* Turns objects whose member names are paths ("messages.0.role"), such as
 * attributes of spans, back into the values from which they were made. */
#pragma once

#include "json/json.h"

/*
 * Returns the value made of all members whose names begin with the prefix and a
 * dot; NULL if there are none. Where the names continue with
 * numbers the value is a list, and its missing elements are null; a list that
 * lacks more than a thousand elements, and anything else, is an object. If a
 * name contradicts an earlier name, the later name wins. The result is in the
 * arena.
 */
const struct json *unflatten(
    struct arena *, const struct json *object, struct str prefix);
