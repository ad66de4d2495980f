/*
 * Asks several questions at once. Each is answered from the cache, by a batch
 * or by the judge, and is tried again where that may help. The scheduler knows
 * nothing of records, and accepts no answer that verdict_read rejects.
 */
#pragma once

#include "base/hash.h"
#include "judge/batch/lookup.h"
#include "judge/question/budget.h"
#include "judge/question/charge.h"
#include "judge/question/estimate.h"
#include "judge/question/question.h"
#include "judge/question/rate_limit.h"
#include "judge/question/waiting.h"
#include "judge/transport.h"

/* A judge: its endpoint, its rate limit, and the questions that wait for it. */
struct lane {
	/* Set by the caller. */
	struct endpoint endpoint;
	struct rate_limit rate_limit;

	struct str stopped; /* reason why this judge is asked no more; absent:
			     * there is none */

	/* private */
	struct transport *transport;
	struct waiting_list ready; /* neither the cache nor a batch has an
				    * answer */
	struct waiting_heap later; /* another try, after a wait */
	size_t n_asked;            /* under way */
};

struct scheduler {
	/* Set by the caller. */
	struct lane *lanes; /* array of n_lanes */
	size_t n_lanes;
	size_t jobs;                  /* most requests that are under way at
				       * once to a judge */
	size_t retries;               /* after the first try */
	size_t seconds;               /* time limit of each try */
	bool retry_timeouts;          /* also retry after this time */
	const char *cache;            /* folder; NULL: none */
	bool cache_only;              /* never ask */
	bool refresh;                 /* ask even if the cache has an answer */
	bool dry_run;                 /* only count requests */
	struct batch_lookup *batches; /* answers questions from batches, and
				       * nothing is sent; NULL: no batches */
	struct recorder *recorder;    /* keeps each try; NULL: none */
	struct budget budget;         /* of all judges together */
	struct prices *prices;        /* NULL: costs are known only if the
				       * server reports them */
	void (*tick)(void *); /* called from time to time during waits; may be
			       * NULL */
	void *tick_arg;

	/* Counts and results. */
	size_t requests; /* sent, with each try counted; or that would be
			     * sent */
	size_t cached;   /* questions that the cache answered */
	struct estimate estimate; /* what --dry-run would send */
	struct str stopped; /* reason why no more is asked; absent: all was
			     * asked */
	struct usage usage; /* of the answers that were not in the cache */

	/* private */
	struct str lacking;           /* of an endpoint */
	struct transport *transports; /* a list */
	struct waiting_list fresh;    /* of scheduler_put, in order */
	struct waiting_list done;     /* not yet returned by scheduler_next */
	struct question **asked;      /* under way: array of n_asked */
	size_t n_asked;
	/* With a cache: questions that are not done, by the hash of their key;
	 * of those with the same key, the last. */
	struct question **buckets;
	bool interrupted;
	struct arena arena; /* as long as the scheduler */
	struct backoff backoff;
};

/* Prepares the scheduler. The caller has set the first part of its members;
 * the rest is zero. */
void scheduler_open(struct scheduler *);

/* Adds a question, whose prompt, lane, arena and owner are set and whose other
 * members are zero. The question must not move before it is done. */
void scheduler_put(struct scheduler *, struct question *);

/* Returns whether enough questions wait to keep the judge busy, so that more
 * would only take memory. */
bool scheduler_is_full(const struct scheduler *);

/* Returns the next question that is done, each once, in the order in which they
 * were done; NULL if there is none at the moment. */
struct question *scheduler_next(struct scheduler *);

/* Returns whether no question gets an answer, so that records pass through
 * unchanged: with --dry-run and --batch-write. */
bool scheduler_only_looks(const struct scheduler *);

/* Works until at least one more question is done, or the descriptor `fd` (-1:
 * none) can be read. After interrupt_came, no more questions are asked and no
 * reply is waited for. */
void scheduler_wait(struct scheduler *, int fd);

/* Asks no more questions, for this reason, and still waits for requests that
 * are under way. */
void scheduler_stop(struct scheduler *, struct str why);

/* Frees the scheduler. All questions must be done. */
void scheduler_close(struct scheduler *);
