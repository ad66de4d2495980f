/* A set of ids, of which only hashes are kept: 8 to 16 bytes an id. */
#pragma once

#include "base/str.h"

/* Zeroed: empty. */
struct id_set {
	uint64_t *slots; /* 0: free */
	size_t n, size;  /* the size is 0 or a power of two */
};

/* Adds the id with this hash (hash_add); the set is in the arena. Returns whether
 * the set has the id already. */
bool id_set_put(struct id_set *, struct arena *, uint64_t hash);

/* Returns whether the set has the id with this hash. */
bool id_set_has(const struct id_set *, uint64_t hash);
