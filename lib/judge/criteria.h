/*
 * Reads the criteria of a check that is judged by several scores, and combines
 * the scores: mcp-eval's multi-criteria judge.
 */
#pragma once

#include "judge/question/verdict.h"
#include "json/json.h"

enum criteria_how {
	CRITERIA_WEIGHTED, /* mean by weight and confidence */
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
	size_t n; /* 0: the check is a single question */
	enum criteria_how how;
	bool all; /* each score must reach its own min_score; otherwise the
		   * combined score must reach the weighted mean of all
		   * min_scores */
};

/* A score that is below a limit by at most this amount reaches the limit: 0.1
 * + 0.2 is 0.3. */
#define CRITERIA_SLACK 1e-9

/* Sets the scale of a check that asks for a score from {min, max}; NULL: the scale
 * is from 0 to 1. */
void criteria_scale(struct prompt_check *, const struct json *scale);

/* Reads the member criteria of a pending check's judge object, which must have
 * that member. Returns false and sets *why if a judge cannot be asked about
 * them. */
bool criteria_read(struct criteria *, struct arena *, const struct json *judge,
    struct str *why);

/* Return the combined score, and whether it suffices. `v` has a verdict for
 * each criterion. */
double criteria_score(const struct criteria *, const struct verdict *);
bool criteria_met(const struct criteria *, const struct verdict *);

/* Returns the judge's reasons, each after the name and the score of its
 * criterion, in the arena. */
struct str criteria_reason(
    const struct criteria *, const struct verdict *, struct arena *);

/* Writes the scores as [{name, score, rating, confidence, reason, quotes}]. */
void criteria_write(
    struct out *, const struct criteria *, const struct verdict *);
