/* Anthropic's Message Batches. */
#pragma once

#include "judge/provider/batch_api.h"

/* Goes with every request. */
#define ANTHROPIC_VERSION "anthropic-version: 2023-06-01"

extern const struct batch_api batch_anthropic;
