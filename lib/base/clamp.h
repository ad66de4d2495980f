/*
 * Whole numbers that others wrote, as sizes: what is below 0 becomes 0, and
 * what is beyond any size (on a machine of 32 bits) the largest one.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

static inline size_t
clamp_size(int64_t n)
{
	if (n < 0)
		return 0;
	return (int64_t)(size_t)n == n ? (size_t)n : SIZE_MAX;
}
