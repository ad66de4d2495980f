/* Gemini's batchGenerateContent. */
#pragma once

#include "judge/provider/batch_api.h"

extern const struct batch_api batch_gemini;

struct str gemini_path(
    const struct endpoint *, struct arena *, const char *method);
