/* Reports the spans of one trace as a run. */
#pragma once

#include "extract/span/span.h"

/* Properties of the file, set by the format. */
struct span_options {
	bool one_run;  /* all spans are one run, whatever their trace ids */
	bool as_given; /* keep the order of the file; else sort by time */
	bool counted;  /* the format itself counts the model calls */
};

/* Reports the run that has begun to the builder and leaves it open. Sorts the list. */
void span_run(const struct span_options *, struct arena *, struct builder *,
    struct span **list, size_t n);

/* Returns whether the span is of an agent, a model, or a tool call that no
 * outer span reports. */
bool span_is_part(const struct span *);
