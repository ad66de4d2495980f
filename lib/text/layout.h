/*
 * Text for terminals: made safe to show, measured in cells, shortened and
 * wrapped. Text is called clean if layout_clean would not change it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "io/out.h"

/* Returns whether the character may appear unchanged in clean text: it is
 * visible, or joins or varies visible characters, as in emoji. */
bool layout_shows(uint32_t character);

/*
 * Returns the text without characters that a terminal would obey or hide: they
 * become \x1b or \u{202e}, and bytes that are no UTF-8 become U+FFFD. A newline
 * stays if `lines` is set, and else becomes a blank, as a tab always does. The
 * result is the text itself if nothing changes, else a copy in the arena.
 */
struct str layout_clean(struct arena *, struct str, bool lines);

/* Returns the number of cells that a clean text of one line takes. */
size_t layout_width(struct str);

/* Returns the text if it takes at most `width` cells, and else both its ends
 * around an ellipsis, since names differ at their ends. */
struct str layout_squeeze(struct arena *, struct str, size_t width);

/* Returns the text if it has at most `limit` bytes, and else its first whole
 * characters with a note at the end: "... [120 more bytes]". */
struct str layout_cut(struct arena *, struct str, size_t limit);

/* Writes this number of blanks. */
void layout_space(struct out *, size_t cells);

/* The shape of wrapped lines. */
struct layout {
	size_t indent, width; /* in cells; the width includes the indent */
	size_t most;          /* lines to show; the others are only counted */
	bool begun;           /* the indent of the first line is written */
};

/* Writes clean text, with lines broken at blanks where possible. */
void layout_wrap(struct out *, struct str, const struct layout *);
