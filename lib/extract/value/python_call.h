/* Calls that a text holds in the syntax of Python, as models write them that have no
 * calls of their own: `[f(a=1, b='x'), g()]`. */
#pragma once

#include "json/json.h"

/* Returns the calls that make up the whole text, a list of {"name", "args"}, in the
 * arena; NULL if the text is anything else. Calls are separated by commas, semicolons,
 * blanks or line breaks, and may be in lists. args is an object; an argument without
 * a name has the number of its place, from 0. A value that is no literal is its
 * source, as a string. */
const struct json *python_calls(struct arena *, struct str text);
