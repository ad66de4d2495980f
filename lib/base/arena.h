/*
 * Memory that is freed all at once. There is one arena for what lives as long
 * as the program (an assertion file) and one that is reset with each record.
 * Under AddressSanitizer and MemorySanitizer a reset poisons what was handed
 * out, so a pointer kept past its record is caught; under the former what is
 * read or written behind a thing is, too.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena {
	struct arena_block *blocks; /* newest first */
	char *next, *end;           /* what is left of the newest block */
	const char *lent;           /* see arena_lend */
	size_t lent_size;
};

/*
 * Zeroed memory, aligned for any type; it lives until the arena is reset or
 * freed. Never NULL: out of memory ends the program with status 2. A zeroed
 * struct arena is an empty arena.
 */
void *arena_alloc(struct arena *, size_t size);

/* The same, but not zeroed: for what is written at once. */
void *arena_room(struct arena *, size_t size);

/* Zeroed memory for n things of the given size; the product may not wrap. */
void *arena_alloc_n(struct arena *, size_t n, size_t size);

/*
 * Makes room for one more thing in a list of n that was grown by this
 * function alone (NULL when n is 0). The list's capacity is the power of two
 * at or above n, so it is moved only when n is one.
 */
void *arena_grow(struct arena *, void *list, size_t n, size_t size);

/*
 * Bytes that live as long as what the arena hands out: until the next reset.
 * Who copies into the arena to keep something need not copy what is in them.
 */
void arena_lend(struct arena *, const char *bytes, size_t size);

static inline bool
arena_has(const struct arena *a, const char *byte)
{
	return (uintptr_t)byte - (uintptr_t)a->lent < a->lent_size;
}

/* How many bytes it has of the system, used or not. */
size_t arena_size(const struct arena *);

/* Ends the life of all that was handed out and keeps the memory for reuse. */
void arena_reset(struct arena *);

/* Returns all memory to the system; the arena is empty and usable again. */
void arena_free(struct arena *);

#define arena_new(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define arena_new_n(a, type, n) ((type *)arena_alloc_n((a), (n), sizeof(type)))

/* Appends a zeroed thing to list, which has *n of them; the place of it. */
#define arena_push(a, list, n) \
	((list) = arena_grow((a), (list), (n), sizeof *(list)), &(list)[(n)++])
