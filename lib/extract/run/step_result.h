/* The member `result` of a step, which may be shortened. */
#pragma once

#include "io/out.h"

/* Returns whether the result, a value's source, is longer than the limit in
 * bytes, not counting the quotes of a string. A limit of 0 leaves results out,
 * which is not shortening. */
bool step_result_is_longer(struct str result, size_t limit);

/* Writes at most `limit` bytes of the result's source, and splits no character;
 * SIZE_MAX: all; nothing if the limit is 0 or the value is absent. */
void step_result_put(struct out *, struct str result, size_t limit);
