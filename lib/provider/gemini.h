/* Where Gemini's models are. */
#ifndef GEMINI_H
#define GEMINI_H

#include "../provider.h"

/* "/models/MODEL:METHOD" */
struct str gemini_path(const struct peer *, struct arena *, const char *method);

#endif
