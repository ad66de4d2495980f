/* Makes JSON of a text that was cut off: what stands whole in it, with the
 * brackets that are open at its end closed. */
#pragma once

#include "base/str.h"

/*
 * The text is the beginning of JSON text with a list or an object. A value
 * that may go on behind the cut is left out, and a key without its value.
 * The result lives in the arena.
 */
struct str json_repair(struct arena *, struct str text);
