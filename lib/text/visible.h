/* Makes hidden characters visible, so that a text does not say one thing to a
 * person and another to a program. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "io/out.h"

/* Returns whether the character is a control character, default ignorable in
 * Unicode's sense (bidirectional marks, joiners, variation selectors, tags:
 * messages can be hidden in these), or no character at all. */
bool visible_is_hidden(uint32_t character);

/*
 * Writes JSON text, with escapes for all hidden characters (controls,
 * bidirectional marks, joiners, tags) and for the ASCII characters in `also`.
 * All of these occur only in strings, so that the value does not change.
 */
void visible_put_json(struct out *, struct str json, const char *also);

/* Like visible_put_json without `also`, but returns the text, in the arena. */
struct str visible_json(struct arena *, struct str json);
