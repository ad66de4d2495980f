#include "text/ngrams.h"

enum {
	BITS_MIN = 10, /* number of bits, as a power of two */
	BITS_MAX = 30,
	PER_BYTE = 8, /* least number of bits for a piece */
};

static inline uint32_t
bit_of(const char *piece, enum ngrams_size size, int shift)
{
	uint32_t four = 0;
	uint16_t two;

	if (size == NGRAMS_OF_2) {
		memcpy(&two, piece, sizeof two);
		four = two;
	} else {
		memcpy(&four, piece, sizeof four);
	}
	return four * UINT32_C(2654435761) >> shift; /* Knuth's multiplier */
}

static inline __attribute__((always_inline)) void
collect(struct ngrams *p, struct str text, enum ngrams_size size)
{
	for (size_t i = 0; i + size <= text.n; i++) {
		uint32_t bit = bit_of(text.s + i, size, p->shift);

		p->bits[bit / 64] |= UINT64_C(1) << bit % 64;
	}
}

struct ngrams
ngrams_of(struct arena *a, struct str text, enum ngrams_size size)
{
	struct ngrams p = { .size = size };
	int power = BITS_MIN;

	while (power < BITS_MAX && (size_t)1 << power < text.n * PER_BYTE)
		power++;
	p.bits = arena_new_n(a, uint64_t, ((size_t)1 << power) / 64);
	p.shift = 32 - power;
	if (size == NGRAMS_OF_2)
		collect(&p, text, NGRAMS_OF_2);
	else
		collect(&p, text, NGRAMS_OF_4);
	return p;
}

bool
ngrams_may_hold(const struct ngrams *p, struct str literal)
{
	for (size_t i = 0; i + p->size <= literal.n; i++) {
		uint32_t bit = bit_of(literal.s + i, p->size, p->shift);

		if ((p->bits[bit / 64] >> bit % 64 & 1) == 0)
			return false;
	}
	return true;
}
