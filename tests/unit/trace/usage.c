#include "trace/usage.h"

#include "tests/unit/unit.h"

static struct usage
costs(double usd)
{
	struct usage u = { 0 };

	usage_set(&u, USAGE_COST, usd);
	return u;
}

static bool
is_cost(const struct usage *u, double usd)
{
	return u->n[USAGE_COST] == usd;
}

/* Sums of dollars are decimal, without the errors of binary fractions. */
static void
money(void)
{
	struct usage a = costs(0.1), b = costs(0.2), all = { 0 };
	struct usage total = costs(0.3), price = costs(0.0000000375);

	usage_add(&a, &b);
	CHECK(is_cost(&a, 0.3));
	for (int i = 0; i < 1000; i++)
		usage_add(&all, &price);
	CHECK(is_cost(&all, 0.0000375));
	a = usage_since(&total, &b);
	CHECK(is_cost(&a, 0.1));
}

static void
counters(void)
{
	struct usage before = { 0 }, now = { 0 }, since;

	usage_set(&before, USAGE_INPUT, 100);
	usage_set(&before, USAGE_OUTPUT, 10);
	usage_set(&now, USAGE_INPUT, 150);
	usage_set(&now, USAGE_OUTPUT, 12);
	since = usage_since(&now, &before);
	CHECK(since.n[USAGE_INPUT] == 50 && since.n[USAGE_OUTPUT] == 2);
	usage_set(&now, USAGE_INPUT, 20);
	since = usage_since(&now, &before); /* it began anew */
	CHECK(since.n[USAGE_INPUT] == 20 && since.n[USAGE_OUTPUT] == 12);
	CHECK(since.known == now.known);
}

int
main(void)
{
	money();
	counters();
	return unit_status();
}
