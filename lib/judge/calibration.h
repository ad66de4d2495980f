/*
 * Compares a judge's verdicts with those of people, to find out how far the
 * judge can be trusted. A file of labels has one label for each check that
 * people looked at: {"id": RUN, "label": CHECK, "at": FILE:LINE, "verdict":
 * "pass" or "fail"}. "at" may be left out if the run has only one check of
 * that label. Other members are ignored.
 */
#pragma once

#include <stdbool.h>

#include "io/out.h"
#include "judge/agreement.h"
#include "json/json.h"

struct calibration {
	struct agreement agreement;
	size_t judged, passed;   /* verdicts, with a label or without */
	size_t without;          /* checks with a label, but without a
				  * verdict */
	size_t voted, unanimous; /* checks with several votes */
	double pairs, agreeing;  /* pairs of votes on a check, and those that
				  * agree */
	struct str judge;        /* PROVIDER MODEL of the first verdict */
	bool mixed;              /* other judges gave verdicts, too */

	/* private */
	struct arena arena;
	struct human *labels;
	size_t n;
};

/* Reads the labels into a zeroed calibration. Returns false after messages if
 * they contain a mistake. */
bool calibration_open(struct calibration *, const char *path);

/* Adds the verdicts of a judged run. */
void calibration_add(struct calibration *, const struct json *record);

/* Reports problems with the labels, after all runs were added. Returns false
 * if a label fits several checks or if there is nothing to compare. */
bool calibration_warn(const struct calibration *);

/* Write the result as text or as one JSON object. */
void calibration_text(const struct calibration *, struct out *);
void calibration_json(const struct calibration *, struct out *);

void calibration_close(struct calibration *);
