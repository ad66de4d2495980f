/*
 * Measures how well a judge, who decides pass or fail, agrees with people, who
 * are taken to be right. A number that cannot be computed is NaN.
 */
#pragma once

#include "base/stats.h"

/* Numbers of checks by verdict: the first word is the judge's, the second is
 * the people's. */
struct agreement {
	size_t pass_pass, pass_fail, fail_pass, fail_fail;
};

size_t agreement_n(const struct agreement *);

double agreement_rate(const struct agreement *);      /* share of equal
						       * verdicts */
double agreement_base_rate(const struct agreement *); /* share that people
						       * pass */
double agreement_tpr(const struct agreement *); /* share passed, of what people
						 * pass */
double agreement_tnr(const struct agreement *); /* share failed, of what people
						 * fail */

/*
 * Returns Cohen's kappa, and stores its 95 % interval by the large-sample
 * variance (J. L. Fleiss, J. Cohen, B. S. Everitt, Psychological Bulletin 72,
 * 1969).
 */
double agreement_kappa(const struct agreement *, struct stats_interval *);

/*
 * Returns the pass rate (`hits` passes by the judge in `n` checks), corrected
 * for the known errors of the judge (W. J. Rogan, B. Gladen, American Journal
 * of Epidemiology 107, 1978) and clamped to 0 and 1. Stores the 95 % interval
 * by the delta method. Returns NaN if the judge is no better than chance.
 */
double agreement_corrected(
    const struct agreement *, size_t hits, size_t n, struct stats_interval *);
