/* JSON values as jsonpath-plus sees them: with JavaScript's own properties and
 * types. */
#pragma once

#include "emulate/jsonpath/run.h"
#include "emulate/jsonpath/tree.h"

/*
 * Finds the own property of this name of the node's value: an object's member;
 * a list's element or `length`; a text's UTF-16 code unit or `length`. Returns
 * false if there is none.
 */
bool jsonpath_property(struct path_run *, const struct path_node *,
    struct str name, struct path_node *child);

/* Returns the type of this name, as in `@number()`; NULL if there is none. */
const struct path_type *jsonpath_type(struct str name);

/* Returns the name or index by which the node was reached; null for the
 * root. */
const struct json *jsonpath_key(struct path_run *, const struct path_node *);

/* Return the length in UTF-16 code units, and the part of the text between two
 * positions in code units. Half of a pair of surrogates, which UTF-8 cannot
 * express, becomes U+FFFD. */
size_t jsonpath_units(struct str);
struct str jsonpath_cut_units(
    struct arena *, struct str text, size_t from, size_t to);
