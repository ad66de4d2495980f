/* The tree that the spans of a trace form. */
#pragma once

#include "extract/span/span.h"

/* Finds each span's parent by id; a cycle is cut. */
void span_tree_link(struct arena *, struct span **list, size_t n);

/* Sorts by start time; of two spans that start together, the longer comes
 * first. */
void span_tree_sort(struct span **list, size_t n);

/* Marks what a span has in common with spans below it, and joins the spans that
 * report the same call. */
void span_tree_mark(struct span **list, size_t n);

/* Marks agents' spans whose tokens are those of models' spans beside them. The list is
 * sorted and marked. */
void span_tree_mark_beside(struct span **list, size_t n);

/* Returns the tool span that contains this span, or NULL. Valid after
 * span_tree_mark. */
struct span *span_tree_tool(const struct span *);
