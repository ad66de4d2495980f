/* Text in which every character shows, lest it say one thing to a person and
 * another to a program. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "io/out.h"

/* Controls, what Unicode calls default ignorable (bidirectional marks,
 * joiners, variation selectors, tags: messages can be hidden in these), and
 * what is no character. */
bool visible_is_hidden(uint32_t character);

/*
 * Writes JSON text with the characters that do not show (controls,
 * bidirectional marks, joiners, tags) as escapes, and with them those of
 * `also`, which are ASCII. All can only stand in strings, so it is the same
 * value.
 */
void visible_put_json(struct out *, struct str json, const char *also);

/* The same of nothing else, in the arena. */
struct str visible_json(struct arena *, struct str json);
