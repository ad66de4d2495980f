/* Gemini's generateContent, which Vertex AI has at other addresses: a provider's
 * `write` and `read`. */
#pragma once

#include "judge/provider/provider.h"

void gemini_write(
    const struct endpoint *, const struct prompt *, struct exchange *);
void gemini_read(struct endpoint *, const struct exchange *, struct answer *);
