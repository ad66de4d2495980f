/*
 * Several criteria of one check, each with a score of its own, and what they
 * come to: mcp-eval's multi-criteria judge.
 */
#pragma once

#include "judge/question/verdict.h"
#include "json/json.h"

enum criteria_how {
	CRITERIA_WEIGHTED, /* by weight, and by how sure the judge is */
	CRITERIA_MIN,
	CRITERIA_HARMONIC,
	CRITERIA_MEAN,
};

struct criterion {
	struct str name;
	double weight, min_score;
	struct prompt_check ask;
};

struct criteria {
	const struct criterion *list;
	size_t n; /* 0: the check is one question */
	enum criteria_how how;
	bool all; /* each is to have its own min_score; else the whole that of
		   * all by weight */
};

/* A score that is less by no more than this is no less: 0.1 + 0.2 is 0.3. */
#define CRITERIA_SLACK 1e-9

/* Reads a pending check's judge object, whose member criteria is there. False,
 * and *why, if they are not what a judge can be asked. */
bool criteria_read(struct criteria *, struct arena *, const struct json *judge,
    struct str *why);

/* What the scores, a verdict for each criterion, come to; and whether that is
 * enough. */
double criteria_score(const struct criteria *, const struct verdict *);
bool criteria_met(const struct criteria *, const struct verdict *);

/* The judge's reasons, each after the name and the score. */
struct str criteria_reason(
    const struct criteria *, const struct verdict *, struct arena *);

/* Writes the list of [{name, score, confidence, reason}]. */
void criteria_write(
    struct out *, const struct criteria *, const struct verdict *);
