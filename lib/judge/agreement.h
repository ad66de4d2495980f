/*
 * How well one who decides pass or fail (a judge) agrees with another who is
 * right (people). Numbers that cannot be had (of nothing) are NaN.
 */
#pragma once

#include "base/stats.h"

/* How often both said what: the first word is the judge's. */
struct agreement {
	size_t pass_pass, pass_fail, fail_pass, fail_fail;
};

size_t agreement_n(const struct agreement *);

double agreement_rate(const struct agreement *);      /* both the same */
double agreement_base_rate(const struct agreement *); /* people pass */
double agreement_tpr(const struct agreement *); /* passed of what passes */
double agreement_tnr(const struct agreement *); /* failed of what fails */

/*
 * Cohen's kappa, and its interval at 95 % by the large-sample variance (J. L.
 * Fleiss, J. Cohen, B. S. Everitt, Psychological Bulletin 72, 1969).
 */
double agreement_kappa(const struct agreement *, struct stats_interval *);

/*
 * What a rate of passes, `hits` out of n by the judge, is by what is known of
 * its errors (W. J. Rogan, B. Gladen, American Journal of Epidemiology 107,
 * 1978), held to 0 and 1, and its interval at 95 % by the delta method. NaN if
 * the judge is no better than chance.
 */
double agreement_corrected(
    const struct agreement *, size_t hits, size_t n, struct stats_interval *);
