/*
 * One request to a judge and its result: verdicts, from the judge's text or
 * the cache, or the reason why there are none.
 */
#pragma once

#include "judge/provider/recorder.h"
#include "judge/question/lease.h"
#include "judge/question/verdict.h"

struct question {
	struct prompt prompt;
	bool canary;         /* the last check is one that has to fail */
	size_t vote;         /* number of the vote, from 0 */
	size_t lane;         /* index of the judge in the scheduler */
	struct arena *arena; /* owns the result, until question_keep */

	bool done;
	bool unasked; /* it will never be asked: its checks remain pending */
	struct verdicts verdicts; /* its list is NULL if there is no answer */
	struct str why;           /* reason why there is no answer */
	bool reported;            /* the reason was already shown to the user */
	bool cached;
	struct str model; /* the model that answered; empty: not given */
	struct usage usage;

	struct cache_key key; /* the cache's key for the answer */

	struct recorder_entry entry; /* its run and checks are set by the
				      * caller */

	void *owner; /* free for the caller of the scheduler */

	/* Used by the scheduler. */
	struct question *next;   /* in a list of the scheduler */
	struct question *child;  /* in a heap (question/waiting.h) */
	struct question *behind; /* the next question with the same key */
	struct question *bucket; /* see struct scheduler */
	size_t slot;             /* where it is among those under way */
	struct exchange exchange;
	unsigned refused;   /* features that the server rejects in this request:
			   * bits that belong to the provider */
	size_t most_tokens; /* the largest limit of an answer that the server
			     * accepts; 0: not known */
	bool doubled; /* it was asked once more, after an answer that was cut
		       * off */
	unsigned tries;
	struct lease lease; /* on its answer in the cache */
	bool spoilt;        /* the cache's file was there, but not its answer */
	bool again;         /* it was asked once more, after a bad answer */
	double not_before;
};

/* Sets the key, which covers everything that an answer depends on, and nothing
 * else. */
void question_name(struct question *, const struct endpoint *);

/* Returns the key that the question had before keys named the version of the
 * prompt. */
struct cache_key question_old_key(
    const struct question *, const struct endpoint *);

/* Initialises the exchange, with a time limit of `seconds`. */
void question_begin(struct question *, double seconds);

/* Marks the question as done, without an answer. */
void question_fail(struct question *, struct str why);

/* Reads the judge's text and marks the question as done. Returns false and
 * sets q->why if the text contains no answer. */
bool question_accept(struct question *, struct str words);

/* Takes an answer and marks the question as done. An answer that decides every
 * check is stored in the folder `cache` (NULL: not stored). */
void question_settle(
    struct question *, const struct answer *, const char *cache);

/* Stores an answer in the folder `cache` if it decides every check. Any other answer
 * is asked for again next time. */
void question_store(const struct question *, const char *cache);

/* Copies the result of a question that is done to the arena. */
void question_keep(struct question *, struct arena *);

/* Takes the stored answer from the folder, also one that is stored under the old
 * key. Returns false if the folder has no answer that decides every check. */
bool question_recall(
    struct question *, const char *cache, const struct endpoint *);
