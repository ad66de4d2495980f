/* Intervals, tests and estimates against published figures and against exact
 * arithmetic with whole numbers (binomial coefficients, in Python). */
#include <math.h>
#include <stdbool.h>

#include "base/stats.h"
#include "tests/unit/unit.h"

static void
check_interval(size_t hits, size_t n, double low, double high)
{
	struct stats_interval ci = stats_wilson(hits, n);

	CHECK(fabs(ci.low - low) < 5e-5);
	CHECK(fabs(ci.high - high) < 5e-5);
}

static bool
same(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fabs(b);
}

static void
check_fisher(const size_t hits[2], const size_t n[2], double p)
{
	const size_t swapped_hits[] = { hits[1], hits[0] };
	const size_t swapped_n[] = { n[1], n[0] };

	CHECK(same(stats_fisher(hits, n), p));
	CHECK(same(stats_fisher(swapped_hits, swapped_n), p));
}

static void
check_mcnemar(size_t lost, size_t gained, double p)
{
	CHECK(same(stats_mcnemar(lost, gained), p));
	CHECK(same(stats_mcnemar(gained, lost), p));
}

static void
tests_are_exact(void)
{
	/* R. A. Fisher, The Design of Experiments (1935): a lady tasting tea,
	 * 34/70; his convictions of twins, 0.0005367 as in R's manual. */
	check_fisher((size_t[]){ 3, 1 }, (size_t[]){ 4, 4 }, 34.0 / 70);
	CHECK(fabs(stats_fisher((size_t[]){ 2, 10 }, (size_t[]){ 17, 13 }) -
		  0.0005367241) < 5e-11);
	check_fisher(
	    (size_t[]){ 10, 5 }, (size_t[]){ 10, 10 }, 0.032507739938080496);
	check_fisher(
	    (size_t[]){ 7, 2 }, (size_t[]){ 9, 20 }, 0.0007010480773599214);
	check_fisher((size_t[]){ 950, 930 }, (size_t[]){ 1000, 1000 },
	    0.07323227720335672);
	check_fisher((size_t[]){ 0, 5 }, (size_t[]){ 5, 5 }, 2.0 / 252);
	check_fisher((size_t[]){ 3, 3 }, (size_t[]){ 3, 3 }, 1);
	check_fisher((size_t[]){ 0, 3 }, (size_t[]){ 0, 5 }, 1);

	/* A. Agresti, Categorical Data Analysis (1990), p. 350: approval of
	 * the prime minister, 150 and 86. */
	check_mcnemar(150, 86, 3.715936139571442e-05);
	check_mcnemar(59, 6, 4.964650327128617e-12);
	check_mcnemar(400, 500, 0.0009564441369189461);
	check_mcnemar(5, 0, 0.0625);
	check_mcnemar(9, 1, 0.021484375);
	check_mcnemar(1, 0, 1);
	check_mcnemar(8, 8, 1);
	check_mcnemar(0, 0, 1);
}

static bool
near(double got, double want)
{
	return fabs(got - want) < 1e-12;
}

static void
check_r_interval(size_t hits, size_t n, double low, double high)
{
	struct stats_interval ci = stats_wilson(hits, n);

	CHECK(near(ci.low, low));
	CHECK(near(ci.high, high));
}

/* R 4.2.2: prop.test(hits, n, correct = FALSE), fisher.test(matrix(c(...), 2,
 * byrow = TRUE)) of hits and misses, binom.test(lost, lost + gained), and
 * choose(). */
static void
r_agrees(void)
{
	check_r_interval(1, 1, 0.206549314377238, 1);
	check_r_interval(8, 20, 0.218806532372817, 0.613418499237747);
	check_r_interval(0, 10, 0, 0.277532799862889);
	check_r_interval(95, 100, 0.888249530768081, 0.978456320845632);
	check_r_interval(9, 18, 0.2903102150517, 0.7096897849483);

	CHECK(near(stats_fisher((size_t[]){ 5, 2 }, (size_t[]){ 6, 9 }),
	    0.0405594405594406));
	CHECK(near(stats_fisher((size_t[]){ 20, 15 }, (size_t[]){ 20, 20 }),
	    0.0471240471240471));
	CHECK(near(stats_fisher((size_t[]){ 3, 9 }, (size_t[]){ 10, 10 }),
	    0.0197666110978804));
	CHECK(near(stats_fisher((size_t[]){ 12, 29 }, (size_t[]){ 17, 31 }),
	    0.0802685520741047));

	CHECK(near(stats_mcnemar(1, 9), 0.021484375));
	CHECK(near(stats_mcnemar(0, 6), 0.03125));
	CHECK(near(stats_mcnemar(5, 12), 0.143463134765625));

	CHECK(near(stats_pass_at(3, 10, 3), 0.708333333333333));
	CHECK(near(stats_pass_all(3, 10, 3), 0.00833333333333333));
	CHECK(near(stats_pass_all(4, 5, 3), 0.4));
	CHECK(near(stats_pass_at(50, 100, 10), 0.999406580327414));
	CHECK(near(stats_pass_all(50, 100, 10), 0.000593419672585829));
}

