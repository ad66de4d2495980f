/* Hashes: of content, for ids that are the same in every run, and keyed ones
 * for tables, whose keys may be chosen by somebody who means ill. */
#pragma once

#include <stdint.h>

#include "base/str.h"

#define HASH_START UINT64_C(0)

/* The hash of the texts that `so_far` stands for and one more: SipHash-1-3 of
 * that one, with it for a key. The same on all machines. */
uint64_t hash_add(uint64_t so_far, struct str text);

/* SipHash-1-3, 64 bits. */
struct hash_secret {
	uint64_t low, high;
};

uint64_t hash_keyed(struct hash_secret, struct str text);
/* This process's own secret, by the kernel's random bytes for it: nobody can
 * know beforehand which texts will have one hash. */
struct hash_secret hash_secret(void);

/* For what only remembers where something is, and looks for it elsewhere if
 * that proves wrong: quick, but anybody can find texts of one hash. */
uint64_t hash_quick(struct str text);

/* A table from text to any pointer. Keys are not copied: they must outlive
 * the table, which lives in its arena. A zeroed one with an arena is empty. */
struct hash_table {
	struct arena *arena;
	struct hash_slot *slots;
	struct hash_secret secret; /* once keys are hashed */
	size_t n, size;
};

/* The place of the key's value; a new key's is NULL. Good until the next
 * call of hash_put. */
void **hash_put(struct hash_table *, struct str key);
/* The same; if the key is new, the table has a copy of it, in its arena. */
void **hash_put_copy(struct hash_table *, struct str key);
/* The key's value, or NULL. */
void *hash_get(const struct hash_table *, struct str key);

struct hash_table hash_copy(const struct hash_table *); /* in its arena */

/* One key for a list of texts, another for any other list of that length;
 * an absent text is none that is there. */
struct str hash_key(struct arena *, const struct str *texts, size_t n);
/* The texts that such a key was made of, as slices of it. */
void hash_key_split(struct str key, struct str *texts, size_t n);
