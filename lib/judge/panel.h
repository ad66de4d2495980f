/*
 * Measures how well the judges of a panel agree with each other on the checks
 * that several of them decided.
 */
#pragma once

#include "judge/agreement.h"
#include "judge/vote.h"

/* Counts a pair of verdicts if both are pass or fail. */
void panel_pair(struct agreement *, enum vote_side, enum vote_side);

/* A zeroed panel has no checks. */
struct panel {
	const struct lane *lanes;
	size_t judges;
	struct agreement *pairs; /* judges * judges: those of the first judge
				  * with each later one are used */
	size_t checks;           /* with at least two verdicts */
	/* For Krippendorff's alpha: the verdicts on these checks, and the sum
	 * over the checks of pass * fail / (verdicts - 1). */
	size_t pass, fail;
	double disagreement;
};

/* Adds the verdicts of the judges on a check that was asked about: each judge's
 * own majority. Votes without a verdict are left out. */
void panel_add(struct panel *, const struct judge *, const struct pending *,
    struct arena *);

/*
 * Returns Krippendorff's alpha for two categories, with missing values (K.
 * Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011): 1 - observed
 * / expected disagreement. NaN if only one verdict was ever given.
 */
double panel_alpha(const struct panel *);

/* Returns a text that has the kappa with its interval: "; kappa: K (K to K)", in
 * the arena; empty if there is no kappa. */
const char *panel_kappa(const struct agreement *, struct arena *);

/* Reports the agreement, if there is any to report. */
void panel_warn(const struct panel *);
