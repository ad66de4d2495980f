/*
 * A list of items in the order of their keys (by bytes), of which the first
 * `max` are kept. The counts of the kept items are exact, because an item that
 * was left out once can never come back; neither the order of adding nor the
 * order of merging matters. Memory is bounded: when the list is full, a new
 * item takes over the memory of the last item, which it pushes out.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"

/* A text that may be replaced many times. If zeroed, the text is absent. */
struct bounded_map_text {
	struct str text;
	char *room; /* as large as was ever needed */
	size_t size;
};

void bounded_map_copy(struct bounded_map_text *, struct str, struct arena *);

/* The first member of each item's struct. */
struct bounded_map_item {
	struct bounded_map_text key;
};

struct bounded_map {
	void **list; /* items; each begins with a struct bounded_map_item */
	size_t n, max;
	bool full; /* an item was left out */

	/* private: a cache of found items, indexed by the hashes of keys */
	struct bounded_map_item **recent;
	size_t n_recent;
};

/*
 * Returns the item of that key, which is made with `size` zeroed bytes if there
 * is none, or NULL if the item is left out. *fresh reports whether the item is
 * new. A new item may hold old values of the item that it pushed out, which the
 * caller clears.
 */
void *bounded_map_put(struct bounded_map *, struct str key, size_t size,
    struct arena *, bool *fresh);

/* Stores the items of the next key of two maps, NULL where a map lacks the key, and moves
 * on. `at` begins as zeros. Returns false at the end. */
bool bounded_map_next(const struct bounded_map *const maps[2], size_t at[2],
    const void *items[2]);

/* Returns the item of that key, or NULL. */
void *bounded_map_get(const struct bounded_map *, struct str key);
