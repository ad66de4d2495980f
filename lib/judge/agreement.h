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

/* Return the shares of the checks that people fail: of those that the judge
 * fails, as precision has it. The recall of "fail" is the tnr. */
double agreement_fail_precision(const struct agreement *);

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

/* An estimate of the pass rate from verdicts of people on a random sample of the
 * checks, and of the judge on all of them. */
struct agreement_ppi {
	double rate;
	double weight; /* of the judge's verdicts: 0 ignores these */
	struct stats_interval at;
};

/*
 * Returns the estimate by prediction-powered inference (A. N. Angelopoulos et
 * al., Science 382, 2023), whose weight is tuned to the narrowest interval
 * (PPI++, arXiv:2311.01453). `hits` and n count the judge's passes and verdicts,
 * those on the sample among them. The interval is Student's, of the table with
 * a quarter added to each cell: without the addition a small sample that has no
 * error would prove a judge without errors. All is NaN for a sample below two.
 */
struct agreement_ppi agreement_ppi(
    const struct agreement *, size_t hits, size_t n);

/* Returns the number of labels for which the interval of agreement_ppi is
 * expected to be as narrow as `width`, with the rates of the sample; SIZE_MAX
 * if labels for all n checks do not suffice, or the sample is below two. */
size_t agreement_labels_for(
    const struct agreement *, size_t hits, size_t n, double width);
