/*
 * Text for people: safe to show on a terminal, measured in its cells, cut and
 * wrapped to fit.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "io/out.h"

/* Whether the character may stand in a text as it is: it shows, or joins and
 * varies characters that do, as in emoji. */
bool layout_shows(uint32_t character);

/*
 * The text with nothing in it that a terminal would obey, or hide: such
 * characters become \x1b or \u{202e}, bytes that are no UTF-8 become U+FFFD.
 * A newline stays where `lines` says so; else it becomes a blank, as a tab
 * always does. The text itself if nothing changes.
 */
struct str layout_clean(struct arena *, struct str, bool lines);

/* How many cells the text takes; it is clean and has one line. */
size_t layout_width(struct str);

/* The text in at most `width` cells: of a longer one both ends, around an
 * ellipsis, since names differ at their ends. */
struct str layout_squeeze(struct arena *, struct str, size_t width);

/* The text's first bytes, at most `limit` and whole characters; what is cut
 * off is told in brackets: "... [120 more bytes]". */
struct str layout_cut(struct arena *, struct str, size_t limit);

/* Writes so many blanks. */
void layout_space(struct out *, size_t cells);

/* Where to set lines: what precedes each, and how far they reach. */
struct layout {
	size_t indent, width; /* in cells; the width includes the indent */
	size_t most; /* lines; what exceeds them is counted, not shown */
	bool begun;  /* what stands before the first line is written */
};

/* Writes clean text, broken at blanks where that can be. */
void layout_wrap(struct out *, struct str, const struct layout *);
