/*
 * Asks: several questions at once, each answered from the cache or by the
 * judge, tried again where that may help. Nothing is known here of records;
 * nothing of an answer is believed that verdict_read does not accept.
 */
#pragma once

#include "base/hash.h"
#include "judge/batch/lookup.h"
#include "judge/question/budget.h"
#include "judge/question/prices.h"
#include "judge/question/question.h"
#include "judge/question/rate_limit.h"

struct scheduler {
	/* Set by the caller. */
	struct endpoint endpoint;
	size_t jobs;               /* requests under way at once */
	size_t retries;            /* after the first try */
	size_t seconds;            /* for each try */
	const char *cache;         /* folder; NULL: none */
	bool cache_only;           /* never ask */
	bool refresh;              /* ask even where the cache has an answer */
	bool dry_run;              /* count only */
	struct batch_lookup *desk; /* batches have the answers, and nothing is
	                         * sent; NULL: none do */
	struct rate_limit rate_limit;
	struct budget budget;
	const struct prices *prices; /* NULL: as far as the server says */
	void (*tick)(void *); /* called now and then while one waits; or NULL */
	void *tick_arg;

	/* What was done. */
	size_t requests;    /* sent, each try counted; or that would be */
	size_t cached;      /* questions that the cache answered */
	size_t bytes;       /* that --dry-run would send */
	struct str stopped; /* why no more is asked; absent: all was */
	struct usage usage; /* of the answers that were asked for */

	/* private */
	void *carrier;
	struct question *waiting, **last; /* in the order of scheduler_put */
	struct question **asked;          /* of number n_asked */
	size_t n_asked;
	bool interrupted;
	struct str hopeless; /* why nothing is asked any more; absent: it is */
	struct arena arena;  /* for as long as this */
	struct hash_table counted; /* names, by --dry-run */
	struct backoff backoff;
};

/* Gets ready to ask; the rest is set. */
void scheduler_open(struct scheduler *);

/* Puts a question: prompt and arena are set, the rest is zero. It stays where
 * it is until it is done. */
void scheduler_put(struct scheduler *, struct question *);

/* Whether all is left as it is: nobody gets an answer. */
bool scheduler_only_looks(const struct scheduler *);

/* Moves on until at least one more question is done, or the descriptor `fd`
 * (-1: none) can be read. Once interrupt_came, nothing more is asked, and no
 * reply is waited for. */
void scheduler_wait(struct scheduler *, int fd);

/* Asks nothing more, for this reason; what is under way is waited for. */
void scheduler_stop(struct scheduler *, struct str why);

/* All questions are done. */
void scheduler_close(struct scheduler *);
