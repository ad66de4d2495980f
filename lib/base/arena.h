/*
 * Arenas: memory that is freed all at once. A program uses one arena for data
 * that lives as long as the program (an assertion file) and another that it
 * resets with each record. Under AddressSanitizer and MemorySanitizer a reset
 * poisons the memory that was handed out, so that a pointer kept past its
 * record is caught. AddressSanitizer also catches an access behind an
 * allocation.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena {
	struct arena_block *blocks; /* newest first */
	char *next, *end;           /* free part of the newest block */
	const char *lent;           /* see arena_lend */
	size_t lent_size;
};

/*
 * Returns zeroed memory, aligned for any type, that lives until the arena is
 * reset or freed. The result is never NULL: lack of memory ends the program
 * with status 2. A zeroed struct arena is an empty arena.
 */
void *arena_alloc(struct arena *, size_t size);

/* Like arena_alloc, but the memory is not zeroed: the caller must
 * write a byte before reading the byte. */
void *arena_room(struct arena *, size_t size);

/* Returns zeroed memory for n items of `size` bytes. A product that exceeds
 * half the address space ends the program like lack of memory. */
void *arena_alloc_n(struct arena *, size_t n, size_t size);

/*
 * Makes room for one more item of `size` bytes in a list of n items, and
 * returns the list, which may have moved. The list must have been grown by this
 * function alone (it is NULL when n is 0). Its capacity is the power of two at
 * or above n, so that the list moves only when n is a power of two.
 */
void *arena_grow(struct arena *, void *list, size_t n, size_t size);

/*
 * Declares that these bytes, which the caller owns, live until the next reset,
 * like the arena's own memory. Code that copies text into the arena to keep it
 * need not copy text that lies in these bytes (arena_has).
 */
void arena_lend(struct arena *, const char *bytes, size_t size);

/* Returns whether the byte lies in the bytes that were lent to the arena. */
static inline bool
arena_has(const struct arena *a, const char *byte)
{
	return (uintptr_t)byte - (uintptr_t)a->lent < a->lent_size;
}

/* Returns the number of bytes that the arena holds from the system, used or
 * not. */
size_t arena_size(const struct arena *);

/* Ends the life of all memory that was handed out. The arena keeps its newest
 * block for reuse. */
void arena_reset(struct arena *);

/* Returns all memory to the system. The arena is empty and can be used
 * again. */
void arena_free(struct arena *);

#define arena_new(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define arena_new_n(a, type, n) ((type *)arena_alloc_n((a), (n), sizeof(type)))

/* Appends a zeroed item to the list of n items, both of which are lvalues that
 * change. Returns a pointer to the new item. */
#define arena_push(a, list, n) \
	((list) = arena_grow((a), (list), (n), sizeof *(list)), &(list)[(n)++])
