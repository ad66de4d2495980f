/* Sets closed over what is equal but for case. */
#ifndef REGEX_FOLD_H
#define REGEX_FOLD_H

#include "regex/tree/set.h"

/* Unicode's simple case folding: Go. The set is finished then. */
void fold_simple(struct arena *, struct set *);
/* The same and the few pairs that Python's re adds to it. */
void fold_python(struct arena *, struct set *);
/* A to Z alone. */
void fold_ascii(struct arena *, struct set *);

#endif
