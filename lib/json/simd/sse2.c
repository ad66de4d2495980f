/* x86-64 without AVX2, where every processor has SSE2. */
#include "json/kernel.h"

#if defined(__x86_64__)

#include <emmintrin.h>

enum { QUARTERS = JSON_BLOCK / 16 };

static inline __m128i
quarter(const char *block, size_t i)
{
	return _mm_loadu_si128((const void *)(block + i * 16));
}

/* Returns the top bit of each byte, as the i-th quarter of a mask. */
static inline uint64_t
mask(__m128i bytes, size_t i)
{
	return (uint64_t)(uint32_t)_mm_movemask_epi8(bytes) << i * 16;
}

static inline __m128i
equal(__m128i bytes, char c)
{
	return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c));
}

static inline __m128i
usual(__m128i b)
{
	__m128i any = _mm_or_si128(equal(b, '"'), equal(b, '\\'));

	any = _mm_or_si128(any, equal(b, '/'));
	any = _mm_or_si128(any, equal(b, 'n'));
	return _mm_or_si128(any, equal(b, 't'));
}

/* Marks the bytes below U+0020. */
static inline __m128i
control(__m128i b)
{
	return _mm_cmpeq_epi8(_mm_min_epu8(b, _mm_set1_epi8(0x1f)), b);
}

static void
find(const char *block, struct json_kinds *is)
{
	__m128i any = _mm_loadu_si128((const void *)(block - JSON_BEFORE));
	__m128i least = _mm_set1_epi8(-1);

	*is = (struct json_kinds){ 0 };
	for (size_t i = 0; i < QUARTERS; i++) {
		__m128i b = quarter(block, i);

		is->quote |= mask(equal(b, '"'), i);
		is->backslash |= mask(equal(b, '\\'), i);
		any = _mm_or_si128(any, b);
		least = _mm_min_epu8(least, b);
	}
	is->control = (uint32_t)_mm_movemask_epi8(control(least));
	is->high = _mm_movemask_epi8(any) != 0;
}

static uint64_t
find_unusual(const char *block, uint64_t escaped)
{
	uint64_t found = 0;

	if (escaped == 0)
		return 0;
	for (size_t i = 0; i < QUARTERS; i++)
		found |= mask(usual(quarter(block, i)), i);
	return escaped & ~found;
}

static uint64_t
find_control(const char *block)
{
	uint64_t found = 0;

	for (size_t i = 0; i < QUARTERS; i++)
		found |= mask(control(quarter(block, i)), i);
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

const struct json_kernel json_sse2 = { "sse2", runs, scan };

#endif
