/* Closes sets over case: adds every character that equals a member but for
 * case. */
#pragma once

#include "emulate/regex/tree/set.h"

/* Uses Unicode's simple case folding, as Go does. The set is finished
 * afterwards. */
void fold_simple(struct arena *, struct set *);
/* Like fold_simple, with the few pairs that Python's re adds. */
void fold_python(struct arena *, struct set *);
/* Folds A to Z only. */
void fold_ascii(struct arena *, struct set *);
