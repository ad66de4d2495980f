/* Patterns of paths, as gitignore(5) has them. Private to this folder. */
#pragma once

#include "base/str.h"

struct path_pattern;

/* Reads a pattern, in the arena, of which the text is not copied. */
const struct path_pattern *path_pattern_read(struct arena *, struct str);

enum { PATH_LENGTH_MAX = 4096 };

enum {
	PATH_IS_FOLDER = 1, /* the path itself is one */
	PATH_ANYWHERE = 2, /* the pattern may begin at any folder of the path */
};

/* Returns whether the pattern fits the path, or a folder that the path goes through. The
 * path is relative to the folder that the pattern belongs to, without "." and "..". A
 * pattern that is negated, a comment, malformed or longer than a path can be fits
 * nothing, and nothing fits a longer path. The time is linear in the product of the
 * lengths. `how` has bits PATH_.... */
bool path_pattern_fits(
    const struct path_pattern *, struct str path, unsigned how);
