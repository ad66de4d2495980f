/* The Wilson interval against published figures. */
#include <math.h>

#include "../../lib/stats.h"
#include "unit.h"

static void
check_interval(size_t hits, size_t n, double low, double high)
{
	struct stats_interval ci = stats_wilson(hits, n);

	CHECK(fabs(ci.low - low) < 5e-5);
	CHECK(fabs(ci.high - high) < 5e-5);
}

int
main(void)
{
	/* R. G. Newcombe, Statistics in Medicine 17 (1998) 857, table I,
	 * method 3. */
	check_interval(81, 263, 0.2553, 0.3662);
	check_interval(15, 148, 0.0624, 0.1605);
	check_interval(0, 20, 0.0000, 0.1611);
	check_interval(1, 29, 0.0061, 0.1718);

	check_interval(0, 0, 0, 1);
	CHECK(stats_wilson(0, 7).low == 0);
	CHECK(stats_wilson(7, 7).high == 1);
	check_interval(20, 20, 1 - 0.1611, 1);
	return unit_status();
}
