/* x86-64 without AVX2: every one has SSE2. */
#include "../json_kernel.h"

#if defined(__x86_64__)

#include <emmintrin.h>

enum { QUARTERS = JSON_BLOCK / 16 };

static inline __m128i
quarter(const char *block, size_t i)
{
	return _mm_loadu_si128((const void *)(block + i * 16));
}

/* The top bit of each byte, as the i-th quarter of a mask. */
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

/* What may follow a backslash: " \ / b f n r t u, of which b and r, and t and
 * u, differ in one bit. */
static inline __m128i
escapable(__m128i b)
{
	__m128i b_is_r = _mm_or_si128(b, _mm_set1_epi8('b' ^ 'r'));
	__m128i t_is_u = _mm_or_si128(b, _mm_set1_epi8('t' ^ 'u'));
	__m128i any = _mm_or_si128(equal(b, '"'), equal(b, '\\'));

	any = _mm_or_si128(any, equal(b, '/'));
	any = _mm_or_si128(any, equal(b, 'f'));
	any = _mm_or_si128(any, equal(b, 'n'));
	any = _mm_or_si128(any, equal(b_is_r, 'r'));
	return _mm_or_si128(any, equal(t_is_u, 'u'));
}

static void
find(const char *block, struct json_kinds *is)
{
	*is = (struct json_kinds){ 0 };
	for (size_t i = 0; i < QUARTERS; i++) {
		__m128i b = quarter(block, i);
		__m128i low = _mm_min_epu8(b, _mm_set1_epi8(0x1f));

		is->quote |= mask(equal(b, '"'), i);
		is->backslash |= mask(equal(b, '\\'), i);
		is->control |= mask(_mm_cmpeq_epi8(b, low), i);
		is->high |= mask(b, i);
		is->escapable |= mask(escapable(b), i);
		is->u |= mask(equal(b, 'u'), i);
	}
}

static void
scan(struct json_scan *state, const char *blocks, size_t n,
    struct json_found *found)
{
	static const struct json_ops ops = { find, json_parity, json_bad_utf8 };

	json_scan_blocks(&ops, state, blocks, n, found);
}

static bool
runs(void)
{
	return true;
}

const struct json_kernel json_sse2 = { "sse2", runs, scan };

#endif
