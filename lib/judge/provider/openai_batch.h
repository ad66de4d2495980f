/* OpenAI's Batch API, and Azure's, which differs in addresses and words. */
#ifndef OPENAI_BULK_H
#define OPENAI_BULK_H

#include "judge/provider/batch_api.h"

extern const struct bulk bulk_openai;

#endif
