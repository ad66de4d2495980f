/*
 * Scans JSON text in blocks of 64 bytes. A block's findings are masks: bit i
 * stands for byte i. A kernel (json/simd/) finds the bytes of a kind with one
 * instruction set; the functions here derive from their positions, for all
 * kernels alike and without a branch per byte, where strings begin and end. For
 * strings, the method is that of Langdale and Lemire, "Parsing gigabytes of
 * JSON per second" (2019).
 *
 * A kernel may read from JSON_BEFORE bytes before a block to JSON_BEHIND bytes
 * after it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
	JSON_BLOCK = 64,
	JSON_BEFORE = 4,
	JSON_BEHIND = 8,
	JSON_WINDOW = 128, /* the most blocks that are scanned at a time */
	JSON_AHEAD = 2048, /* in bytes; see json_prefetch */
};

/* The ends of the strings in a window. */
struct json_ends {
	/* The closing quotes, as byte offsets from the start of the window. No
	 * two closing quotes are adjacent, hence the half. The extra room is
	 * for kernels that write more entries than they add. */
	uint16_t at[(JSON_WINDOW + 1) * JSON_BLOCK / 2];
	/* One mask per block: at a closing quote's bit, whether that string has
	 * a backslash. */
	uint64_t escaped[JSON_WINDOW];
};

/* The state that one block passes to the next. A zeroed state begins a text. */
struct json_scan {
	uint64_t escapes; /* 1: the block's last byte escapes the next byte */
	uint64_t inside;  /* all ones: the block ended within a string */
	uint64_t holds;   /* not 0: that string has a backslash so far */
	bool bad;         /* some string may be invalid */
	bool lone;        /* some escape is that of a lone surrogate */
	size_t paired; /* offset in the window of the u of a low surrogate whose
			* high one is in the block before */
	size_t blocks; /* number of blocks of the window that were scanned */
	size_t ends;   /* number of string ends found in these blocks */
};

/* The findings of a kernel in one block. */
struct json_kinds {
	uint64_t quote, backslash; /* positions of these characters */
	uint64_t control;          /* not 0: there are bytes below U+0020 */
	bool high; /* a byte there, or in JSON_BEFORE, is 80 or more */
};

/* The operations that a kernel supplies. */
struct json_ops {
	void (*find)(const char *block, struct json_kinds *);
	/* Returns the escaped bytes other than those that follow a backslash
	 * most often: "\\/nt. */
	uint64_t (*find_unusual)(const char *block, uint64_t escaped);
	uint64_t (*find_control)(const char *block); /* bytes below U+0020 */
	/* Returns a mask whose bit i is the parity of bits 0 to i. */
	uint64_t (*parity)(uint64_t);
	/* Adds the positions of these bits in the block to the list. */
	void (*add_ends)(struct json_scan *, struct json_ends *, uint64_t ends);
	/* Returns whether one of n blocks has the end, or the break, of an
	 * invalid UTF-8 character. */
	bool (*bad_utf8)(const char *const *blocks, size_t n);
};

/*
 * Returns the bytes that a backslash escapes. Of a run of backslashes the 1st,
 * 3rd, 5th ... escape the next byte. Read as numbers, (the run shifted up by
 * one bit, OR the odd bits) minus the run leaves: for a run that begins on an
 * odd bit, the bit after the run; for a run that begins on an even bit, the
 * whole run; and the odd bits elsewhere. After the odd bits are flipped, both
 * cases leave the backslashes that escape, and the bit after a run of odd
 * length.
 */
static inline uint64_t
json_escaped(uint64_t backslash, uint64_t *escapes)
{
	const uint64_t odd = UINT64_C(0xaaaaaaaaaaaaaaaa);
	uint64_t runs = backslash & ~*escapes;
	uint64_t left = ((runs << 1 | odd) - runs) ^ odd;
	uint64_t escaped = left ^ (backslash | *escapes);

	*escapes = (left & backslash) >> 63;
	return escaped;
}

enum { JSON_ESCAPE_BAD = 1, JSON_ESCAPE_LONE = 2, JSON_ESCAPE_PAIRED = 4 };

/* Checks the escapes whose bytes after the backslash these are. `paired` is the
 * offset of a byte that belongs to a low surrogate whose high one is in the block
 * before. Returns JSON_ESCAPE_BAD if there is an invalid escape, JSON_ESCAPE_LONE if
 * there may be one of a lone surrogate, and JSON_ESCAPE_PAIRED times `paired` for the
 * next block, counted from this one. */
unsigned json_check_escapes(const char *block, uint64_t escaped, size_t paired);

/* Returns the bytes that are within strings, opening quotes included. */
static inline __attribute__((always_inline)) uint64_t
json_inside(const struct json_ops *ops, struct json_scan *scan, uint64_t quotes)
{
	uint64_t inside = ops->parity(quotes) ^ scan->inside;

	scan->inside = 0 - (inside >> 63);
	return inside;
}

