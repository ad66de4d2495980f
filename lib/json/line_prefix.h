/*
 * Recognizes lines in which JSON follows a prefix: server-sent events, and text
 * logs of programs that record network traffic.
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"

/* Returns the length of the prefix before the line's JSON object; 0 if there is
 * no prefix, no object, or the line is of no such kind. */
size_t line_prefix_length(struct str line);

/* Returns whether the line belongs to such a log, but holds no data (an event
 * name, a header, a dated message). */
bool line_prefix_is_frame(struct str line);
