/* Prompts that a program put between marks, with words of its own around. */
#pragma once

#include "base/str.h"

/* What stands between the marks in a body, without the line breaks next to
 * them; all of it if the first mark is not there. */
struct str between_marks(struct str body, struct str open, struct str close);
