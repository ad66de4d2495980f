/* Text in which every character shows, lest it say one thing to a person and
 * another to a program. */
#ifndef VISIBLE_H
#define VISIBLE_H

#include "str.h"

/*
 * JSON text with the characters that do not show (controls, bidirectional
 * marks, joiners, tags) as escapes, in the arena. They can only stand in
 * strings, so it is the same value.
 */
struct str visible_json(struct arena *, struct str json);

#endif
