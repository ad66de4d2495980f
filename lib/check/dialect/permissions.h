/* The files of agents' own permissions: all files of a product join one set. */
#pragma once

#include "check/dialect/scenarios.h"
#include "check/permission/permission.h"

/* Begins the lines of a file. Returns the set of the product, to which lines are
 * added. */
struct permission_set *permissions_begin(
    struct scenarios *, const struct permission_product *);

/* Adds a check for each line of the set from the number `first` on and, once for a
 * set, those of all calls. Warns if the file has no line, unless it `decides` in another
 * way what becomes of calls. */
void permissions_end(
    struct scenarios *, struct permission_set *, size_t first, bool decides);

/* Warns of the lines that say nothing beside another line: a stricter one that covers
 * them, or one that says the same. */
void permissions_warn(const struct permission_sets *, struct policy *);
