#include "judge/agreement.h"

#include <math.h>
#include <stdint.h>

static const double z = 1.959963984540054; /* 95 % quantile of the normal
					    * distribution, two-sided */

size_t
agreement_n(const struct agreement *a)
{
	return a->pass_pass + a->pass_fail + a->fail_pass + a->fail_fail;
}

static double
share(size_t part, size_t rest)
{
	size_t all = part + rest;

	return all == 0 ? (double)NAN : (double)part / (double)all;
}

double
agreement_rate(const struct agreement *a)
{
	return share(a->pass_pass + a->fail_fail, a->pass_fail + a->fail_pass);
}

double
agreement_base_rate(const struct agreement *a)
{
	return share(a->pass_pass + a->fail_pass, a->pass_fail + a->fail_fail);
}

double
agreement_tpr(const struct agreement *a)
{
	return share(a->pass_pass, a->fail_pass);
}

double
agreement_tnr(const struct agreement *a)
{
	return share(a->fail_fail, a->pass_fail);
}

double
agreement_fail_precision(const struct agreement *a)
{
	return share(a->fail_fail, a->fail_pass);
}

/* ---- kappa ---- */

/* The table as shares, p[judge's verdict][people's verdict], and the sums of
 * its rows and columns. */
struct shares {
	double p[2][2], judge[2], people[2];
	double observed, expected; /* shares of agreement */
};

static struct shares
shares_of(const struct agreement *a)
{
	double n = (double)agreement_n(a);
	struct shares s = {
		.p = { { (double)a->pass_pass / n, (double)a->pass_fail / n },
		    { (double)a->fail_pass / n, (double)a->fail_fail / n } }
	};

	for (int i = 0; i < 2; i++) {
		s.judge[i] = s.p[i][0] + s.p[i][1];
		s.people[i] = s.p[0][i] + s.p[1][i];
	}
	for (int i = 0; i < 2; i++) {
		s.observed += s.p[i][i];
		s.expected += s.judge[i] * s.people[i];
	}
	return s;
}

/* Returns the variance of kappa, multiplied by n. */
static double
kappa_variance(const struct shares *s)
{
	double po = s->observed, pe = s->expected, sum = 0, more;

	for (int i = 0; i < 2; i++) {
		int other = 1 - i;

		more = (1 - pe) - (s->judge[i] + s->people[i]) * (1 - po);
		sum += s->p[i][i] * more * more;
		more = (1 - po) * (s->people[i] + s->judge[other]);
		sum += s->p[i][other] * more * more;
	}
	more = po * pe - 2 * pe + po;
	return fmax(0, sum - more * more) / pow(1 - pe, 4);
}

double
agreement_kappa(const struct agreement *a, struct stats_interval *at)
{
	struct shares s = shares_of(a);
	double kappa = (s.observed - s.expected) / (1 - s.expected), half;

	*at = (struct stats_interval){ (double)NAN, (double)NAN };
	if (agreement_n(a) == 0 || s.expected >= 1)
		return (double)NAN;
	half = z * sqrt(kappa_variance(&s) / (double)agreement_n(a));
	*at = (struct stats_interval){ fmax(-1, kappa - half),
		fmin(1, kappa + half) };
	return kappa;
}

/* ---- the corrected rate ---- */

static double
held(double rate)
{
	return fmin(1, fmax(0, rate));
}

double
agreement_corrected(
    const struct agreement *a, size_t hits, size_t n, struct stats_interval *at)
{
	double tpr = agreement_tpr(a), tnr = agreement_tnr(a);
	double passing = (double)(a->pass_pass + a->fail_pass);
	double failing = (double)(a->pass_fail + a->fail_fail);
	double p = share(hits, n - hits), j = tpr + tnr - 1, rate, half;

	*at = (struct stats_interval){ (double)NAN, (double)NAN };
	if (!(j > 0) || n == 0)
		return (double)NAN;
	rate = (p + tnr - 1) / j;
	half = z / j *
	    sqrt(p * (1 - p) / (double)n +
		rate * rate * tpr * (1 - tpr) / passing +
		(1 - rate) * (1 - rate) * tnr * (1 - tnr) / failing);
	*at = (struct stats_interval){ held(rate - half), held(rate + half) };
	return held(rate);
}

