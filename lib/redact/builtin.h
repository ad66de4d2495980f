/* The built-in set of what is redacted. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* A pattern in Go's syntax (of one with a group, its first group is redacted)
 * with what more must hold of a match (NULL: nothing), or in place of it a
 * function that finds the first match at or after *from. */
struct redact_pattern {
	const char *class, *pattern;
	bool (*is)(struct str text, size_t from, size_t to);
	bool (*find)(struct str text, size_t *from, size_t *to);
};

extern const struct redact_pattern redact_patterns[]; /* {0} ends them */

/* Members whose values are secrets, whatever these look like. */
extern const char *const redact_members[]; /* NULL ends them */
