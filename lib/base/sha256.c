#include "base/sha256.h"

#include <stdint.h>
#include <string.h>

#include "base/base64.h"

enum {
	BLOCK = 64, /* bytes */
	ROUNDS = 64,
	WORDS = 8,
};

/* The constants are the fractions of the cube roots of the first primes. */
/* clang-format off */
static const uint32_t constants[ROUNDS] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
	0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
/* clang-format on */

static uint32_t
turned(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

static void
expand(const unsigned char *block, uint32_t w[ROUNDS])
{
	for (size_t i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 |
		    (uint32_t)block[4 * i + 1] << 16 |
		    (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (size_t i = 16; i < ROUNDS; i++)
		w[i] = w[i - 16] + w[i - 7] +
		    (turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^
			w[i - 15] >> 3) +
		    (turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^
			w[i - 2] >> 10);
}

/* Does one round; `rounds` counts those before it, modulo WORDS. The letters
 * are those of the standard. The words stay where they are in s: instead, with
 * each round every letter moves on to the word before. */
static inline void
turn(uint32_t s[WORDS], size_t rounds, uint32_t added)
{
	const size_t at = WORDS - rounds;
	uint32_t a = s[at % WORDS], b = s[(at + 1) % WORDS],
		 c = s[(at + 2) % WORDS], e = s[(at + 4) % WORDS],
		 f = s[(at + 5) % WORDS], g = s[(at + 6) % WORDS];
	uint32_t *d = &s[(at + 3) % WORDS], *h = &s[(at + 7) % WORDS];

	*h += added + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) +
	    ((e & f) ^ (~e & g));
	*d += *h;
	*h += (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) +
	    ((a & b) ^ (a & c) ^ (b & c));
}

static void
add_block(uint32_t sum[WORDS], const unsigned char *block)
{
	uint32_t w[ROUNDS], s[WORDS];

	expand(block, w);
	for (size_t i = 0; i < ROUNDS; i++)
		w[i] += constants[i];
	memcpy(s, sum, sizeof s);
	for (size_t i = 0; i < ROUNDS; i += WORDS) {
		turn(s, 0, w[i]);
		turn(s, 1, w[i + 1]);
		turn(s, 2, w[i + 2]);
		turn(s, 3, w[i + 3]);
		turn(s, 4, w[i + 4]);
		turn(s, 5, w[i + 5]);
		turn(s, 6, w[i + 6]);
		turn(s, 7, w[i + 7]);
	}
	for (size_t i = 0; i < WORDS; i++)
		sum[i] += s[i];
}

static void
add_end(uint32_t sum[WORDS], struct str rest, uint64_t bits)
{
	unsigned char last[2 * BLOCK] = { 0 };
	size_t n = rest.n + 9 <= BLOCK ? BLOCK : 2 * BLOCK;

	if (rest.s != NULL)
		memcpy(last, rest.s, rest.n);
	last[rest.n] = 0x80;
	for (size_t i = 0; i < 8; i++)
		last[n - 1 - i] = (unsigned char)(bits >> 8 * i);
	for (size_t i = 0; i < n; i += BLOCK)
		add_block(sum, last + i);
}

static void
sum_of(uint32_t sum[WORDS], struct str text)
{
	/* the fractions of the square roots of the first primes */
	static const uint32_t start[WORDS] = { 0x6a09e667, 0xbb67ae85,
		0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
		0x5be0cd19 };
	size_t whole = text.n / BLOCK * BLOCK;

	memcpy(sum, start, sizeof start);
	for (size_t i = 0; i < whole; i += BLOCK)
		add_block(sum, (const unsigned char *)text.s + i);
	add_end(sum, str_from(text, whole), (uint64_t)text.n * 8);
}

struct str
sha256_hex(struct arena *a, struct str text)
{
	static const char digits[] = "0123456789abcdef";
	char *hex = arena_alloc(a, SHA256_HEX);
	uint32_t sum[WORDS];

	sum_of(sum, text);
	for (size_t i = 0; i < SHA256_HEX; i++)
		hex[i] = digits[sum[i / 8] >> (28 - i % 8 * 4) & 15];
	return (struct str){ hex, SHA256_HEX };
}

struct str
sha256_base64(struct arena *a, struct str text)
{
	uint32_t sum[WORDS];
	char bytes[WORDS * 4];

	sum_of(sum, text);
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (char)(sum[i / 4] >> (24 - i % 4 * 8));
	return base64_print(a, (struct str){ bytes, sizeof bytes });
}
