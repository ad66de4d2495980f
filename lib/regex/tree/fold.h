/* Sets closed over what is equal but for case. */
#pragma once

#include "regex/tree/set.h"

/* Unicode's simple case folding: Go. The set is finished then. */
void fold_simple(struct arena *, struct set *);
/* The same and the few pairs that Python's re adds to it. */
void fold_python(struct arena *, struct set *);
/* A to Z alone. */
void fold_ascii(struct arena *, struct set *);
