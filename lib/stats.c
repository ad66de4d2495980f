#include "stats.h"

#include <math.h>

struct stats_interval
stats_wilson(size_t hits, size_t n)
{
	const double z = 1.959963984540054; /* the normal's 97.5 % quantile */
	double count = (double)n, rate, scale, centre, half;

	if (n == 0)
		return (struct stats_interval){ 0, 1 };
	rate = (double)hits / count;
	scale = 1 + z * z / count;
	centre = (rate + z * z / (2 * count)) / scale;
	half = z / scale *
	    sqrt(rate * (1 - rate) / count + z * z / (4 * count * count));
	return (struct stats_interval){
		hits == 0 ? 0 : centre - half,
		hits == n ? 1 : centre + half,
	};
}
