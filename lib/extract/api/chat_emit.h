/* A dialogue that a log has in order, to the builder. */
#pragma once

#include "extract/api/chat.h"
#include "extract/run/builder.h"

/* What users, models and tools said. A model's call that brings its result
 * with it has both. */
void chat_emit(struct builder *, const struct chat *);