/* Returns the strings that have a backslash: within a string, the addition
 * carries from a backslash up to the closing quote. */
static inline __attribute__((always_inline)) uint64_t
json_holds(struct json_scan *scan, uint64_t inside, uint64_t backslash)
{
	uint64_t sum = inside + ((inside & backslash) | (scan->holds != 0));

	scan->holds = sum < inside;
	return sum;
}

/* The add_ends operation for kernels that have no faster one. */
static inline __attribute__((always_inline)) void
json_add_ends(struct json_scan *scan, struct json_ends *list, uint64_t ends)
{
	size_t block = scan->blocks * JSON_BLOCK;

	for (; ends != 0; ends &= ends - 1)
		list->at[scan->ends++] =
		    (uint16_t)(block + (size_t)__builtin_ctzll(ends));
}

/* Records the strings that end in a block, and returns the bytes within
 * strings. Most blocks have no quote. */
static inline __attribute__((always_inline)) uint64_t
json_scan_strings(const struct json_ops *ops, struct json_scan *scan,
    uint64_t quotes, uint64_t backslash, struct json_ends *list)
{
	uint64_t inside = scan->inside;

	if (quotes == 0) {
		scan->holds |= inside & backslash;
		return inside;
	}
	inside = json_inside(ops, scan, quotes);
	list->escaped[scan->blocks] = json_holds(scan, inside, backslash);
	ops->add_ends(scan, list, quotes & ~inside);
	return inside;
}

/* Scans one block. About half of a log's blocks have backslashes, so a branch
 * on them would be mispredicted too often. */
static inline __attribute__((always_inline)) void
json_scan_block(const struct json_ops *ops, struct json_scan *scan,
    const char *block, const struct json_kinds *is, struct json_ends *list)
{
	uint64_t escaped, unusual, inside;

	escaped = json_escaped(is->backslash, &scan->escapes);
	unusual = ops->find_unusual(block, escaped);
	inside = json_scan_strings(
	    ops, scan, is->quote & ~escaped, is->backslash, list);
	if (__builtin_expect((unusual | is->control) != 0, 0)) {
		size_t at = scan->blocks * JSON_BLOCK;
		unsigned found =
		    json_check_escapes(block, unusual, scan->paired - at);

		scan->bad |= (ops->find_control(block) & inside) != 0 ||
		    (found & JSON_ESCAPE_BAD) != 0;
		scan->lone |= (found & JSON_ESCAPE_LONE) != 0;
		scan->paired = at + found / JSON_ESCAPE_PAIRED;
	}
	scan->blocks++;
}

/* Prefetches the memory of a later block: the processor's own prefetching stops
 * at the end of a page. The memory need not exist. */
static inline void
json_prefetch(const char *block)
{
	uintptr_t ahead = (uintptr_t)block + JSON_AHEAD;

	__builtin_prefetch((const void *)ahead); /* NOLINT: is not read */
}

/* Scans the next n blocks of a window. The blocks that are not ASCII are
 * checked last, so that the UTF-8 check does not push the other state out of
 * the registers. */
static inline __attribute__((always_inline)) void
json_scan_blocks(const struct json_ops *ops, struct json_scan *scan,
    const char *blocks, size_t n, struct json_ends *list)
{
	struct json_scan state = *scan;
	const char *end = blocks + n * JSON_BLOCK, *high[JSON_WINDOW];
	size_t nhigh = 0;

	for (const char *block = blocks; block < end; block += JSON_BLOCK) {
		struct json_kinds is;

		json_prefetch(block);
		ops->find(block, &is);
		high[nhigh] = block;
		nhigh += is.high;
		json_scan_block(ops, &state, block, &is, list);
	}
	if (ops->bad_utf8(high, nhigh))
		state.bad = true;
	*scan = state;
}

/* The bad_utf8 operation for kernels that have no faster one. */
bool json_bad_utf8(const char *const *blocks, size_t n);

/* The parity operation for kernels that have no faster one. */
static inline uint64_t
json_parity(uint64_t bits)
{
	for (int i = 1; i < 64; i *= 2)
		bits ^= bits << i;
	return bits;
}

struct json_kernel {
	const char *name;
	bool (*runs)(void); /* can this machine run the kernel? */
	/* Calls json_scan_blocks with the kernel's operations. */
	void (*scan)(struct json_scan *, const char *blocks, size_t n,
	    struct json_ends *);
};

/* All kernels that this program was built with, the best first, then NULL. */
extern const struct json_kernel *const json_kernels[];

/*
 * Returns the best kernel that runs here, or the kernel that the environment
 * variable MCPL_SIMD names: avx512, avx2, sse2, neon or portable. If that
 * kernel is not available, the program ends with status 2.
 */
const struct json_kernel *json_kernel(void);

extern const struct json_kernel json_avx512, json_avx2, json_sse2, json_neon,
    json_portable;
