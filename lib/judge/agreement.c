#include "judge/agreement.h"

#include <math.h>

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
