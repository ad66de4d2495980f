/* x86-64 with AVX2 and carry-less multiplication: most machines since 2013. */
#include "json/kernel.h"
#include "json/simd/tables.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2,bmi,bmi2,pclmul")))

/* The two halves of a block. */
struct halves {
	__m256i low, high;
};

AVX2 static inline struct halves
load(const char *p)
{
	return (struct halves){ _mm256_loadu_si256((const void *)p),
		_mm256_loadu_si256((const void *)(p + 32)) };
}

/* Returns the top bit of each byte. */
AVX2 static inline uint64_t
mask(__m256i low, __m256i high)
{
	return (uint32_t)_mm256_movemask_epi8(low) |
	    (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

AVX2 static inline uint64_t
equal(struct halves b, char c)
{
	__m256i all = _mm256_set1_epi8(c);

	return mask(
	    _mm256_cmpeq_epi8(b.low, all), _mm256_cmpeq_epi8(b.high, all));
}

/* Marks the bytes below U+0020. */
AVX2 static inline __m256i
control(__m256i bytes)
{
	__m256i most = _mm256_set1_epi8(0x1f);

	return _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, most), bytes);
}

/* Looks up the low digit of each byte; gives 0 for bytes from 80 on. */
AVX2 static inline __m256i
lookup(__m256i digits, const unsigned char *table)
{
	__m128i sixteen = _mm_loadu_si128((const void *)table);

	return _mm256_shuffle_epi8(
	    _mm256_broadcastsi128_si256(sixteen), digits);
}

AVX2 static inline __m256i
high_digits(__m256i bytes)
{
	return _mm256_and_si256(
	    _mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(0x0f));
}

AVX2 static inline __m256i
usual(__m256i bytes)
{
	return _mm256_cmpeq_epi8(bytes, lookup(bytes, json_usual));
}

AVX2 static void
find(const char *block, struct json_kinds *is)
{
	struct halves b = load(block);
	__m256i before =
	    _mm256_loadu_si256((const void *)(block - JSON_BEFORE));
	__m256i any = _mm256_or_si256(_mm256_or_si256(b.low, b.high), before);
	__m256i least = _mm256_min_epu8(b.low, b.high);

	is->quote = equal(b, '"');
	is->backslash = equal(b, '\\');
	is->control = (uint32_t)_mm256_movemask_epi8(control(least));
	is->high = _mm256_movemask_epi8(any) != 0;
}

AVX2 static uint64_t
find_unusual(const char *block, uint64_t escaped)
{
	struct halves b = load(block);

	return escaped & ~mask(usual(b.low), usual(b.high));
}

AVX2 static uint64_t
find_control(const char *block)
{
	struct halves b = load(block);

	return mask(control(b.low), control(b.high));
}

AVX2 static uint64_t
parity(uint64_t bits)
{
	__m128i product = _mm_clmulepi64_si128(
	    _mm_set_epi64x(0, (long long)bits), _mm_set1_epi8(-1), 0);

	return (uint64_t)_mm_cvtsi128_si64(product);
}

AVX2 static inline __m256i
wrong_pairs(__m256i before, __m256i bytes)
{
	__m256i low = _mm256_and_si256(before, _mm256_set1_epi8(0x0f));

	return _mm256_and_si256(lookup(high_digits(bytes), json_utf8_third),
	    _mm256_and_si256(lookup(high_digits(before), json_utf8_first),
		lookup(low, json_utf8_second)));
}

/* Returns nonzero bytes where p has invalid UTF-8. */
AVX2 static inline __m256i
wrong(const char *p)
{
	__m256i bytes = _mm256_loadu_si256((const void *)p);
	__m256i before = _mm256_loadu_si256((const void *)(p - 1));
	__m256i before_2 = _mm256_loadu_si256((const void *)(p - 2));
	__m256i before_3 = _mm256_loadu_si256((const void *)(p - 3));
	/* A byte from E0 on two bytes before, or from F0 on three bytes before
	 * (10 is subtracted from it): there, and only there, two bytes 80..BF
	 * in a row are valid. */
	__m256i begun = _mm256_max_epu8(
	    before_2, _mm256_subs_epu8(before_3, _mm256_set1_epi8(0x10)));
	__m256i due = _mm256_and_si256(
	    _mm256_subs_epu8(begun, _mm256_set1_epi8(0xe0 - 0x80)),
	    _mm256_set1_epi8((char)JSON_UTF8_TWO));

	return _mm256_xor_si256(wrong_pairs(before, bytes), due);
}

/* Mistakes are collected, and tested once at the end. */
AVX2 static bool
bad_utf8(const char *const *blocks, size_t n)
{
	__m256i bad = _mm256_setzero_si256();

	for (size_t i = 0; i < n; i++)
		bad = _mm256_or_si256(bad,
		    _mm256_or_si256(wrong(blocks[i]), wrong(blocks[i] + 32)));
	return !_mm256_testz_si256(bad, bad);
}

AVX2 static void
scan(struct json_scan *state, const char *blocks, size_t n,
    struct json_ends *ends)
{
	static const struct json_ops ops = { find, find_unusual, find_control,
		parity, json_add_ends, bad_utf8 };

	json_scan_blocks(&ops, state, blocks, n, ends);
}

static bool
runs(void)
{
	return __builtin_cpu_supports("avx2") &&
	    __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("pclmul");
}

const struct json_kernel json_avx2 = { "avx2", runs, scan };

#endif
