/* What MLflow puts on its spans (mlflow.*): each value is JSON as text. */
#pragma once

#include "extract/span/span.h"
#include "extract/value/lookup.h"

/* Fills in what the span says so; nothing, if it is none of MLflow's. */
void otel_mlflow_read(struct arena *, struct span *, const struct json *span,
    const struct lookup *attributes);
