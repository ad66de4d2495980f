/*
 * What came of a check that was judged: the majority of the votes on it, or
 * why there is none.
 */
#pragma once

#include "judge/judge.h"

struct vote {
	enum status status; /* pending: it was not asked about */
	struct str reason;  /* the judge's, or its dialect's */
	struct str why;     /* there is no verdict; else absent */
	/* The first vote of the majority, or that lacks a verdict: */
	const struct verdict *verdict;   /* NULL: there is none; of several
	                                * criteria the first's */
	double score;                    /* if one was asked for */
	const struct question *question; /* NULL: it was not asked */
	/* Of all votes: */
	size_t passed, failed, lacking;
	bool cached; /* all were */
	/* Of the questions in which it comes first; of those that were asked
	 * for if there are any. */
	struct usage usage;
};

struct vote vote_decide(const struct judge *, const struct pending *);

/* Why no check of the batch has a verdict; absent: the judge answered. */
struct str vote_trouble(const struct group *);
