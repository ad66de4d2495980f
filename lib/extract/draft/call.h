/* Finds the members of a call or a result. */
#pragma once

#include "extract/draft/words.h"

/* The members of a call or result. */
struct draft_call {
	struct draft_found tool, args, result, id, server, failed, ok, status,
	    ms, seconds;
};

/* Like draft_find, but marks the member as used. */
struct draft_found draft_take(struct shape *, enum draft_role);

/* Finds and marks the members of a call, or of a result, which may be in an object
 * within the step. */
struct draft_call draft_call_find(struct shape *step, bool is_result);
