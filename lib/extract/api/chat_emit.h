/* Reports a chat that is logged in order to the builder. */
#pragma once

#include "extract/api/chat.h"
#include "extract/run/builder.h"

/* Reports the texts, calls and results of users, models and tools. A model's
 * message may hold a call together with its result. */
void chat_emit(struct builder *, const struct chat *);
