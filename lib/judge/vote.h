/*
 * Decides the checks of a judged record: the result of a check is the majority
 * of all votes on it, or the reason why there is none. A vote that lacks a
 * verdict counts among all votes, so that it never helps a verdict.
 */
#pragma once

#include "judge/judge.h"

enum vote_side {
	VOTE_PASS,
	VOTE_FAIL,
	VOTE_UNSURE,
	VOTE_ERROR, /* also if what decides was not shown */
	VOTE_UNASKED,
	VOTE_SIDES,
};

/* Returns "pass", "fail", "unsure" or "error". */
const char *vote_word(enum vote_side);

/* The result of a check, or of one vote on it. */
struct vote {
	enum vote_side side;
	enum verdict_found found; /* pass, fail, unsure or not shown; missing:
				   * there is no verdict */
	struct str reason; /* the judge's reason, or an error in the dialect's
			    * words */
	struct str why;    /* error; absent if there is a verdict */
	/* From the first vote of the majority, or the first that lacks a
	 * verdict: */
	const struct verdict *verdict;   /* NULL: none; with criteria, an array
					  * that begins with the first
					  * criterion's verdict */
	double score;                    /* valid if a score was asked for */
	const struct question *question; /* NULL: it was not asked */
	struct str shown;                /* what the judge saw, JSON */
	size_t n[VOTE_SIDES];            /* votes by side */
	bool cached;                     /* all answers came from the cache */
	/* Usage of the questions in which the check comes first; only of those
	 * that were not cached, if there are any. */
	struct usage usage;
};

enum status vote_status(const struct vote *);

/* Returns why no check of the group has a verdict; absent: the judge
 * answered. */
struct str vote_trouble(const struct group *);

/* Returns the result of one vote on the check. Texts are in the arena. */
struct vote vote_on(
    const struct pending *, const struct ballot *, struct arena *);

/* Returns the majority of `n` ballots on the check, beginning with the one of
 * index `first`; only the side and what follows from it is set. */
struct vote vote_majority(
    const struct judge *, const struct pending *, size_t first, size_t n);

/* Returns the result of the check. */
struct vote vote_decide(const struct judge *, const struct pending *);

/* Puts the checks on which the judges that were asked are not sure to the next
 * judge. All questions of the record must be done; afterwards, this is so if
 * there is no such check or no next judge. */
void vote_escalate(struct judge *, struct scheduler *);
