/* Statistics that the reports state. */
#pragma once

#include <stddef.h>

struct stats_interval {
	double low, high;
};

/*
 * The Wilson score interval of a rate at 95 % confidence, `hits` out of n
 * (E. B. Wilson, JASA 22, 1927). Of n = 0 nothing is known: 0 to 1.
 */
struct stats_interval stats_wilson(size_t hits, size_t n);

/*
 * The chance that of k runs, drawn from n of which `hits` passed, one passes
 * at least (pass@k), or all do (pass^k): unbiased estimates of what k new
 * runs would do (M. Chen et al., arXiv:2107.03374; S. Yao et al.,
 * arXiv:2406.12045). NAN if n < k: nothing is known then.
 */
double stats_pass_at(size_t hits, size_t n, size_t k);
double stats_pass_all(size_t hits, size_t n, size_t k);

/*
 * How likely two rates are to differ by as much or more if nothing changed,
 * two-sided and exact. Fisher's test is of two samples, hits out of n each; of
 * more than STATS_FISHER_MAX hits in all it is not made, which is NAN.
 * McNemar's is of pairs, of which `lost` passed at first only, and `gained`
 * at last only.
 */
enum { STATS_FISHER_MAX = 1 << 24 };
double stats_fisher(const size_t hits[2], const size_t n[2]);
double stats_mcnemar(size_t lost, size_t gained);
