/* A tree as a pattern for PCRE2. */
#pragma once

#include "regex/tree/tree.h"

/* For PCRE2_UTF, or, with bytes, for texts taken as bytes, of which the
 * pattern must treat all beyond ASCII alike. Groups keep their numbers. */
struct str emit_pcre2(struct arena *, const struct pattern *, bool bytes);
