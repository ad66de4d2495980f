/* Values as jsonpath-plus sees them: JavaScript's own properties and types. */
#pragma once

#include "query/jsonpath/run.h"
#include "query/jsonpath/tree.h"

/*
 * The property of this name that the node's value has itself: an object's
 * member; a list's element or `length`; a text's UTF-16 code unit or `length`.
 * False if there is none.
 */
bool jsonpath_property(struct path_run *, const struct path_node *,
    struct str name, struct path_node *child);

/* The type of this name, as in `@number()`; NULL if there is none. */
const struct path_type *jsonpath_type(struct str name);

/* The name or index by which the node was reached; null for the root. */
const struct json *jsonpath_key(struct path_run *, const struct path_node *);

/* The length in UTF-16 code units, and a part of the text by them; half of a
 * pair of surrogates, which has no other form, is U+FFFD. */
size_t jsonpath_units(struct str);
struct str jsonpath_cut_units(
    struct arena *, struct str text, size_t from, size_t to);
