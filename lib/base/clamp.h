/* Conversion of integers from input files to sizes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Returns n as a size. A number below 0 becomes 0, and a number that no size_t
 * holds (on a machine of 32 bits) becomes SIZE_MAX. */
static inline size_t
clamp_size(int64_t n)
{
	if (n < 0)
		return 0;
	return (int64_t)(size_t)n == n ? (size_t)n : SIZE_MAX;
}
