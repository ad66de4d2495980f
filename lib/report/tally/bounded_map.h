/*
 * A list of things in the order of their keys, by bytes, of which the first
 * `max` are kept: what they count is exact, since what is left out once can
 * never come back, and neither the order of adding nor the way of merging
 * matters. Memory is bounded: a thing takes the place of the one that it
 * crowds out.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"

/* A text that may be replaced many times. Zeroed, it is absent. */
struct bounded_map_text {
	struct str text;
	char *room; /* as much as was ever needed */
	size_t size;
};

void bounded_map_copy(struct bounded_map_text *, struct str, struct arena *);

/* Opens each thing's struct. */
struct bounded_map_item {
	struct bounded_map_text key;
};

struct bounded_map {
	void **list; /* of things; each opens with a struct bounded_map_item */
	size_t n, max;
	bool full; /* something was left out */

	/* private: where things were found, by the hashes of their keys */
	struct bounded_map_item **recent;
	size_t n_recent;
};

/*
 * The thing of that key; a new one, of that size and zeroed, if there is none
 * yet. NULL: it is left out. *fresh tells whether it is new; it may then hold
 * what the one before it left, which the caller clears.
 */
void *bounded_map_put(struct bounded_map *, struct str key, size_t size,
    struct arena *, bool *fresh);

/* The thing of that key, or NULL. */
void *bounded_map_get(const struct bounded_map *, struct str key);
