/* How the spans of a trace lie within each other. */
#pragma once

#include "extract/span/span.h"

/* Finds each span's parent by its id; a circle is cut. */
void span_tree_link(struct arena *, struct span **list, size_t n);

/* By the time of their start; of two that start together the longer is first.
 */
void span_tree_sort(struct span **list, size_t n);

/* Marks what spans tell that others within them tell too, and makes one of the
 * spans that tell the same call. */
void span_tree_mark(struct span **list, size_t n);

/* The tool's span that this one is within, or NULL; after span_tree_mark. */
struct span *span_tree_tool(const struct span *);