/* The estimates are the share of all ways to draw k of the n runs. */
static void
check_draws(unsigned hits, unsigned n, unsigned k)
{
	size_t ways = 0, one = 0, all = 0;

	for (unsigned set = 0; set < 1U << n; set++) {
		unsigned passed = set & ((1U << hits) - 1);

		if ((unsigned)__builtin_popcount(set) != k)
			continue;
		ways++;
		one += passed != 0;
		all += passed == set;
	}
	CHECK(fabs(stats_pass_at(hits, n, k) - (double)one / (double)ways) <
	    1e-12);
	CHECK(fabs(stats_pass_all(hits, n, k) - (double)all / (double)ways) <
	    1e-12);
}

static void
estimates_are_unbiased(void)
{
	for (unsigned n = 1; n <= 9; n++)
		for (unsigned hits = 0; hits <= n; hits++)
			for (unsigned k = 1; k <= n; k++)
				check_draws(hits, n, k);
	CHECK(stats_pass_all(2, 3, 3) == 0);
	CHECK(isnan(stats_pass_all(2, 2, 3)));
	CHECK(isnan(stats_pass_at(2, 2, 3)));
}

/* The points are those of R's qt(0.975, freedom). */
static void
student_agrees(void)
{
	static const struct {
		double freedom, point;
	} points[] = { { 1, 12.70620 }, { 2, 4.302653 }, { 2.9, 4.302653 },
		{ 10, 2.228139 }, { 30, 2.042272 }, { 40, 2.021075 },
		{ 60, 2.000298 }, { 120, 1.979930 }, { 1e6, 1.959966 },
		{ INFINITY, 1.959964 } };

	for (size_t i = 0; i < sizeof points / sizeof points[0]; i++)
		CHECK(fabs(stats_student(points[i].freedom) - points[i].point) <
		    1e-3);
	for (size_t i = 3; i < 8; i++)
		CHECK(fabs(stats_student_p(points[i].point, points[i].freedom) -
			  0.05) < 1e-5);
	/* With one and with two degrees of freedom there are formulas. */
	for (int power = -4; power < 38; power++) {
		double t = pow(1.3, power);
		double one = 2 / acos(-1) * atan2(1, t);
		double two = 2 / (2 + t * t) / (1 + t / sqrt(2 + t * t));

		CHECK(fabs(stats_student_p(t, 1) - one) < 1e-10 * one);
		CHECK(fabs(stats_student_p(-t, 2) - two) < 1e-10 * two);
	}
	CHECK(isnan(stats_student_p(1, 0)));
	CHECK(isinf(stats_student(0.5)));
	CHECK(isinf(stats_student(NAN)));
}

static void
check_newcombe(const size_t hits[2], const size_t n[2], double low, double high)
{
	struct stats_interval ci = stats_newcombe(hits, n, 0);

	CHECK(fabs(ci.low - low) < 5e-5);
	CHECK(fabs(ci.high - high) < 5e-5);
}

/* R. G. Newcombe, Statistics in Medicine 17 (1998) 873, table II, method 10: the
 * second sample minus the first one. */
static void
newcombe_agrees(void)
{
	check_newcombe(
	    (size_t[]){ 48, 56 }, (size_t[]){ 80, 70 }, 0.0524, 0.3339);
	check_newcombe(
	    (size_t[]){ 3, 9 }, (size_t[]){ 10, 10 }, 0.1705, 0.8090);
	check_newcombe(
	    (size_t[]){ 0, 5 }, (size_t[]){ 29, 56 }, -0.0381, 0.1926);
	check_newcombe(
	    (size_t[]){ 0, 0 }, (size_t[]){ 20, 10 }, -0.1611, 0.2775);
	check_newcombe(
	    (size_t[]){ 0, 10 }, (size_t[]){ 20, 10 }, 0.6791, 1.0000);
}

/* The bounds that decide which rows are tested, against Fisher's test itself. */
static void
bounds_hold(void)
{
	for (size_t n = 1; n <= 9; n++)
		for (size_t m = 1; m <= 9; m++) {
			size_t sizes[] = { n, m };

			CHECK(same(stats_fisher_loss(sizes),
			    stats_fisher((size_t[]){ n, 0 }, sizes)));
			for (size_t a = 0; a <= n; a++)
				for (size_t b = 0; b <= m; b++) {
					size_t hits[] = { a, b };

					CHECK(stats_fisher_least(hits, sizes) <=
					    stats_fisher(hits, sizes) *
						(1 + 1e-9));
				}
		}
}

int
main(void)
{
	newcombe_agrees();
	bounds_hold();
	tests_are_exact();
	student_agrees();
	r_agrees();
	estimates_are_unbiased();

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
