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

enum { JSON_BLOCK = 64, JSON_BEFORE = 4, JSON_BEHIND = 8 };

/* What is found in a block. */
struct json_found {
	uint64_t quote;   /* those that open and close strings */
	uint64_t escaped; /* those that close a string with a backslash */
	bool bad;         /* a string here may be wrong */
};

/* What a block hands to the next. A zeroed one begins a text. */
struct json_scan {
	uint64_t escapes; /* 1: its last byte escapes the next one */
	uint64_t inside;  /* all ones: it ended within a string, */
	uint64_t holds;   /* 1: which holds a backslash */
	bool bad;         /* a block was bad */
};

/* Where the bytes of a kind are. */
struct json_kinds {
	uint64_t quote, backslash;
	uint64_t control;   /* below U+0020 */
	uint64_t high;      /* from 80 on: what is no ASCII */
	uint64_t escapable; /* what may follow a backslash */
	uint64_t u;         /* of that, what four digits must follow */
};

/* What a kernel brings along. */
struct json_ops {
	void (*find)(const char *block, struct json_kinds *);
	/* Bit i is the parity of the bits up to and with i. */
	uint64_t (*parity)(uint64_t);
	/* Whether a character ends or breaks off here that is no UTF-8. */
	bool (*bad_utf8)(const char *block, uint64_t high);
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
 * The bytes that a backslash escapes: those that follow the 1st, 3rd, 5th ...
 * of a run of backslashes. Adding a run to its own first bit moves that bit
 * behind the run, which tells where it ended; whether it began and ended on
 * even bits or odd ones tells whether its length is odd.
 */
static inline uint64_t
json_escaped(uint64_t backslash, uint64_t *escapes)
{
	const uint64_t even = UINT64_C(0x5555555555555555);
	uint64_t before = *escapes, behind, odd_starts, ends;

	backslash &= ~before;
	behind = backslash << 1 | before;
	odd_starts = backslash & ~even & ~behind;
	*escapes = 0;
	ends = json_add(odd_starts, backslash, escapes);
	return (even ^ ends << 1) & behind;
}

/* Whether four hexadecimal digits are missing after any u. */
bool json_bad_digits(const char *block, uint64_t u);

/* Whether a character may reach from before the block into it. */
static inline bool
json_high_before(const char *block)
{
	uint32_t before;

	memcpy(&before, block - sizeof before, sizeof before);
	return (before & 0x80808080) != 0;
}

static inline __attribute__((always_inline)) struct json_found
json_scan_block(
    const struct json_ops *ops, struct json_scan *scan, const char *block)
{
	struct json_kinds is;
	struct json_found found;
	uint64_t escaped, inside;

	ops->find(block, &is);
	escaped = json_escaped(is.backslash, &scan->escapes);
	found.quote = is.quote & ~escaped;
	/* From the opening quote up to, but without, the closing one. */
	inside = ops->parity(found.quote) ^ scan->inside;
	scan->inside = 0 - (inside >> 63);
	/* Within a string the sum carries from a backslash to the closing
	 * quote. */
	found.escaped =
	    json_add(inside, is.backslash & inside, &scan->holds) & ~inside;
	escaped &= inside;
	found.bad = ((is.control & inside) | (escaped & ~is.escapable)) != 0 ||
	    ((escaped & is.u) != 0 && json_bad_digits(block, escaped & is.u)) ||
	    ((is.high != 0 || json_high_before(block)) &&
		ops->bad_utf8(block, is.high));
	scan->bad |= found.bad;
	return found;
}

static inline __attribute__((always_inline)) void
json_scan_blocks(const struct json_ops *ops, struct json_scan *scan,
    const char *blocks, size_t n, struct json_found *found)
{
	for (size_t i = 0; i < n; i++)
		found[i] = json_scan_block(ops, scan, blocks + i * JSON_BLOCK);
}

bool json_is_hex(char);

/* bad_utf8 for kernels that have nothing better. */
bool json_bad_utf8(const char *block, uint64_t high);

/* parity for the same. */
static inline uint64_t
json_parity(uint64_t bits)
{
	for (int i = 1; i < 64; i *= 2)
		bits ^= bits << i;
	return bits;
}

#endif
