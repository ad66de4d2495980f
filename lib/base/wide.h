/* Whole numbers of 128 bits, for sums of squares that depend on no order. Compilers
 * for small processors have no such type. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct wide {
	uint64_t high, low;
};

static inline struct wide
wide_add(struct wide a, struct wide b)
{
	uint64_t low = a.low + b.low;

	return (struct wide){ a.high + b.high + (low < a.low), low };
}

/* Returns a - b; 0 if b is larger. */
static inline struct wide
wide_subtract(struct wide a, struct wide b)
{
	if (a.high < b.high || (a.high == b.high && a.low < b.low))
		return (struct wide){ 0 };
	return (
	    struct wide){ a.high - b.high - (a.low < b.low), a.low - b.low };
}

static inline struct wide
wide_product(uint64_t a, uint64_t b)
{
	uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
	uint64_t one = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
	uint64_t two = (a & UINT32_MAX) * (b >> 32) + (one & UINT32_MAX);

	return (struct wide){
		(a >> 32) * (b >> 32) + (one >> 32) + (two >> 32),
		two << 32 | (low & UINT32_MAX),
	};
}

static inline double
wide_double(struct wide a)
{
	return (double)a.high * 0x1p64 + (double)a.low;
}
