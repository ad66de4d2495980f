/* What a query selects, and what a filter finds true. */
#pragma once

#include "query/jsonpath/run.h"
#include "query/jsonpath/tree.h"

/* Where the values go that a query selects. */
struct path_sink {
	const struct json **values; /* if keep is set */
	bool keep;
	size_t n;
	size_t enough; /* visiting stops with so many; 0: never */
};

/* Visits what the query selects from the node, in order. */
void jsonpath_visit(struct path_run *, const struct query *,
    const struct path_node *, struct path_sink *);

bool jsonpath_filter_test(
    struct path_run *, const struct filter *, const struct path_node *);
