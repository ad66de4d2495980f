/* The statistics that reports print. */
#pragma once

#include <stddef.h>

/* Rounds to six digits, as reports print; the other digits differ from machine to
 * machine. */
double stats_round(double);

struct stats_interval {
	double low, high;
};

/*
 * Returns the Wilson score interval at 95 % confidence of a rate, `hits` out of
 * n (E. B. Wilson, JASA 22, 1927). For n = 0 the interval is 0 to 1.
 */
struct stats_interval stats_wilson(size_t hits, size_t n);

/*
 * Return the chance that at least one (pass@k, stats_pass_at) or all (pass^k,
 * stats_pass_all) of k runs pass, if the k runs are drawn from n runs of which
 * `hits` passed. Both are unbiased estimates of what k new runs would do
 * (M. Chen et al., arXiv:2107.03374; S. Yao et al., arXiv:2406.12045). The
 * result is NAN if n < k.
 */
double stats_pass_at(size_t hits, size_t n, size_t k);
double stats_pass_all(size_t hits, size_t n, size_t k);

/*
 * Return the p-value that two rates differ by as much or more if nothing
 * changed, two-sided and exact. Fisher's test compares two samples, with
 * hits[i] out of n[i] each; with more than STATS_FISHER_MAX possible tables it
 * returns NAN. McNemar's test compares pairs, of which `lost` passed only
 * before and `gained` passed only after.
 */
enum { STATS_FISHER_MAX = 1 << 24 };
double stats_fisher(const size_t hits[2], const size_t n[2]);
double stats_mcnemar(size_t lost, size_t gained);

/* Returns the p-value of Fisher's test where all of n[0] runs passed and none of
 * n[1] does now; the smallest p-value that samples of these sizes can have. */
double stats_fisher_loss(const size_t n[2]);

/* Returns a lower bound of the p-values that Fisher's test gives two samples of
 * these sizes with as many hits in all. */
double stats_fisher_least(const size_t hits[2], const size_t n[2]);

/*
 * The test of Mantel and Haenszel (JNCI 22, 1959), which compares two rates
 * within each of several strata, so that a stratum with more runs on one side
 * changes nothing. A zeroed struct has no stratum.
 */
struct stats_strata {
	double gained;   /* hits of the second sample beyond those expected */
	double variance; /* of `gained` if nothing changed */
};
void stats_strata_add(
    struct stats_strata *, const size_t hits[2], const size_t n[2]);
/* Returns the two-sided p-value, by the normal distribution with a correction
 * for continuity. */
double stats_strata_p(const struct stats_strata *);

/*
 * Returns the hybrid score interval at 95 % confidence of the difference
 * hits[1]/n[1] - hits[0]/n[0] (R. G. Newcombe, Statistics in Medicine 17, 1998,
 * methods 10 for independent samples and, for pairs, 10 of the second paper).
 * phi is the correlation of pairs by stats_pairs_phi, 0 without pairs.
 */
struct stats_interval stats_newcombe(
    const size_t hits[2], const size_t n[2], double phi);
/* Returns the correlation, with Newcombe's correction for continuity, of n pairs
 * with hits[0] and hits[1] hits, of which `lost` and `gained` are only on the
 * first or second side. */
double stats_pairs_phi(
    const size_t hits[2], size_t n, size_t lost, size_t gained);

/* Returns the 97.5 % point of Student's t distribution, by which intervals at
 * 95 % confidence are made; `freedom`, the degrees of freedom, is rounded down.
 * Returns INFINITY if there is none. */
double stats_student(double freedom);

/* Returns the two-sided p-value of t under Student's t distribution; NAN if there
 * is no degree of freedom. */
double stats_student_p(double t, double freedom);
