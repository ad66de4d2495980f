#include "pieces.h"

enum {
	PIECE = 4,
	BITS_MIN = 10, /* of them, as a power of two */
	BITS_MAX = 30,
	PER_BYTE = 8, /* how many bits there are for a piece, at least */
};

static inline uint32_t
bit_of(const char *piece, int shift)
{
	uint32_t bytes;

	memcpy(&bytes, piece, sizeof bytes);
	return bytes * UINT32_C(2654435761) >> shift; /* Knuth's */
}

struct pieces
pieces_of(struct arena *a, struct str text)
{
	struct pieces p;
	int power = BITS_MIN;

	while (power < BITS_MAX && (size_t)1 << power < text.n * PER_BYTE)
		power++;
	p.bits = arena_new_n(a, uint64_t, ((size_t)1 << power) / 64);
	p.shift = 32 - power;
	for (size_t i = 0; i + PIECE <= text.n; i++) {
		uint32_t bit = bit_of(text.s + i, p.shift);

		p.bits[bit / 64] |= UINT64_C(1) << bit % 64;
	}
	return p;
}

bool
pieces_may_hold(const struct pieces *p, struct str literal)
{
	for (size_t i = 0; i + PIECE <= literal.n; i++) {
		uint32_t bit = bit_of(literal.s + i, p->shift);

		if ((p->bits[bit / 64] >> bit % 64 & 1) == 0)
			return false;
	}
	return true;
}
