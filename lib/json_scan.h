/*
 * One block of JSON text, 64 bytes, as masks: bit i stands for byte i. A
 * kernel (lib/json/) finds bytes of a kind; what follows from where they
 * stand is worked out here, for all kernels alike, without a branch per byte.
 * The method is that of Langdale and Lemire, "Parsing gigabytes of JSON per
 * second" (2019), for what concerns strings.
 *
 * A block may be read from 4 bytes before it to 8 bytes behind it.
 */
#ifndef JSON_SCAN_H
#define JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
	JSON_BLOCK = 64,
	JSON_BEFORE = 4,
	JSON_BEHIND = 8,
	JSON_WINDOW = 64, /* blocks that are scanned at a time, at most */
};

/* What is found in a block. */
struct json_found {
	uint64_t ends;    /* the quotes that close strings */
	uint64_t escaped; /* those that close one with a backslash */
};

/* What a block hands to the next. A zeroed one begins a text. */
struct json_scan {
	uint64_t escapes; /* 1: its last byte escapes the next one */
	uint64_t inside;  /* all ones: it ended within a string, */
	uint64_t holds;   /* 1: which holds a backslash */
	bool bad;         /* a string may be wrong */
};

/* Where the bytes of a kind are: what each block is searched for, */
struct json_kinds {
	uint64_t quote, backslash;
	bool rare; /* there are bytes below U+0020, or from 80 on */
};

/* and those with rare bytes. */
struct json_rare {
	uint64_t control; /* below U+0020 */
	uint64_t high;    /* from 80 on: what is no ASCII */
};

/* What a kernel brings along. */
struct json_ops {
	void (*find)(const char *block, struct json_kinds *);
	/* What most often follows a backslash: any of "\\/nt. */
	uint64_t (*find_usual)(const char *block);
	void (*find_rare)(const char *block, struct json_rare *);
	/* Bit i is the parity of the bits up to and with i. */
	uint64_t (*parity)(uint64_t);
	/* Whether a character ends or breaks off here that is no UTF-8. */
	bool (*bad_utf8)(const char *block);
};

/* Adds, with a carry in and out that is 0 or 1. */
static inline uint64_t
json_add(uint64_t a, uint64_t b, uint64_t *carry)
{
	uint64_t sum = a + b, all = sum + *carry;

	*carry = (sum < a) | (all < sum);
	return all;
}

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

/* Whether a character may reach from before the block into it. */
static inline bool
json_high_before(const char *block)
{
	uint32_t before;

	memcpy(&before, block - sizeof before, sizeof before);
	return (before & 0x80808080) != 0;
}

/* What is within strings, their opening quotes included. */
static inline __attribute__((always_inline)) uint64_t
json_inside(const struct json_ops *ops, struct json_scan *scan, uint64_t quote)
{
	uint64_t inside = ops->parity(quote) ^ scan->inside;

	scan->inside = 0 - (inside >> 63);
	return inside;
}

/* A block with backslashes; returns what is within strings. */
static inline __attribute__((always_inline)) uint64_t
json_scan_escapes(const struct json_ops *ops, struct json_scan *scan,
    const char *block, const struct json_kinds *is, struct json_found *found)
{
	uint64_t escaped = json_escaped(is->backslash, &scan->escapes);
	uint64_t quote = is->quote & ~escaped;
	uint64_t inside = json_inside(ops, scan, quote);
	uint64_t unusual = escaped & inside & ~ops->find_usual(block);

	found->ends = quote & ~inside;
	/* Within a string the sum carries from a backslash to the closing
	 * quote. */
	found->escaped =
	    json_add(inside, is->backslash & inside, &scan->holds) & ~inside;
	if (unusual != 0)
		scan->bad |= json_bad_escapes(block, unusual);
	return inside;
}

/* One without. */
static inline __attribute__((always_inline)) uint64_t
json_scan_plain(const struct json_ops *ops, struct json_scan *scan,
    uint64_t quote, struct json_found *found)
{
	uint64_t inside = json_inside(ops, scan, quote);
	uint64_t ends = quote & ~inside;

	/* Only what an earlier block began may hold a backslash. */
	found->ends = ends;
	found->escaped = ends & (0 - ends) & (0 - scan->holds);
	scan->holds &= ends == 0;
	return inside;
}

/* Returns whether the block's characters are to be looked at. */
static inline __attribute__((always_inline)) bool
json_scan_block(const struct json_ops *ops, struct json_scan *scan,
    const char *block, struct json_found *found)
{
	struct json_kinds is;
	struct json_rare rare;
	uint64_t inside;

	ops->find(block, &is);
	if ((is.backslash | scan->escapes) != 0)
		inside = json_scan_escapes(ops, scan, block, &is, found);
	else
		inside = json_scan_plain(ops, scan, is.quote, found);
	if (!is.rare)
		return json_high_before(block);
	ops->find_rare(block, &rare);
	scan->bad |= (rare.control & inside) != 0;
	return rare.high != 0 || json_high_before(block);
}

/* At most JSON_WINDOW blocks. Those that are not ASCII come last, so that what
 * UTF-8 takes does not push the rest out of the registers. */
static inline __attribute__((always_inline)) void
json_scan_blocks(const struct json_ops *ops, struct json_scan *scan,
    const char *blocks, size_t n, struct json_found *found)
{
	struct json_scan state = *scan;
	uint64_t high = 0;

	for (size_t i = 0; i < n; i++)
		high |= (uint64_t)json_scan_block(
			    ops, &state, blocks + i * JSON_BLOCK, &found[i])
		    << i;
	for (; high != 0; high &= high - 1)
		state.bad |= ops->bad_utf8(
		    blocks + (size_t)__builtin_ctzll(high) * JSON_BLOCK);
	*scan = state;
}

bool json_is_hex(char);

/* bad_utf8 for kernels that have nothing better. */
bool json_bad_utf8(const char *block);

/* parity for the same. */
static inline uint64_t
json_parity(uint64_t bits)
{
	for (int i = 1; i < 64; i *= 2)
		bits ^= bits << i;
	return bits;
}

#endif
