/* Eight bytes of a text in a register, the first one lowest on any machine. */
#ifndef EIGHT_H
#define EIGHT_H

#include <stdint.h>
#include <string.h>

static inline uint64_t
eight(const char *s)
{
	uint64_t bytes;

	memcpy(&bytes, s, sizeof bytes);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	bytes = __builtin_bswap64(bytes);
#endif
	return bytes;
}

/* The same byte eight times. */
static inline uint64_t
eight_times(unsigned char c)
{
	return UINT64_C(0x0101010101010101) * c;
}

/* The top bit of each byte that is zero. */
static inline uint64_t
eight_zeros(uint64_t bytes)
{
	const uint64_t low = eight_times(0x7f);

	return ~(((bytes & low) + low) | bytes | low);
}

/* The top bit of each byte that is c. */
static inline uint64_t
eight_equal(uint64_t bytes, unsigned char c)
{
	return eight_zeros(bytes ^ eight_times(c));
}

#endif
