/*
 * The file that Arena runs by (kind: Arena): which scenarios there are. Each
 * stands in a file of its own, named from the folder of this one, or in it.
 */
#pragma once

#include "check/dialect/scenarios.h"

struct promptkit_arena {
	const struct document **files; /* resolved; each has a value */
	size_t n;
	const struct json *specs; /* scenarios by their names; NULL: none */
};

/* Reads what is named; what cannot be read is told, and left out. */
struct promptkit_arena promptkit_arena(
    struct scenarios *, const struct json *root);
