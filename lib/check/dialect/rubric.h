/* Remarks on the rubrics of judges. */
#pragma once

#include "check/kind/kind.h"
#include "yaml/document.h"

/* A key by which an author shows more to the judge. */
struct rubric_remedy {
	const char *key;
	unsigned shows; /* JUDGE_... bits */
};

/*
 * Reports what a rubric speaks of and its judge is not shown, and a scale of the
 * rubric's own. `at` is the place of the rubric in the file, and `remedy` what the
 * author can do (NULL: nothing). A rubric is a text in any language: the
 * remarks are about English words and are never mistakes.
 */
void rubric_remark(const struct document *, const struct json *at,
    const struct judge_want *, const struct rubric_remedy *remedy);

/* Like rubric_remark, of a judge whose claim is at this place of a file of rules; the
 * remedy is the word of the grammar. */
void rubric_remark_rule(
    struct policy *, struct place, const struct judge_want *);

/* Returns a least score from 0 to 1: the given score, or, if that lies on the
 * rubric's own scale and is greater than 1, its share of the scale. */
double rubric_least(const struct judge_want *, double given);
