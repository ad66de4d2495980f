/* FNV-1a, 64 bits: for tables and for ids derived from content. */
#ifndef HASH_H
#define HASH_H

#include <stdint.h>

#include "str.h"

#define HASH_START UINT64_C(0xcbf29ce484222325)

/* The hash of what `so_far` stands for followed by the text. */
uint64_t hash_add(uint64_t so_far, struct str text);

/* A table from text to any pointer. Keys are not copied: they must outlive
 * the table, which lives in its arena. A zeroed table with an arena is empty. */
struct hash_table {
	struct arena *arena;
	struct hash_slot *slots;
	size_t n, size;
};

/* The place of the key's value; a new key's is NULL. Good until the next
 * call of hash_put. */
void **hash_put(struct hash_table *, struct str key);
/* The key's value, or NULL. */
void *hash_get(const struct hash_table *, struct str key);

/* One key for a list of texts, another for any other list of that length;
 * an absent text is none that is there. */
struct str hash_key(struct arena *, const struct str *texts, size_t n);
/* The texts that such a key was made of, as slices of it. */
void hash_key_split(struct str key, struct str *texts, size_t n);

#endif
