/* Amounts for people: short, rounded, and independent of the locale. The texts
 * lie in the arena. */
#pragma once

#include "base/arena.h"
#include "base/str.h"

struct str humanize_count(struct arena *, double n);           /* 3, 2.5 */
struct str humanize_tokens(struct arena *, double n);          /* 812, 1.2k */
struct str humanize_usd(struct arena *, double billionths);    /* $0.0123 */
struct str humanize_time(struct arena *, double microseconds); /* 1.2s, 2m03s */

/* Returns "1 run" or "2 runs" for the noun "run". */
struct str humanize_of(struct arena *, size_t n, const char *noun);
