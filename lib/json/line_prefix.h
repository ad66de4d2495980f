/*
 * Lines in which JSON stands behind something else: server-sent events, and
 * the text logs of programs that record what goes over a wire.
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"

/* How much of the line stands before its JSON object; 0 if none does, or the
 * line is not of such a kind. */
size_t line_prefix_length(struct str line);

/* Whether the line belongs to the frame of such a log and holds nothing. */
bool line_prefix_is_frame(struct str line);
