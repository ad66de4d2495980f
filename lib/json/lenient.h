/*
 * Turns text that is nearly JSON into JSON: text that people write by hand,
 * with comments and trailing commas, text that was cut off, and text with bytes
 * that are no UTF-8.
 */
#pragma once

#include "base/str.h"

/* Returns a copy of the text, of the same length and in the arena, in which
 * comments and trailing commas are blanks, so that every offset stays the same.
 * Comments are slash-slash and # up to the end of the line, and slash-star to
 * star-slash. */
struct str jsonc_blank(struct arena *, struct str text);

/* Returns the text without the white space and comments at its start. */
struct str jsonc_skip(struct str text);

/*
 * Completes the beginning of a JSON text with a list or an object: keeps what
 * is whole, and closes the brackets that are open at the end. A value that may
 * continue behind the cut is left out, and so is a key without a value. The
 * result is in the arena.
 */
struct str json_repair(struct arena *, struct str text);

/* Returns a copy of the text, in the arena, with U+FFFD in place of each part of
 * a character that is not whole, and of each byte that belongs to none. */
struct str json_mend_utf8(struct arena *, struct str text);

/* Returns the offset in the text of what is at this offset in the copy. */
size_t json_mended_from(struct str text, size_t offset);
