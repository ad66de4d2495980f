/* Hashes and hash tables. A content hash gives ids that are the same in every
 * run of a program. A keyed hash serves tables, since an attacker may choose
 * their keys. */
#pragma once

#include <stdint.h>

#include "base/str.h"

#define HASH_START UINT64_C(0)

/* Returns the hash of a sequence of texts: of the texts whose hash is `so_far`
 * (HASH_START: of no text) and this text. The hash is SipHash-1-3 of the text
 * with `so_far` as the key, and is the same on all machines. */
uint64_t hash_add(uint64_t so_far, struct str text);

/* The key of a SipHash. */
struct hash_secret {
	uint64_t low, high;
};

/* Returns the SipHash-1-3 of the text, 64 bits. */
uint64_t hash_keyed(struct hash_secret, struct str text);
/* Returns the secret of this process, made of the kernel's random bytes for the
 * process. Nobody can know beforehand which texts will collide. */
struct hash_secret hash_secret(void);

/* Returns a fast hash for caches that remember where something is and search
 * again if the memory proves wrong. Anybody can find texts that collide. */
uint64_t hash_quick(struct str text);

/* A table from text to pointers, which lives in its arena. The keys are not
 * copied and must outlive the table. A zeroed table with an arena is empty. */
struct hash_table {
	struct arena *arena;
	struct hash_slot *slots;
	struct hash_secret secret; /* set once keys are hashed */
	size_t n, size;
};

/* Returns the place of the key's value, and adds the key with the value NULL if
 * the table lacks the key. The place is valid until the next call of
 * hash_put. */
void **hash_put(struct hash_table *, struct str key);
/* Like hash_put, but stores a copy of a new key in the arena. */
void **hash_put_copy(struct hash_table *, struct str key);
/* Returns the key's value, or NULL if the table lacks the key. */
void *hash_get(const struct hash_table *, struct str key);
/* Puts the key there. Returns whether it is new; not for tables with values. */
static inline bool
hash_is_new(struct hash_table *table, struct str key)
{
	void **slot = hash_put(table, key);
	bool new = *slot == NULL;

	*slot = table;
	return new;
}

/* Returns a copy of the table, in the same arena. */
struct hash_table hash_copy(const struct hash_table *);

/* A set of hashes, at about 12 bytes each, in its arena. The last byte of a hash is
 * free for the caller's use. A zeroed set with an arena is empty. */
struct hash_set {
	struct arena *arena;
	uint64_t *slots;
	struct hash_secret secret;
	size_t n, size;
};

/* Adds the hash, unless the set has one that differs in the last byte at most.
 * Returns the hash that the set has. */
uint64_t hash_set_add(struct hash_set *, uint64_t hash);

/* Returns whether the set has such a hash. */
bool hash_set_has(const struct hash_set *, uint64_t hash);

/* Returns one key, in the arena, for the list of n texts. Two different lists
 * of the same length have different keys. An absent text differs from any text
 * that is present, the empty one included. */
struct str hash_key(struct arena *, const struct str *texts, size_t n);
/* Splits a key of hash_key into its n texts, which are slices of the key. */
void hash_key_split(struct str key, struct str *texts, size_t n);
