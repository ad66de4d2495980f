/*
 * Text that is nearly JSON.
 */
#pragma once

#include "base/str.h"

/* A copy of the text in the arena, of the same length. Comments are
 * slash-slash and # up to the end of the line, and slash-star to star-slash. */
struct str jsonc_blank(struct arena *, struct str text);

/* What follows the blanks and comments at the start of the text. */
struct str jsonc_skip(struct str text);

/*
 * The text is the beginning of JSON text with a list or an object. A value
 * that may go on behind the cut is left out, and a key without its value.
 * The result lives in the arena.
 */
struct str json_repair(struct arena *, struct str text);
