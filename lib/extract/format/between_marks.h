/* Prompts that a program put between marks, with words of its own around. */
#ifndef MARKED_H
#define MARKED_H

#include "base/str.h"

/* What stands between the marks in a body, without the line breaks next to
 * them; all of it if the first mark is not there. */
struct str marked(struct str body, struct str open, struct str close);

#endif
