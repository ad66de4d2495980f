/*
 * JSON as people write it by hand: what is no JSON but harmless (comments and
 * trailing commas) becomes blanks, so that all else stays where it is.
 */
#pragma once

#include "base/str.h"

/* A copy of the text in the arena, of the same length. Comments are
 * slash-slash and # up to the end of the line, and slash-star to star-slash. */
struct str jsonc_blank(struct arena *, struct str text);

/* What follows the blanks and comments at the start of the text. */
struct str jsonc_skip(struct str text);
