/* x86-64 with AVX2 and carry-less multiplication: most machines since 2013. */
#include "../json_kernel.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2,bmi,bmi2,pclmul")))

/* Two halves of a block. */
struct halves {
	__m256i low, high;
};

AVX2 static inline struct halves
load(const char *p)
{
	return (struct halves){ _mm256_loadu_si256((const void *)p),
		_mm256_loadu_si256((const void *)(p + 32)) };
}

/* The top bit of each byte. */
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

/* The bytes below U+0020. */
AVX2 static inline __m256i
control(__m256i bytes)
{
	__m256i most = _mm256_set1_epi8(0x1f);

	return _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, most), bytes);
}

AVX2 static inline __m256i
lookup(__m256i digits, __m128i table)
{
	return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(table), digits);
}

AVX2 static inline __m256i
high_digits(__m256i bytes)
{
	return _mm256_and_si256(
	    _mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(0x0f));
}

/* Compares each byte with the only one of its low digit that is meant. */
AVX2 static inline __m256i
usual(__m256i bytes)
{
	const __m128i table = _mm_setr_epi8(
	    1, 0, '"', 0, 't', 0, 0, 0, 0, 0, 0, 0, '\\', 0, 'n', '/');

	return _mm256_cmpeq_epi8(bytes, lookup(bytes, table));
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

/*
 * UTF-8 after Keiser and Lemire, "Validating UTF-8 in less than one
 * instruction per byte" (2020). Whatever can be wrong with two bytes in a row
 * shows in three of their four digits; each mistake is a bit, set in the three
 * tables for the digits that it takes. Third and fourth bytes, which two
 * bytes cannot tell from too many, are left over for the end.
 */
enum {
	SHORT = 1 << 0,           /* C0..FF, then no 80..BF */
	LONG = 1 << 1,            /* 00..7F, then 80..BF */
	OVERLONG_3 = 1 << 2,      /* E0, then 80..9F */
	SURROGATE = 1 << 3,       /* ED, then A0..BF */
	OVERLONG_2 = 1 << 4,      /* C0 or C1, then 80..BF */
	LARGE = 1 << 5,           /* F4 then 90..BF, or F5..FF then 90..BF */
	LARGE_80 = 1 << 6,        /* F5..FF, then 80..8F; */
	OVERLONG_4 = 1 << 6,      /* F0, then 80..8F */
	TWO = 1 << 7,             /* 80..BF twice */
	ANY = SHORT | LONG | TWO, /* what the second digit has no say in */
};

AVX2 static inline __m256i
wrong_pairs(__m256i before, __m256i bytes)
{
	const __m128i first = _mm_setr_epi8(LONG, LONG, LONG, LONG, LONG, LONG,
	    LONG, LONG, (char)TWO, (char)TWO, (char)TWO, (char)TWO,
	    SHORT | OVERLONG_2, SHORT, SHORT | OVERLONG_3 | SURROGATE,
	    SHORT | LARGE | LARGE_80 | OVERLONG_4);
	const char large = (char)(ANY | LARGE | LARGE_80);
	const __m128i second =
	    _mm_setr_epi8((char)(ANY | OVERLONG_2 | OVERLONG_3 | OVERLONG_4),
		(char)(ANY | OVERLONG_2), (char)ANY, (char)ANY,
		(char)(ANY | LARGE), large, large, large, large, large, large,
		large, large, (char)(large | SURROGATE), large, large);
	const char low = (char)(LONG | OVERLONG_2 | TWO | OVERLONG_3);
	const char high = (char)(LONG | OVERLONG_2 | TWO | SURROGATE | LARGE);
	const __m128i third = _mm_setr_epi8(SHORT, SHORT, SHORT, SHORT, SHORT,
	    SHORT, SHORT, SHORT, (char)(low | LARGE_80), (char)(low | LARGE),
	    high, high, SHORT, SHORT, SHORT, SHORT);

	return _mm256_and_si256(lookup(high_digits(bytes), third),
	    _mm256_and_si256(lookup(high_digits(before), first),
		lookup(
		    _mm256_and_si256(before, _mm256_set1_epi8(0x0f)), second)));
}

/* Nonzero bytes where p has what is no UTF-8. */
AVX2 static inline __m256i
wrong(const char *p)
{
	__m256i bytes = _mm256_loadu_si256((const void *)p);
	__m256i before = _mm256_loadu_si256((const void *)(p - 1));
	__m256i before_2 = _mm256_loadu_si256((const void *)(p - 2));
	__m256i before_3 = _mm256_loadu_si256((const void *)(p - 3));
	/* From E0 on where a third byte belongs or, 10 taken away, a fourth:
	 * there, and only there, are two of 80..BF in a row right. */
	__m256i begun = _mm256_max_epu8(
	    before_2, _mm256_subs_epu8(before_3, _mm256_set1_epi8(0x10)));
	__m256i due = _mm256_and_si256(
	    _mm256_subs_epu8(begun, _mm256_set1_epi8(0xe0 - 0x80)),
	    _mm256_set1_epi8((char)TWO));

	return _mm256_xor_si256(wrong_pairs(before, bytes), due);
}

/* Mistakes are gathered, and asked for once. */
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
		parity, bad_utf8 };

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
