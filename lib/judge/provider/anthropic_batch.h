/* Anthropic's Message Batches. */
#ifndef ANTHROPIC_BULK_H
#define ANTHROPIC_BULK_H

#include "judge/provider/batch_api.h"

/* Goes with every request. */
#define ANTHROPIC_VERSION "anthropic-version: 2023-06-01"

extern const struct bulk bulk_anthropic;

#endif
