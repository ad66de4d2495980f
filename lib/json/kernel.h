/*
 * One block of JSON text, 64 bytes, as masks: bit i stands for byte i. A
 * kernel (lib/json/) finds bytes of a kind; what follows from where they
 * stand is worked out here, for all kernels alike, without a branch per byte.
 * The method is that of Langdale and Lemire, "Parsing gigabytes of JSON per
 * second" (2019), for what concerns strings.
 *
 * A block may be read from 4 bytes before it to 8 bytes behind it.
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
	JSON_WINDOW = 128, /* blocks that are scanned at a time, at most */
	JSON_AHEAD = 2048, /* bytes; see json_foresee */
};

/* Where strings end in a window. */
struct json_ends {
	/* The quotes that close them, in bytes from the window's first. No two
	 * stand side by side. The rest is for kernels that write more than they
	 * add. */
	uint16_t at[(JSON_WINDOW + 1) * JSON_BLOCK / 2];
	/* Of each block, at these quotes: whether the string has a backslash. */
	uint64_t escaped[JSON_WINDOW];
};

/* What a block hands to the next. A zeroed one begins a text. */
struct json_scan {
	uint64_t escapes; /* 1: its last byte escapes the next one */
	uint64_t inside;  /* all ones: it ended within a string, */
	uint64_t holds;   /* not 0: which holds a backslash */
	bool bad;         /* a string may be wrong */
	size_t blocks;    /* were scanned of the window, */
	size_t ends;      /* and found in them */
};

/* What each block is searched for. */
struct json_kinds {
	uint64_t quote, backslash; /* where they are */
	uint64_t control;          /* not 0: there are bytes below U+0020 */
	bool high; /* or from 80 on, or such before it within JSON_BEFORE */
};

/* What a kernel brings along. */
struct json_ops {
	void (*find)(const char *block, struct json_kinds *);
	/* Those of the escaped bytes that are none of what most often follows
	 * a backslash: "\\/nt. */
	uint64_t (*find_unusual)(const char *block, uint64_t escaped);
	uint64_t (*find_control)(const char *block); /* bytes below U+0020 */
	/* Bit i is the parity of the bits up to and with i. */
	uint64_t (*parity)(uint64_t);
	/* Adds the bits' places in the block to the list. */
	void (*add_ends)(struct json_scan *, struct json_ends *, uint64_t ends);
	/* Whether a character ends or breaks off in one of n blocks that is no
	 * UTF-8. */
	bool (*bad_utf8)(const char *const *blocks, size_t n);
};

/*
 * The bytes that a backslash escapes. Of a run of backslashes the 1st, 3rd,
 * 5th ... escape. Taken as numbers, a run that is moved up by one bit and the
 * odd bits, less the run: that is the bit behind a run which begins on an odd
 * bit, and the whole of one which begins on an even bit, and what was odd
 * elsewhere. So, the odd bits flipped, in both cases those that escape are
 * left, and the bit behind a run of odd length.
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

/* Whether any of these bytes, which a backslash escapes, may not be. */
bool json_bad_escapes(const char *block, uint64_t escaped);

/* What is within strings, their opening quotes included. */
static inline __attribute__((always_inline)) uint64_t
json_inside(const struct json_ops *ops, struct json_scan *scan, uint64_t quotes)
{
	uint64_t inside = ops->parity(quotes) ^ scan->inside;

	scan->inside = 0 - (inside >> 63);
	return inside;
}

/* Whether strings have a backslash: within one the sum carries from a backslash
 * to the closing quote. */
static inline __attribute__((always_inline)) uint64_t
json_holds(struct json_scan *scan, uint64_t inside, uint64_t backslash)
{
	uint64_t sum = inside + ((inside & backslash) | (scan->holds != 0));

	scan->holds = sum < inside;
	return sum;
}

/* add_ends for kernels that have nothing better. */
static inline __attribute__((always_inline)) void
json_add_ends(struct json_scan *scan, struct json_ends *list, uint64_t ends)
{
	size_t block = scan->blocks * JSON_BLOCK;

	for (; ends != 0; ends &= ends - 1)
		list->at[scan->ends++] =
		    (uint16_t)(block + (size_t)__builtin_ctzll(ends));
}

/* The strings that begin or end in a block, most of which have none: what is
 * within them. */
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

/* A log has backslashes in half of its blocks, which is not worth a branch: it
 * would be mispredicted. */
static inline __attribute__((always_inline)) void
json_scan_block(const struct json_ops *ops, struct json_scan *scan,
    const char *block, const struct json_kinds *is, struct json_ends *list)
{
	uint64_t escaped, unusual, inside;

	escaped = json_escaped(is->backslash, &scan->escapes);
	unusual = ops->find_unusual(block, escaped);
	inside = json_scan_strings(
	    ops, scan, is->quote & ~escaped, is->backslash, list);
	if (__builtin_expect((unusual | is->control) != 0, 0))
		scan->bad |= (ops->find_control(block) & inside) != 0 ||
		    json_bad_escapes(block, unusual);
	scan->blocks++;
}

/* Asks for the memory of a block well before it is scanned: a processor does
 * not foresee it beyond the page. It need not be there. */
static inline void
json_foresee(const char *block)
{
	uintptr_t ahead = (uintptr_t)block + JSON_AHEAD;

	__builtin_prefetch((const void *)ahead); /* NOLINT: is not read */
}

/* The next n blocks of a window. Those that are not ASCII come last, so that
 * what UTF-8 takes does not push the rest out of the registers. */
static inline __attribute__((always_inline)) void
json_scan_blocks(const struct json_ops *ops, struct json_scan *scan,
    const char *blocks, size_t n, struct json_ends *list)
{
	struct json_scan state = *scan;
	const char *end = blocks + n * JSON_BLOCK, *high[JSON_WINDOW];
	size_t nhigh = 0;

	for (const char *block = blocks; block < end; block += JSON_BLOCK) {
		struct json_kinds is;

		json_foresee(block);
		ops->find(block, &is);
		high[nhigh] = block;
		nhigh += is.high;
		json_scan_block(ops, &state, block, &is, list);
	}
	if (ops->bad_utf8(high, nhigh))
		state.bad = true;
	*scan = state;
}

/* bad_utf8 for kernels that have nothing better. */
bool json_bad_utf8(const char *const *blocks, size_t n);

/* parity for the same. */
static inline uint64_t
json_parity(uint64_t bits)
{
	for (int i = 1; i < 64; i *= 2)
		bits ^= bits << i;
	return bits;
}

struct json_kernel {
	const char *name;
	bool (*runs)(void); /* whether this machine can run it */
	/* json_scan_blocks */
	void (*scan)(struct json_scan *, const char *blocks, size_t n,
	    struct json_ends *);
};

/* All that this program was built with, the best first; NULL ends them. */
extern const struct json_kernel *const json_kernels[];

/*
 * The best that runs here, or the one that the environment variable MCPL_SIMD
 * names: avx512, avx2, sse2, neon or portable. If that one is not to be had, the
 * program ends with status 2.
 */
const struct json_kernel *json_kernel(void);

extern const struct json_kernel json_avx512, json_avx2, json_sse2, json_neon,
    json_portable;
