/*
 * How far a judge can be trusted: its verdicts beside those of people. A file
 * of labels has one for each check that people looked at: {"id": RUN,
 * "label": CHECK, "at": FILE:LINE, "verdict": "pass" or "fail"}; "at" may be
 * left out where the label is the run's only one. Other members are let be.
 */
#pragma once

#include <stdbool.h>

#include "io/out.h"
#include "judge/agreement.h"
#include "json/json.h"

struct calibration {
	struct agreement agreement;
	size_t judged, passed;   /* verdicts, with a label or without */
	size_t without;          /* checks with a label, and no verdict */
	size_t voted, unanimous; /* checks with several votes */
	double pairs, agreeing;  /* of such votes */
	struct str judge;        /* PROVIDER MODEL of the first verdict */
	bool mixed;              /* there are others */

	/* private */
	struct arena arena;
	struct human *labels;
	size_t n;
};

/* Reads the labels. False if there is a mistake in them, which was told. */
bool calibration_open(struct calibration *, const char *path);

/* Takes note of a judged run. */
void calibration_add(struct calibration *, const struct json *record);

/* Tells what is wrong with the labels, now that all runs are known. False, if
 * one could not be placed, or if there is nothing to compare. */
bool calibration_warn(const struct calibration *);

/* What came of it, as text or as one JSON object. */
void calibration_text(const struct calibration *, struct out *);
void calibration_json(const struct calibration *, struct out *);

void calibration_close(struct calibration *);
