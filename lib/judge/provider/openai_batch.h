/* OpenAI's Batch API, and Azure's, which differs in addresses and words. */
#pragma once

#include "judge/provider/batch_api.h"

extern const struct batch_api batch_openai;
