/* A dialogue that a log has in order, to the builder. */
#ifndef DIALOGUE_TELL_H
#define DIALOGUE_TELL_H

#include "extract/api/chat.h"
#include "extract/run/builder.h"

/* What users, models and tools said. A model's call that brings its result
 * with it has both. */
void dialogue_tell(struct builder *, const struct dialogue *);

#endif
