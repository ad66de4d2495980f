/* One evaluation of a path: the document, the budget, and the nodes of it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "json/json.h"

/*
 * The work that one evaluation may do. A visit of a node, or a look at a
 * member, is a unit; it takes some ten nanoseconds. A path that is no trap
 * needs a few units for each value of the document.
 */
enum {
	PATH_WORK_MIN = 10 * 1000 * 1000,
	PATH_WORK_PER_VALUE = 100,
};

struct path_run {
	struct arena *arena;
	const struct json *root;
	size_t work, work_max;
	bool cut; /* the budget was spent, or a regular expression's limit */
	enum { REPEATS_UNKNOWN, REPEATS_NONE, REPEATS } repeats; /* of keys */
};

/* A value and how it was reached. */
struct path_node {
	const struct json *value;
	const struct path_node *parent; /* NULL: the root */
	const struct json *key;         /* the member's, or NULL */
	size_t index;                   /* in a list */
	struct str name;                /* what the path calls it, if it does */
	/* jsonpath-plus: a text that is an operator is first looked for as a
	 * property of this node */
	bool literal_first;
	/* jsonpath-plus: some tokens count as steps without being any: so many
	 * times the parent is the node itself, */
	unsigned steps;
	bool nameless; /* which after `$` has no name either */
};

/* Spends so many units; false if the budget is spent. */
bool jsonpath_spend(struct path_run *, size_t units);

/* The key of the member that json_get finds; NULL if there is none. */
const struct json *jsonpath_member(
    struct path_run *, const struct json *object, struct str name);

/* Makes child the next of its parent's children, the first if it has no value
 * yet; false at the end. A member whose key stands again is left out. */
bool jsonpath_next_child(struct path_run *, struct path_node *child);

/* Values that no document holds. */
const struct json *jsonpath_new_text(struct arena *, struct str);
const struct json *jsonpath_new_number(struct arena *, double);

/* Equality by value, as json_equal, within the budget. */
bool jsonpath_equal(
    struct path_run *, const struct json *, const struct json *);
