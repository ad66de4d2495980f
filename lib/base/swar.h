/* Eight bytes of a text in a register ("SIMD within a register"). */
#pragma once

#include <stdint.h>
#include <string.h>

/* Returns the eight bytes at s. The first byte is the lowest on any machine. */
static inline uint64_t
swar(const char *s)
{
	uint64_t bytes;

	memcpy(&bytes, s, sizeof bytes);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	bytes = __builtin_bswap64(bytes);
#endif
	return bytes;
}

/* Returns the byte c eight times. */
static inline uint64_t
swar_times(unsigned char c)
{
	return UINT64_C(0x0101010101010101) * c;
}

/* Returns the top bit of each byte that is zero. */
static inline uint64_t
swar_zeros(uint64_t bytes)
{
	const uint64_t low = swar_times(0x7f);

	return ~(((bytes & low) + low) | bytes | low);
}

/* Returns the top bit of each byte that is c. */
static inline uint64_t
swar_equal(uint64_t bytes, unsigned char c)
{
	return swar_zeros(bytes ^ swar_times(c));
}
