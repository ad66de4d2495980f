#include "base/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double
stats_round(double x)
{
	char text[32];

	snprintf(text, sizeof text, "%.6g", x);
	return strtod(text, NULL);
}

struct stats_interval
stats_wilson(size_t hits, size_t n)
{
	const double z = 1.959963984540054; /* 97.5 % quantile of the normal */
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

double
stats_pass_all(size_t hits, size_t n, size_t k)
{
	double chance = 1;

	if (n < k)
		return NAN;
	for (size_t i = 0; i < k && chance > 0; i++)
		chance *= hits > i ? (double)(hits - i) / (double)(n - i) : 0;
	return chance;
}

double
stats_pass_at(size_t hits, size_t n, size_t k)
{
	return 1 - stats_pass_all(n - hits, n, k);
}

static double
log_choose(double n, double k)
{
	return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/* Returns how much likelier the table with i + 1 hits on the first side is than the table
 * with i. */
static double
odds(size_t i, size_t all, const size_t n[2])
{
	return (double)(n[0] - i) / (double)(i + 1) * (double)(all - i) /
	    (double)(n[1] - all + i + 1);
}

/* Adds up the chances of the tables that have the same margins and are no
 * likelier than this table. The slack is the one that R uses: tables that are
 * equally likely differ in the last digits of their chances. */
double
stats_fisher(const size_t hits[2], const size_t n[2])
{
	const double slack = 1e-7;
	size_t all = hits[0] + hits[1];
	size_t least = all > n[1] ? all - n[1] : 0;
	size_t most = all < n[0] ? all : n[0];
	double seen = log_choose((double)n[0], (double)hits[0]) +
	    log_choose((double)n[1], (double)hits[1]) -
	    log_choose((double)(n[0] + n[1]), (double)all);
	double sum = 1, each = 1; /* as multiples of the chance of this table */

	if (most - least > STATS_FISHER_MAX)
		return NAN;
	for (size_t i = hits[0]; i < most; i++) {
		each *= odds(i, all, n);
		sum += each <= 1 + slack ? each : 0;
	}
	each = 1;
	for (size_t i = hits[0]; i > least; i--) {
		each /= odds(i - 1, all, n);
		sum += each <= 1 + slack ? each : 0;
	}
	return fmin(sum * exp(seen), 1);
}

double
stats_fisher_loss(const size_t n[2])
{
	double a = (double)n[0], b = (double)n[1];

	/* Only with equal sizes is a complete gain as unlikely. */
	return exp(-log_choose(a + b, a)) * (n[0] == n[1] ? 2 : 1);
}

double
stats_fisher_least(const size_t hits[2], const size_t n[2])
{
	size_t all = hits[0] + hits[1];
	double ways = log_choose((double)(n[0] + n[1]), (double)all);
	double p = 1;

	for (int side = 0; side < 2; side++) {
		size_t most = all < n[side] ? all : n[side];
		double each = exp(log_choose((double)n[side], (double)most) +
		    log_choose((double)n[!side], (double)(all - most)) - ways);

		if (each < p)
			p = each;
	}
	return p;
}

void
stats_strata_add(
    struct stats_strata *s, const size_t hits[2], const size_t n[2])
{
	double was = (double)n[0], now = (double)n[1], all = was + now;
	double passed = (double)(hits[0] + hits[1]);

	if (was == 0 || now == 0)
		return;
	s->gained += (double)hits[1] - now * passed / all;
	if (all > 1)
		s->variance += was * now * passed * (all - passed) /
		    (all * all * (all - 1));
}

double
stats_strata_p(const struct stats_strata *s)
{
	double off = fabs(s->gained) - 0.5;

	return off <= 0 || s->variance == 0 ? 1
					    : erfc(off / sqrt(2 * s->variance));
}

double
stats_pairs_phi(const size_t hits[2], size_t n, size_t lost, size_t gained)
{
	double both = (double)(hits[0] - lost), b = (double)lost;
	double c = (double)gained, neither = (double)n - both - b - c;
	double margins =
	    (both + b) * (c + neither) * (both + c) * (b + neither);
	double product = both * neither - b * c;

	if (product > 0)
		product = fmax(product - (double)n / 2, 0);
	return margins == 0 ? 0 : product / sqrt(margins);
}

/* Returns the distance of a bound of the difference from the difference: `down`
 * and `up` are those of the bounds of the two rates. */
static double
newcombe_distance(double down, double up, double phi)
{
	return sqrt(down * down - 2 * phi * down * up + up * up);
}

struct stats_interval
stats_newcombe(const size_t hits[2], const size_t n[2], double phi)
{
	struct stats_interval was = stats_wilson(hits[0], n[0]);
	struct stats_interval now = stats_wilson(hits[1], n[1]);
	double p = (double)hits[0] / (double)n[0];
	double q = (double)hits[1] / (double)n[1];

	return (struct stats_interval){
		q - p - newcombe_distance(q - now.low, was.high - p, phi),
		q - p + newcombe_distance(now.high - q, p - was.low, phi),
	};
}

double
stats_mcnemar(size_t lost, size_t gained)
{
	size_t fewer = lost < gained ? lost : gained;
	double n = (double)(lost + gained), p = 0;

	for (size_t i = 0; i <= fewer; i++)
		p += exp(log_choose(n, (double)i) - n * log(2));
	return 2 * p < 1 ? 2 * p : 1;
}

double
stats_student(double freedom)
{
	static const double points[] = { 12.706205, 4.302653, 3.182446,
		2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157,
		2.228139, 2.200985, 2.178813, 2.160369, 2.144787, 2.131450,
		2.119905, 2.109816, 2.100922, 2.093024, 2.085963, 2.079614,
		2.073873, 2.068658, 2.063899, 2.059539, 2.055529, 2.051831,
		2.048407, 2.045230, 2.042272 };
	const size_t n = sizeof points / sizeof points[0];
	const double normal = 1.959964;

	if (!(freedom >= 1))
		return INFINITY;
	if (freedom < (double)n)
		return points[(size_t)freedom - 1];
	/* From there on the point is almost linear in the reciprocal. */
	return normal + (points[n - 1] - normal) * (double)n / floor(freedom);
}

/* Returns the continued fraction of the incomplete beta function, by the method of
 * W. J. Lentz (Applied Optics 15, 1976). */
static double
beta_fraction(double a, double b, double x)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), result;

	result = d = 1 / (fabs(d) < tiny ? tiny : d);
	for (int m = 1; m < 300; m++) {
		double n = m, odd = a + 2 * n;
		const double terms[] = { n * (b - n) * x / ((odd - 1) * odd),
			-(a + n) * (a + b + n) * x / (odd * (odd + 1)) };

		for (int i = 0; i < 2; i++) {
			d = 1 + terms[i] * d;
			c = 1 + terms[i] / c;
			d = 1 / (fabs(d) < tiny ? tiny : d);
			c = fabs(c) < tiny ? tiny : c;
			result *= c * d;
		}
		if (fabs(c * d - 1) < 1e-14)
			break;
	}
	return result;
}

/* Returns the share of the beta distribution that is below x. */
static double
beta_below(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x > 0;
	front = exp(
	    lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double
stats_student_p(double t, double freedom)
{
	if (!(freedom > 0))
		return NAN;
	return beta_below(freedom / 2, 0.5, freedom / (freedom + t * t));
}
