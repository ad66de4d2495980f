/* Text without the escape sequences that a terminal would obey. */
#pragma once

#include "base/str.h"

/*
 * The text, or a copy in the arena, without CSI, OSC, DCS and other sequences
 * that ESC begins; other control characters stay. A string (OSC, DCS, ...)
 * without its end takes all that follows. The text is valid UTF-8.
 */
struct str ansi_strip(struct arena *, struct str);
