/* lib/judge/agreement: numbers that are published or were computed by other programs. */
#include "judge/agreement.h"

#include <math.h>
#include <stdint.h>

#include "tests/unit/unit.h"

static bool
is_near(double got, double want)
{
	return fabs(got - want) < 1e-6;
}

static bool
spans(const struct stats_interval *at, double low, double high)
{
	return is_near(at->low, low) && is_near(at->high, high);
}

/* The intervals are of the numeric gradient of kappa over the multinomial. */
static void
test_kappa(void)
{
	struct stats_interval at;
	struct agreement a = { 20, 5, 10, 15 };

	CHECK(is_near(agreement_kappa(&a, &at), 0.4));
	CHECK(spans(&at, 0.1510923, 0.6489077));
	a = (struct agreement){ 21, 3, 2, 14 };
	CHECK(is_near(agreement_kappa(&a, &at), 0.742268));
	CHECK(spans(&at, 0.5314629, 0.9530731));
	a = (struct agreement){ 90, 5, 3, 2 };
	CHECK(is_near(agreement_kappa(&a, &at), 0.2920354));
	CHECK(spans(&at, -0.0642684, 0.6483392));
	a = (struct agreement){ 5, 0, 0, 5 };
	CHECK(is_near(agreement_kappa(&a, &at), 1));
	CHECK(spans(&at, 1, 1));
	a = (struct agreement){ 9, 0, 0, 0 };
	CHECK(isnan(agreement_kappa(&a, &at)) && isnan(at.low));
	a = (struct agreement){ 0 };
	CHECK(isnan(agreement_kappa(&a, &at)) && isnan(at.high));
}

static void
test_rates(void)
{
	struct agreement a = { 21, 3, 2, 14 };

	CHECK(agreement_n(&a) == 40);
	CHECK(is_near(agreement_rate(&a), 35.0 / 40));
	CHECK(is_near(agreement_base_rate(&a), 23.0 / 40));
	CHECK(is_near(agreement_tpr(&a), 21.0 / 23));
	CHECK(is_near(agreement_tnr(&a), 14.0 / 17));
	a = (struct agreement){ 3, 0, 1, 0 };
	CHECK(isnan(agreement_tnr(&a)));
}

static void
test_corrected(void)
{
	struct agreement a = { 90, 20, 10, 80 };
	struct stats_interval at;
	double half = 1.959963984540054 / 0.7 *
	    sqrt(0.55 * 0.45 / 200 + 0.5 * 0.5 * 0.9 * 0.1 / 100 +
		0.5 * 0.5 * 0.8 * 0.2 / 100);

	/* (0.55 + 0.8 - 1) / (0.9 + 0.8 - 1) */
	CHECK(is_near(agreement_corrected(&a, 110, 200, &at), 0.5));
	CHECK(spans(&at, 0.5 - half, 0.5 + half));
	CHECK(is_near(agreement_corrected(&a, 20, 200, &at), 0));
	CHECK(is_near(at.low, 0));
	CHECK(is_near(agreement_corrected(&a, 200, 200, &at), 1));
	CHECK(is_near(at.high, 1));
	CHECK(isnan(agreement_corrected(&a, 0, 0, &at)));
	a = (struct agreement){ 5, 5, 5, 5 };
	CHECK(isnan(agreement_corrected(&a, 110, 200, &at)));
	a = (struct agreement){ 5, 0, 5, 0 };
	CHECK(isnan(agreement_corrected(&a, 110, 200, &at)));
}

/* The numbers are those of a separate program in Python. */
static void
test_ppi(void)
{
	struct agreement a = { 11, 2, 1, 6 };
	struct agreement_ppi p = agreement_ppi(&a, 170, 260);

	CHECK(is_near(p.weight, 0.6153846154) && is_near(p.rate, 0.6025641026));
	CHECK(spans(&p.at, 0.4268994156, 0.7771017115));
	/* Labels for all: the judge does not count. */
	p = agreement_ppi(&a, 13, 20);
	CHECK(is_near(p.weight, 0) && is_near(p.rate, 0.6));
	/* A judge who never errs in a small sample may err yet. */
	a = (struct agreement){ 10, 0, 0, 10 };
	p = agreement_ppi(&a, 250, 500);
	CHECK(is_near(p.rate, 0.5) && p.at.high - p.at.low > 0.1);
	a = (struct agreement){ 1, 0, 0, 0 };
	CHECK(isnan(agreement_ppi(&a, 3, 10).rate));
	CHECK(isnan(agreement_fail_precision(&a)));
	a = (struct agreement){ 11, 2, 1, 6 };
	CHECK(is_near(agreement_fail_precision(&a), 6.0 / 7));
}

static void
test_labels_for(void)
{
	struct agreement a = { 11, 2, 1, 6 };
	struct agreement_ppi p = agreement_ppi(&a, 170, 260);
	double width = p.at.high - p.at.low;
	size_t n = agreement_labels_for(&a, 170, 260, 0.2);

	CHECK(agreement_labels_for(&a, 170, 260, width + 1e-9) == 20);
	CHECK(agreement_labels_for(&a, 170, 260, 1) == 5);
	CHECK(n == 65);
	CHECK(agreement_labels_for(&a, 170, 260, 0.01) == SIZE_MAX);
	a = (struct agreement){ 0 };
	CHECK(agreement_labels_for(&a, 170, 260, 0.2) == SIZE_MAX);
}

int
main(void)
{
	test_kappa();
	test_rates();
	test_corrected();
	test_ppi();
	test_labels_for();
	return unit_status();
}
