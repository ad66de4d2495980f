#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

#if defined(__SANITIZE_ADDRESS__)
#define HAVE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAVE_ASAN 1
#elif __has_feature(memory_sanitizer)
#define HAVE_MSAN 1
#endif
#endif

#ifdef HAVE_ASAN
#include <sanitizer/asan_interface.h>
#define poison(p, n) ASAN_POISON_MEMORY_REGION((p), (n))
#define unpoison(p, n) ASAN_UNPOISON_MEMORY_REGION((p), (n))
#elif defined HAVE_MSAN
#include <sanitizer/msan_interface.h>
#define poison(p, n) __msan_allocated_memory((p), (n))
#define unpoison(p, n) ((void)(p), (void)(n)) /* a write does it */
#else
#define poison(p, n) ((void)(p), (void)(n))
#define unpoison(p, n) ((void)(p), (void)(n))
#endif

enum {
	ALIGN = 16,
	GAP = 4 * ALIGN,
	BLOCK_MIN = 4 * 1024 - 64, /* each block doubles the last */
};

struct arena_block {
	struct arena_block *older;
	size_t size;
	_Alignas(ALIGN) char bytes[];
};

static __attribute__((noinline)) void
add_block(struct arena *a, size_t least)
{
	size_t size = BLOCK_MIN;
	struct arena_block *b;

	if (least > SIZE_MAX / 2)
		diag_die("out of memory (%zu bytes wanted)", least);
	least = (least + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if (a->blocks != NULL && size < a->blocks->size * 2)
		size = a->blocks->size * 2;
	if (size > ((size_t)1 << 26))
		size = (size_t)1 << 26;
	if (size < least)
		size = least;
	b = malloc(sizeof *b + size);
	if (b == NULL)
		diag_die("out of memory (%zu bytes wanted)", size);
	b->older = a->blocks;
	b->size = size;
	a->blocks = b;
	a->next = b->bytes;
	a->end = b->bytes + size;
	poison(b->bytes, size);
}

/* Leaves some poisoned bytes behind each allocation under AddressSanitizer, so
 * that an overrun is caught instead of reaching the next allocation. */
static inline void
leave_gap(struct arena *a)
{
#ifdef HAVE_ASAN
	a->next += a->end - a->next < GAP ? a->end - a->next : GAP;
#else
	(void)a;
#endif
}

/* Returns memory of this size. The free part of a block is a multiple of ALIGN,
 * so that a size which fits also fits when it is rounded up. */
static inline char *
room(struct arena *a, size_t size)
{
	char *p;

	if (size == 0)
		size = 1; /* each result is a distinct address */
	if (size > (size_t)(a->end - a->next))
		add_block(a, size);
	p = a->next;
	a->next += (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	unpoison(p, size);
	leave_gap(a);
	return p;
}

void *
arena_room(struct arena *a, size_t size)
{
	return room(a, size);
}

void *
arena_alloc(struct arena *a, size_t size)
{
	return memset(room(a, size), 0, size);
}

void *
arena_alloc_n(struct arena *a, size_t n, size_t size)
{
	if (size != 0 && n > SIZE_MAX / 2 / size)
		diag_die("out of memory (%zu times %zu bytes wanted)", n, size);
	return arena_alloc(a, n * size);
}

void *
arena_grow(struct arena *a, void *list, size_t n, size_t size)
{
	void *bigger;

	if (n != 0 && (n & (n - 1)) != 0)
		return list;
	bigger = arena_alloc_n(a, n == 0 ? 1 : n * 2, size);
	if (n != 0)
		memcpy(bigger, list, n * size);
	return bigger;
}

void
arena_lend(struct arena *a, const char *bytes, size_t size)
{
	a->lent = bytes;
	a->lent_size = size;
}

size_t
arena_size(const struct arena *a)
{
	size_t size = 0;

	for (struct arena_block *b = a->blocks; b != NULL; b = b->older)
		size += b->size;
	return size;
}

/* Keeps the newest block, which is the largest unless an earlier allocation
 * needed a larger block. */
void
arena_reset(struct arena *a)
{
	struct arena_block *b = a->blocks, *older;

	arena_lend(a, NULL, 0);
	if (b == NULL)
		return;
	for (struct arena_block *o = b->older; o != NULL; o = older) {
		older = o->older;
		free(o);
	}
	b->older = NULL;
	poison(b->bytes, (size_t)(a->next - b->bytes));
	a->next = b->bytes;
	a->end = b->bytes + b->size;
}

void
arena_free(struct arena *a)
{
	struct arena_block *older;

	for (struct arena_block *b = a->blocks; b != NULL; b = older) {
		older = b->older;
		free(b);
	}
	*a = (struct arena){ 0 };
}
