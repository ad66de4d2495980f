/* Kind answer: whether a tool, some time when it was called, answered with a
 * text that has another in it, letter for letter. */
#pragma once

#include "check/check.h"

struct answer_want {
	struct str tool, text;
};

struct check answer_check(struct arena *, struct str tool, struct str text);
