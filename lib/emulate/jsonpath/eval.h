/* Runs queries and tests filters. */
#pragma once

#include "emulate/jsonpath/run.h"
#include "emulate/jsonpath/tree.h"

/* The place where the selected values go. */
struct path_sink {
	const struct json **values; /* set only if keep is */
	bool keep;
	size_t n;
	/* visiting stops after this number of values; 0: never */
	size_t enough;
};

/* Visits the values that the query selects from the node, in order. */
void jsonpath_visit(struct path_run *, const struct query *,
    const struct path_node *, struct path_sink *);

/* Returns the value that a query of names and indices selects, or NULL. */
const struct json *jsonpath_find_single(
    struct path_run *, const struct query *, const struct path_node *);

/* Returns whether the filter holds for the node. */
bool jsonpath_filter_test(
    struct path_run *, const struct filter *, const struct path_node *);
