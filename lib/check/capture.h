/* MCPLab's extract rules: values that a regular expression finds in the
 * answer. */
#pragma once

#include "check/view.h"
#include "regex/regex.h"

struct capture {
	struct str name;
	struct str pattern, at; /* as written, and where: file:line */
	struct regex *regex;    /* NULL: its author made a mistake */
};

/*
 * The value of the first match, as JSON text in the view's arena: of the group
 * named `value`, else of the first group, else of the whole. What JavaScript
 * takes for a number or for true or false is one; no match is null. Absent if
 * the answer is not recorded, or was cut short and the match is not whole
 * within what is left, or if the pattern finds no end.
 */
struct str capture_value(const struct capture *, struct view *);
