/* Kinds that hold a run to a limit. */
#ifndef CHECK_LIMIT_H
#define CHECK_LIMIT_H

#include "../check.h"

/* Of what was found `why` is how much. */

/* Kind llm_calls: whether the model was asked so often at most. */
struct check llm_calls_check(struct arena *, int64_t most);

/* Kind call_time: whether the calls took so many milliseconds at most, those
 * of all calls added up. */
struct check call_time_check(struct arena *, double most);

#endif
