/*
 * Objects whose members' names are paths ("messages.0.role"), as attributes of
 * spans are, to the values that they were made of.
 */
#pragma once

#include "json/json.h"

/*
 * The value of all members whose names begin with the prefix, which ends in a
 * dot. Where the names go on in numbers it is a list, and what is missing from
 * it is null; a list of which more than a thousand elements are missing, and
 * anything else, is an object. Where a name says otherwise than one before it,
 * the later one holds. NULL if there are none. The result lives in the arena.
 */
const struct json *unflatten(
    struct arena *, const struct json *object, struct str prefix);
