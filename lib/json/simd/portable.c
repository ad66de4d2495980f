/* Any machine: eight bytes at a time in a general register. */
#include "base/swar.h"
#include "json/kernel.h"

/* Returns the i-th eight bytes. */
static inline uint64_t
swar_at(const char *block, size_t i)
{
	return swar(block + i * sizeof(uint64_t));
}

/* Returns the top bits of eight bytes, as the i-th eighth of a mask. The
 * multiplication moves each bit to its place in the uppermost byte. */
static inline uint64_t
mask(uint64_t tops, size_t i)
{
	return ((tops >> 7) * UINT64_C(0x0102040810204080) >> 56) << i * 8;
}

static inline uint64_t
usual(uint64_t b)
{
	return swar_equal(b, '"') | swar_equal(b, '\\') | swar_equal(b, '/') |
	    swar_equal(b, 'n') | swar_equal(b, 't');
}

/* Sets the top bit of each byte that is below U+0020. */
static inline uint64_t
control(uint64_t bytes)
{
	return swar_zeros(bytes & swar_times(0xe0));
}

static void
find(const char *block, struct json_kinds *is)
{
	uint64_t any = swar(block - JSON_BEFORE), controls = 0;

	*is = (struct json_kinds){ 0 };
	for (size_t i = 0; i < JSON_BLOCK / 8; i++) {
		uint64_t b = swar_at(block, i);

		is->quote |= mask(swar_equal(b, '"'), i);
		is->backslash |= mask(swar_equal(b, '\\'), i);
		controls |= control(b);
		any |= b;
	}
	is->control = controls;
	is->high = (any & swar_times(0x80)) != 0;
}

static uint64_t
find_unusual(const char *block, uint64_t escaped)
{
	uint64_t found = 0;

	if (escaped == 0)
		return 0;
	for (size_t i = 0; i < JSON_BLOCK / 8; i++)
		found |= mask(usual(swar_at(block, i)), i);
	return escaped & ~found;
}

static uint64_t
find_control(const char *block)
{
	uint64_t found = 0;

	for (size_t i = 0; i < JSON_BLOCK / 8; i++)
		found |= mask(control(swar_at(block, i)), i);
	return found;
}

static void
scan(struct json_scan *state, const char *blocks, size_t n,
    struct json_ends *ends)
{
	static const struct json_ops ops = { find, find_unusual, find_control,
		json_parity, json_add_ends, json_bad_utf8 };

	json_scan_blocks(&ops, state, blocks, n, ends);
}

static bool
runs(void)
{
	return true;
}

const struct json_kernel json_portable = { "portable", runs, scan };
