/* Kind judge: what no rule can decide. It is pending with all that mcpl-judge
 * must know, since that reads no assertion file. */
#pragma once

#include "check/check.h"

enum {
	JUDGE_PROMPT = 1, /* tell the judge the prompt */
	JUDGE_TOOL_SEQUENCE = 2,
	JUDGE_TOOL_INPUTS = 4,
	JUDGE_TRANSCRIPT = 8,
	JUDGE_EXPECTED = 16,
	JUDGE_WORKSPACE =
	    32, /* the files of the folder, if the user named it */
};

enum judge_text {
	JUDGE_FINAL, /* the run's final answer is judged */
	JUDGE_TURN,  /* the answer of the turn that the check is about */
	JUDGE_ALL,   /* all that was said and called */
};

struct judge_want {
	enum judge_text text;
	struct str rubric;
	unsigned context;    /* JUDGE_... bits */
	struct str prompt;   /* the scenario's; absent: the recorded one */
	struct str expected; /* what its author would like to see, or absent */
	bool scored;         /* wants a score, of at least min_score (0 to 1) */
	double min_score;
	bool reasoned; /* a verdict without a reason does not count */
	const struct judge_criteria *criteria; /* NULL: the rubric alone */
};

/* Several rubrics, each with a score of its own. */
struct judge_criteria {
	const struct judge_criterion *list;
	size_t n;
	struct str aggregate; /* weighted, min, harmonic_mean; all else is the
			       * plain mean */
	bool all;             /* each is to have its min_score, not the whole */
	bool confidence;      /* the judge says how sure it is */
};

struct judge_criterion {
	struct str name, description;
	const struct json *examples; /* by score, or NULL */
	double weight, min_score;
};

struct check judge_check(struct arena *, const struct judge_want *);
