/* Gemini's batchGenerateContent. */
#ifndef GEMINI_BULK_H
#define GEMINI_BULK_H

#include "judge/provider/batch_api.h"

extern const struct bulk bulk_gemini;

struct str gemini_path(const struct peer *, struct arena *, const char *method);

#endif
