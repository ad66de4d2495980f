/* Statistics that the reports state. */
#ifndef STATS_H
#define STATS_H

#include <stddef.h>

struct stats_interval {
	double low, high;
};

/*
 * The Wilson score interval of a rate at 95 % confidence, `hits` out of n
 * (E. B. Wilson, JASA 22, 1927). Of n = 0 nothing is known: 0 to 1.
 */
struct stats_interval stats_wilson(size_t hits, size_t n);

#endif