/* ---- prediction-powered inference ---- */

enum { LEAST_SAMPLE = 2 };
static const double cell_more = 0.25;

/* Shares in the sample, and in the checks without a label. */
struct moments {
	double n, rest;             /* of the sample, and without a label */
	double people, judge, both; /* that pass, in the sample */
	double others;              /* that the judge passes, of the rest */
};

/* Returns the shares with `more` added to each cell of the sample and to each
 * verdict of the rest. */
static struct moments
moments_of(const struct agreement *a, size_t hits, size_t n, double more)
{
	struct moments m = { .n = (double)agreement_n(a) + 4 * more };
	double judge = (double)(a->pass_pass + a->pass_fail);

	m.rest = (double)(n - agreement_n(a));
	m.people = ((double)(a->pass_pass + a->fail_pass) + 2 * more) / m.n;
	m.judge = (judge + 2 * more) / m.n;
	m.both = ((double)a->pass_pass + more) / m.n;
	m.others = m.rest > 0
	    ? ((double)hits - judge + more) / (m.rest + 2 * more)
	    : m.judge;
	return m;
}

/* Returns the weight of the judge's verdicts for the narrowest interval, if n
 * checks have a label and `rest` have none. */
static double
weight_for(const struct moments *m, double n, double rest)
{
	double variance = m->judge * (1 - m->judge);
	double covariance = m->both - m->judge * m->people;

	if (rest <= 0 || variance <= 0)
		return 0;
	return held(covariance / variance / (1 + n / rest));
}

/* Returns half the width of the interval, if n checks have a label and `rest`
 * have none. */
static double
half_width(const struct moments *m, double n, double rest, double weight)
{
	double sample = m->people * (1 - m->people) +
	    weight * weight * m->judge * (1 - m->judge) -
	    2 * weight * (m->both - m->judge * m->people);
	double others = weight * weight * m->others * (1 - m->others);

	return stats_student(n - 1) *
	    sqrt(fmax(0, sample) / (n + 4 * cell_more) +
		(rest > 0 ? others / (rest + 2 * cell_more) : 0));
}

struct agreement_ppi
agreement_ppi(const struct agreement *a, size_t hits, size_t n)
{
	struct moments m = moments_of(a, hits, n, cell_more);
	struct moments plain = moments_of(a, hits, n, 0);
	struct agreement_ppi p = { (double)NAN, (double)NAN,
		{ (double)NAN, (double)NAN } };
	double middle, half;

	if (agreement_n(a) < LEAST_SAMPLE)
		return p;
	p.weight = weight_for(&m, plain.n, m.rest);
	p.rate = held(plain.people + p.weight * (plain.others - plain.judge));
	middle = m.people + p.weight * (m.others - m.judge);
	half = half_width(&m, plain.n, m.rest, p.weight);
	p.at =
	    (struct stats_interval){ held(middle - half), held(middle + half) };
	return p;
}

size_t
agreement_labels_for(
    const struct agreement *a, size_t hits, size_t n, double width)
{
	struct moments m = moments_of(a, hits, n, cell_more);
	size_t least = LEAST_SAMPLE, most = n;

	if (agreement_n(a) < LEAST_SAMPLE || n < LEAST_SAMPLE ||
	    2 * half_width(&m, (double)n, 0, 0) > width)
		return SIZE_MAX;
	while (least < most) {
		size_t labels = least + (most - least) / 2;
		double rest = (double)(n - labels);
		double weight = weight_for(&m, (double)labels, rest);

		if (2 * half_width(&m, (double)labels, rest, weight) <= width)
			most = labels;
		else
			least = labels + 1;
	}
	return least;
}
