/* The files of systems that mcpl-check does not read, by their names. */
#pragma once

#include "yaml/document.h"

/* Returns what a file of another system is, such as "a test of DeepEval in Python", and sets
 * *line to the line that tells; NULL: nothing tells. The text is a program or TOML. */
const char *foreign_text(const char *path, struct str text, size_t *line);

/* Returns the same of a file of values that no dialect owns, or, if `owned`, one does that has
 * such keys itself. */
const char *foreign_value(const struct json *root, bool owned);
