/* The time for limits and waits. The time never reaches what a filter
 * writes. */
#pragma once

#include <time.h>

/* Returns the seconds since some point in the past. Setting the date does not
 * change the count. */
static inline double
clock_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}
