/* Reads the place of an OpenTelemetry span in its trace, and how the span
 * ended. */
#pragma once

#include "extract/otel/otel.h"
#include "extract/span/spans.h"

/* Returns whether the object is a span. */
bool otel_span_is(const struct lookup *);

/* Fills in ids, times, error and is_error from the span and its attributes (see
 * otel_attributes). Numbers are nanoseconds if `nano`, else of the unit that
 * fits. */
void otel_span_place(struct arena *, struct span *, const struct lookup *span,
    const struct lookup *attributes, bool nano);
