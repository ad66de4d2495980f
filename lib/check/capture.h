/* MCPLab's extract rules: values that a regular expression captures from the
 * answer. */
#pragma once

#include "check/view.h"
#include "emulate/regex/regex.h"

struct capture {
	struct str name;
	struct str pattern;  /* as written */
	struct str at;       /* file:line of the rule */
	struct regex *regex; /* NULL: its author made a mistake */
};

/*
 * Returns the value of the first match, as JSON text in the view's arena: of
 * the group named `value`, else of the first group, else of the whole match.
 * Text that JavaScript reads as a number, true or false becomes that value.
 * No match is null. Absent if the answer is not recorded; if the answer was cut
 * short and the match is not wholly within the rest; or if the search reached
 * its step limit.
 */
struct str capture_value(const struct capture *, struct view *);
