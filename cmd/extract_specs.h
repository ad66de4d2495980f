/* Assertion files among the inputs of mcpl-extract, which are no logs. */
#pragma once

#include <stdbool.h>

#include "json/json.h"

/* Returns the name of the assertion dialect that a document is written in; NULL
 * if the document is in none, or may as well be a log. */
const char *extract_specs_dialect(const struct json *document);

/* Warns of assertion files among the files, and removes them from the list.
 * Returns false if the list is empty then, since an empty list would mean
 * standard input. */
bool extract_specs_leave_out(char **files);
