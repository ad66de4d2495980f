/* The messages of Bedrock's Converse API, as other programs keep them. */
#pragma once

#include "extract/run/builder.h"

/* Reports a message at time `ts` (NULL: unknown), but not its counts. */
void bedrock_message_read(
    struct builder *, const struct json *message, const struct json *ts);

/* Reports the counts of one response of a model. */
void bedrock_usage_read(struct builder *, const struct json *counts);
