/* Where a span of OpenTelemetry stands in its trace, and how it ended. */
#pragma once

#include "extract/otel/otel.h"
#include "extract/span/spans.h"

/* Whether the object is a span. */
bool otel_span_is(const struct lookup *);

/* Fills in ids, times and how it ended (its error; for a tool's is_error too),
 * given the span and its attributes (otel_attributes). Numbers are nanoseconds
 * if `nano`, else of the unit that fits. */
void otel_span_place(struct arena *, struct span *, const struct lookup *span,
    const struct lookup *attributes, bool nano);
