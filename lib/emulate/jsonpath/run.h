/* One evaluation of a path: the document, its work limit, and its nodes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "json/json.h"

/*
 * The work that one evaluation may do. One unit is a visit of a node, or a look
 * at a member, and takes about ten nanoseconds. A reasonable path needs a few
 * units for each value of the document.
 */
enum {
	PATH_WORK_MIN = 10 * 1000 * 1000,
	PATH_WORK_PER_VALUE = 100,
};

struct path_run {
	struct arena *arena;
	const struct json *root;
	size_t work, work_max;
	/* the work limit, or a regular expression's limit, was reached */
	bool cut;
	/* $ and @ are the value that a condition is about, and $[?...] is the
	 * value if the filter holds */
	bool condition;
};

/* A value and the way by which it was reached. */
struct path_node {
	const struct json *value;
	const struct path_node *parent; /* NULL: the root */
	const struct json *key;         /* the member's key, or NULL */
	size_t index;                   /* in a list */
	/* the property name in the path; absent if there is none */
	struct str name;
	/* jsonpath-plus: a token that is an operator is first looked up as a
	 * property name of this node */
	bool literal_first;
	/* jsonpath-plus: some tokens count as steps although they stay on
	 * the node; for this number of steps the node's parent is the node
	 * itself */
	unsigned steps;
	bool repeats;  /* keys of the parent repeat */
	bool nameless; /* such a step after `$` has no name either */
};

/* Spends units of work; returns false if the limit is reached. */
static inline bool
jsonpath_spend(struct path_run *run, size_t units)
{
	run->work += units;
	if (run->work > run->work_max)
		run->cut = true;
	return !run->cut;
}

/* Returns the key of the member that json_get finds; NULL if there is none. */
const struct json *jsonpath_member(
    struct path_run *, const struct json *object, struct str name);

/* Moves child to the next of its parent's children, or to the first if child
 * has no value yet. Returns false at the end. A member whose key occurs again
 * later is skipped. */
bool jsonpath_next_child(struct path_run *, struct path_node *child);

/* Return values that are not in the document. */
const struct json *jsonpath_new_text(struct arena *, struct str);
const struct json *jsonpath_new_number(struct arena *, double);

/* Compares by value, like json_equal, within the work limit. */
bool jsonpath_equal(
    struct path_run *, const struct json *, const struct json *);
