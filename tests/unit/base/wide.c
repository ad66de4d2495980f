/* Whole numbers of 128 bits. */
#include "base/wide.h"
#include "tests/unit/unit.h"

static bool
is(struct wide a, uint64_t high, uint64_t low)
{
	return a.high == high && a.low == low;
}

static void
products(void)
{
	CHECK(is(wide_product(0, UINT64_MAX), 0, 0));
	CHECK(is(wide_product(3, 7), 0, 21));
	CHECK(is(wide_product(UINT64_MAX, 1), 0, UINT64_MAX));
	CHECK(is(wide_product(UINT64_MAX, UINT64_MAX), UINT64_MAX - 1, 1));
	CHECK(
	    is(wide_product(UINT64_C(1) << 40, UINT64_C(1) << 40), 1 << 16, 0));
	CHECK(is(wide_product(UINT64_C(0xfedcba9876543210),
		     UINT64_C(0x0123456789abcdef)),
	    UINT64_C(0x0121fa00ad77d742), UINT64_C(0x2236d88fe5618cf0)));
}

static void
sums(void)
{
	const struct wide one = { 0, 1 }, most = { 0, UINT64_MAX };

	CHECK(is(wide_add(most, one), 1, 0));
	CHECK(is(wide_subtract(wide_add(most, one), one), 0, UINT64_MAX));
	CHECK(is(wide_subtract(one, most), 0, 0));
	CHECK(is(wide_subtract((struct wide){ 5, 0 }, (struct wide){ 4, 1 }), 0,
	    UINT64_MAX));
	CHECK(wide_double((struct wide){ 2, 0 }) == 0x1p65);
	CHECK(wide_double(most) == 0x1p64);
}

int
main(void)
{
	products();
	sums();
	return unit_status();
}
