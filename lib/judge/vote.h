/*
 * Decides a check that was judged: the result is the majority of its votes, or
 * the reason why there is none.
 */
#pragma once

#include "judge/judge.h"

struct vote {
	enum status status; /* pending: the check was not asked about */
	struct str reason;  /* the judge's reason, or an error in the dialect's
			     * words */
	struct str why;     /* error; absent if there is a verdict */
	/* From the first vote of the majority, or the first that lacks a
	 * verdict: */
	const struct verdict *verdict;   /* NULL: none; with criteria, an array
					  * that begins with the first
					  * criterion's verdict */
	double score;                    /* valid if a score was asked for */
	const struct question *question; /* NULL: it was not asked */
	/* Over all votes: */
	size_t passed, failed, lacking;
	bool cached; /* all answers came from the cache */
	/* Usage of the questions in which the check comes first; only of those
	 * that were not cached, if there are any. */
	struct usage usage;
};

struct vote vote_decide(const struct judge *, const struct pending *);

/* Returns why no check of the group has a verdict; absent: the judge
 * answered. */
struct str vote_trouble(const struct group *);
