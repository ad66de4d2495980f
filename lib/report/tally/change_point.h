/*
 * Finds where a series of samples in the order of time changes: where the rate
 * of hits, or the size of amounts, is another one from some sample on.
 *
 * A series is cut at the sample where the difference of both sides is greatest,
 * and each side again (binary segmentation). A cut counts if Fisher's test of
 * rates, or Welch's t test of the logarithms of amounts, is significant after
 * Bonferroni's correction for the places where a cut was looked for. All is
 * computed exactly, so that a series has the same changes each time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/stats.h"

/* A sample, or the sum of several: of rates, n runs with `hits`; of amounts, n runs
 * and the sums of the amounts, of log(1 + amount), and of the squares of both. */
struct change_sample {
	size_t hits, n;
	double sum, squares, logs, log_squares;
};

struct change_point {
	size_t at; /* the first sample after the change */
	double p;  /* without a correction */
	struct change_sample side[2];
};

/* Places in several series of which the changes are one family. */
struct change_family {
	bool rates;    /* else amounts */
	double margin; /* the least change of an amount that counts: 0.2 */
	double alpha; /* the chance that any change is found if there is none */
	/* Set by change_family_close(). */
	double most;       /* the p-value of a change */
	double dispersion; /* at least 1: see change_family_close() */

	/* private */
	double *least; /* p-values that a place may have at least */
	size_t n;
	double spread; /* of rates: squared differences of neighbours, as
			* multiples of what they are by chance */
	size_t pairs;
};

/* Adds the places of a series to the family: `before` has n + 1 samples, of which
 * the i-th is the sum of the first i samples of the series. */
void change_family_add(struct change_family *,
    const struct change_sample *before, size_t n, struct arena *);

/* Ends the adding. Places where no result could be significant do not count (R. E.
 * Tarone, Biometrics 46, 1990). Where neighbouring rates of the family differ clearly more
 * than runs that are independent do, by a factor that is the dispersion, the likelihood
 * ratio of rates is divided by that factor (R. W. M. Wedderburn, Biometrika 61, 1974). */
void change_family_close(struct change_family *);

/* Returns the *found changes of one of the series, in their order, in the arena. */
struct change_point *change_points(const struct change_family *,
    const struct change_sample *before, size_t n, struct arena *,
    size_t *found);

/* Returns the sum of the samples from `from` to before `to`. */
struct change_sample change_between(
    const struct change_sample *before, size_t from, size_t to);

/* Returns the mean of the amounts; and its interval at 95 % confidence, which is not
 * known (NAN) with fewer than two. */
double change_mean(const struct change_sample *);
struct stats_interval change_interval(const struct change_sample *);
