/*
 * Scripts: the expressions of jsonpath-plus's filters `[?(...)]` and computed
 * names `[(...)]`, which are evaluated as JavaScript's, operators, coercions
 * and methods. What JavaScript has no value for (a member of undefined, a
 * method that the value lacks) is undefined instead of an exception.
 */
#pragma once

#include "query/jsonpath/run.h"
#include "query/jsonpath/tree.h"

struct path_parser;
struct value;

/* The script that ends where the parser's text does; NULL if it is none. */
const struct script *jsonpath_parse_script(struct path_parser *);

/* Whether the script is true of the node. */
bool jsonpath_script_test(
    struct path_run *, const struct script *, const struct path_node *);

/* What the script, which names a property of the node, gives. */
struct value jsonpath_script_value(
    struct path_run *, const struct script *, const struct path_node *);
