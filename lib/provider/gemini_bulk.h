/* Gemini's batchGenerateContent. */
#ifndef GEMINI_BULK_H
#define GEMINI_BULK_H

#include "../bulk.h"

extern const struct bulk bulk_gemini;

#endif
