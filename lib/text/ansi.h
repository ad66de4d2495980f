/* Removes the escape sequences that a terminal would obey. */
#pragma once

#include "base/str.h"

/*
 * Returns the text without CSI, OSC, DCS and the other sequences that begin
 * with ESC: the text itself if it has none, else a copy in the arena. Other
 * control characters stay. A string (OSC, DCS, ...) that does not end extends
 * to the end of the text. The text must be valid UTF-8.
 */
struct str ansi_strip(struct arena *, struct str);
