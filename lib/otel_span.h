/* Where a span of OpenTelemetry stands in its trace, and how it ended. */
#ifndef OTEL_SPAN_H
#define OTEL_SPAN_H

#include "otel.h"
#include "spans.h"

/* Whether the object is a span. */
bool otel_span_is(const struct otel_object *);

/* Fills in ids, times and how it ended (its error; for a tool's is_error too),
 * given the span and its attributes (otel_attributes). Numbers are nanoseconds
 * if `nano`, else of the unit that fits. */
void otel_span_place(struct arena *, struct span *,
    const struct otel_object *span, const struct otel_object *attributes,
    bool nano);

#endif
