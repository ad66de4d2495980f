/* The spans of one trace to a run. */
#pragma once

#include "extract/span/span.h"

/* What the format says of the file. */
struct span_options {
	bool one_run;  /* whatever the trace ids are */
	bool as_given; /* in the order of the file, not of time */
	bool counted;  /* the format counts the calls of models itself */
};

/* Tells the builder the run, and leaves it open. The list is sorted. */
void span_run(const struct span_options *, struct arena *, struct builder *,
    struct span **list, size_t n);

/* Whether the span is one of an agent, a model, or a call of a tool. */
bool span_is_part(const struct span *);
