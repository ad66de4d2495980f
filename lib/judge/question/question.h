/*
 * One request to a judge and what came of it: verdicts, out of the judge's
 * words or the cache, or why there are none.
 */
#pragma once

#include "judge/provider/provider.h"
#include "judge/question/cache.h"
#include "judge/question/verdict.h"

struct question {
	struct prompt prompt;
	bool canary;         /* the last check of it has to fail */
	size_t vote;         /* how often the same was asked before */
	struct arena *arena; /* holds what comes of it */

	bool done;
	bool unasked; /* and will not be: its checks stay as they are */
	struct verdicts verdicts; /* its list is NULL if there is no answer, */
	struct str why;           /* and this says why; */
	bool told;                /* the user knows already */
	bool cached;
	struct str model; /* who answered; of length 0: not told */
	struct usage usage;

	struct cache_key key; /* what the answer is kept under */

	/* The asker's. */
	struct question *next;
	struct question *ahead, *behind; /* the same key, before and after */
	struct exchange exchange;
	unsigned tries;
	bool looked; /* the cache did not have it */
	double not_before;
};

/* Sets the key: all that an answer hangs on, and nothing else. */
void question_name(struct question *, const struct endpoint *);

/* Has its exchange ready to be filled; it may take so many seconds. */
void question_begin(struct question *, double seconds);

/* It is done, without an answer. */
void question_fail(struct question *, const struct endpoint *, struct str why);

/* Takes the judge's words; it is done. False, and why is set, if there is no
 * answer in them. */
bool question_accept(
    struct question *, const struct endpoint *, struct str words);

/* Takes an answer; it is done. One that decides every check is kept in the
 * folder (NULL: there is none). */
void question_settle(struct question *, const struct endpoint *,
    const struct answer *, const char *cache);

/* Takes a kept answer; false if the folder has none that decides every
 * check. */
bool question_recall(struct question *, const char *cache);
