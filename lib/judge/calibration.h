/*
 * Compares a judge's verdicts with those of people (judge/labels.h), to find out
 * how far the judge can be trusted: in all, and for each rubric. Labels of checks
 * that were chosen since the judge is unsure say nothing about all checks: they
 * are counted apart.
 */
#pragma once

#include <stdbool.h>

#include "base/hash.h"
#include "io/out.h"
#include "judge/agreement.h"
#include "judge/labels.h"
#include "json/json.h"

/* The checks of one rubric, or all checks. */
struct calibration_part {
	struct str label, rubric; /* of the first check */
	struct agreement agreement;
	size_t judged, passed;   /* verdicts, with a label or without */
	size_t without;          /* checks with a label, but without a
				  * verdict */
	size_t voted, unanimous; /* checks with several votes */
	double pairs, agreeing;  /* pairs of votes on a check, and those that
				  * agree */
};

/* A check on which the judge and people disagree. */
struct disagreement {
	const struct label *label;
	struct str reason; /* the judge's */
};

struct calibration {
	double width; /* set by the caller: of the interval for which labels are
		       * counted */
	struct calibration_part all, **parts; /* parts: array of n_parts */
	size_t n_parts;
	struct agreement uncertain; /* labels that count apart */
	struct disagreement *disagreements;
	size_t n_disagreements;
	struct str judge; /* PROVIDER MODEL of the first verdict */
	bool mixed;       /* other judges gave verdicts, too */

	/* private */
	struct arena arena;
	struct labels labels;
	struct hash_table by_rubric;
};

/* Reads the labels into a calibration that is zero but for `width`. Returns false
 * after messages if they contain a mistake. */
bool calibration_open(struct calibration *, const char *path);

/* Adds the verdicts of a judged run. */
void calibration_add(struct calibration *, const struct json *record);

/* Reports problems with the labels, after all runs were added. Returns false
 * if a label fits several checks or if there is nothing to compare. */
bool calibration_warn(const struct calibration *);

/* Returns whether the judge's kappa is at least this number, after a message if
 * not. A kappa that cannot be computed is reported as an error. */
bool calibration_reaches(const struct calibration *, double kappa);

/* Write the result as text, whose lines take at most `columns` cells where that is
 * possible, or as one JSON object. */
void calibration_text(const struct calibration *, struct out *, size_t columns);
void calibration_json(const struct calibration *, struct out *);

void calibration_close(struct calibration *);
