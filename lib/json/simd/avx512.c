/* x86-64 with AVX-512 and its second set of byte manipulations: Intel's since
 * 2019, AMD's since 2022. */
#include "json/kernel.h"
#include "json/simd/tables.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX512 \
	__attribute__((target("avx512f,avx512bw,avx512vbmi2,bmi,bmi2,popcnt," \
			      "pclmul")))

AVX512 static inline __m512i
load(const char *p)
{
	return _mm512_loadu_si512(p);
}

/* Moves a mask into a general register, where the next operations are fast; gcc
 * would otherwise do them in a mask register. */
AVX512 static inline uint64_t
general(__mmask64 mask)
{
	uint64_t bits = mask;

	__asm__("" : "+r"(bits));
	return bits;
}

/* Returns the positions of the byte c. */
AVX512 static inline uint64_t
equal(__m512i b, char c)
{
	return general(_mm512_cmpeq_epi8_mask(b, _mm512_set1_epi8(c)));
}

/* Returns the positions of bytes below U+0020. */
AVX512 static inline uint64_t
control(__m512i b)
{
	return _mm512_cmplt_epu8_mask(b, _mm512_set1_epi8(0x20));
}

/* Looks up the low digit of each byte; gives 0 for bytes from 80 on. */
AVX512 static inline __m512i
lookup(__m512i digits, const unsigned char *table)
{
	__m128i sixteen = _mm_loadu_si128((const void *)table);

	return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(sixteen), digits);
}

AVX512 static inline __m512i
low_digits(__m512i bytes)
{
	return _mm512_and_si512(bytes, _mm512_set1_epi8(0x0f));
}

AVX512 static inline __m512i
high_digits(__m512i bytes)
{
	return low_digits(_mm512_srli_epi16(bytes, 4));
}

AVX512 static void
find(const char *block, struct json_kinds *is)
{
	__m512i b = load(block);
	__m512i any = _mm512_or_si512(b, load(block - JSON_BEFORE));

	is->quote = equal(b, '"');
	is->backslash = equal(b, '\\');
	is->control = control(b);
	is->high = _mm512_movepi8_mask(any) != 0;
}

AVX512 static uint64_t
find_unusual(const char *block, uint64_t escaped)
{
	__m512i b = load(block);

	return escaped &
	    general(_mm512_cmpneq_epi8_mask(b, lookup(b, json_usual)));
}

AVX512 static uint64_t
find_control(const char *block)
{
	return control(load(block));
}

AVX512 static uint64_t
parity(uint64_t bits)
{
	__m128i product = _mm_clmulepi64_si128(
	    _mm_set_epi64x(0, (long long)bits), _mm_set1_epi8(-1), 0);

	return (uint64_t)_mm_cvtsi128_si64(product);
}

/* Writes as many entries as a block can have, and counts those that are
 * valid. */
AVX512 static void
add_ends(struct json_scan *state, struct json_ends *list, uint64_t ends)
{
	static const unsigned char places[JSON_BLOCK] = { 0, 1, 2, 3, 4, 5, 6,
		7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
		24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39,
		40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55,
		56, 57, 58, 59, 60, 61, 62, 63 };
	__m512i found = _mm512_maskz_compress_epi8(
	    ends, _mm512_loadu_si512((const void *)places));
	__m512i at = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(found));
	short block = (short)(state->blocks * JSON_BLOCK);

	_mm512_storeu_si512(list->at + state->ends,
	    _mm512_add_epi16(at, _mm512_set1_epi16(block)));
	state->ends += (size_t)__builtin_popcountll(ends);
}

AVX512 static inline __m512i
wrong_pairs(__m512i before, __m512i bytes)
{
	return _mm512_and_si512(lookup(high_digits(bytes), json_utf8_third),
	    _mm512_and_si512(lookup(high_digits(before), json_utf8_first),
		lookup(low_digits(before), json_utf8_second)));
}

/* Returns nonzero bytes where p has invalid UTF-8. */
AVX512 static inline __m512i
wrong(const char *p)
{
	/* A byte from E0 on two bytes before, or from F0 on three bytes before
	 * (10 is subtracted from it): there, and only there, two bytes 80..BF
	 * in a row are valid. */
	__m512i begun = _mm512_max_epu8(
	    load(p - 2), _mm512_subs_epu8(load(p - 3), _mm512_set1_epi8(0x10)));
	__m512i due = _mm512_and_si512(
	    _mm512_subs_epu8(begun, _mm512_set1_epi8(0xe0 - 0x80)),
	    _mm512_set1_epi8((char)JSON_UTF8_TWO));

	return _mm512_xor_si512(wrong_pairs(load(p - 1), load(p)), due);
}

/* Mistakes are collected, and tested once at the end. */
AVX512 static bool
bad_utf8(const char *const *blocks, size_t n)
{
	__m512i bad = _mm512_setzero_si512();

	for (size_t i = 0; i < n; i++)
		bad = _mm512_or_si512(bad, wrong(blocks[i]));
	return _mm512_test_epi64_mask(bad, bad) != 0;
}

AVX512 static void
scan(struct json_scan *state, const char *blocks, size_t n,
    struct json_ends *ends)
{
	static const struct json_ops ops = { find, find_unusual, find_control,
		parity, add_ends, bad_utf8 };

	json_scan_blocks(&ops, state, blocks, n, ends);
}

static bool
runs(void)
{
	return __builtin_cpu_supports("avx512bw") &&
	    __builtin_cpu_supports("avx512vbmi2") &&
	    __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("pclmul");
}

const struct json_kernel json_avx512 = { "avx512", runs, scan };

#endif
