/*
 * Finds in the text of a rubric, by words of English, which kinds of evidence the
 * rubric speaks of, and the scale of scores that the rubric names. A rubric is a
 * text in any language and form: both are good guesses for remarks and never
 * grounds for a mistake.
 */
#pragma once

#include "base/str.h"

/* Kinds of evidence, as bits. */
enum rubric_kind {
	RUBRIC_TOOLS = 1 << 0,    /* which tools were called */
	RUBRIC_RESULTS = 1 << 1,  /* what calls returned */
	RUBRIC_COMMANDS = 1 << 2, /* what calls ran */
	RUBRIC_FILES = 1 << 3,
	RUBRIC_CONVERSATION = 1 << 4,
	RUBRIC_PROMPT = 1 << 5, /* what the user asked */
	RUBRIC_SYSTEM = 1 << 6, /* the system prompt */
	RUBRIC_ANSWER = 1 << 7,
};

/* Returns the RUBRIC_... bits of what the text speaks of. */
unsigned rubric_speaks_of(struct str text);

/* A scale of scores, of which `max` is the best. */
struct rubric_scale {
	double min, max;
};

/* Returns whether the text names a scale of its own, such as "1 to 5", "out of 10",
 * "0-100", "in percent" or "a 5-point scale", and sets *scale. A scale from 0 to 1
 * is none of its own, and neither is one on which 1 is the best. */
bool rubric_scale(struct str text, struct rubric_scale *scale);

/* Returns whether the text names a scale on which `least`, which is greater than 1,
 * lies, and sets *share to the same score from 0 to 1. */
bool rubric_share(struct str text, double least, double *share);
