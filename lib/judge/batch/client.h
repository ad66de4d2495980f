/*
 * One request to a server at a time, tried again where that may help, for what
 * is to be done beside asking questions.
 */
#ifndef ERRAND_H
#define ERRAND_H

#include "judge/provider/provider.h"
#include "judge/question/backoff.h"
#include "json/json.h"

struct errand {
	/* Set by the caller. */
	const struct peer *peer;
	size_t retries; /* after the first try */
	size_t seconds; /* for each try */

	/* private */
	void *carrier;
	struct backoff backoff;
	struct json_reader reader;
	struct arena arena;
};

/* How an exchange ended. */
struct errand_end {
	enum answer_kind kind; /* ANSWER_TEXT: well; NEVER: nor will another */
	const struct json *reply; /* of one that is well; NULL: no JSON. It
	                           * lives until the next exchange */
	int status;               /* HTTP's; 0: no reply came */
	struct str why;           /* of any other: what went wrong */
};

void errand_open(struct errand *);

/* Has an exchange that is filled carried once. */
struct errand_end errand_try(struct errand *, struct exchange *);

/* Waits until it may be tried again, and counts; false, at once, if it may not
 * be: because of how it ended, the number of tries or an interrupt. */
bool errand_again(struct errand *, const struct exchange *,
    const struct errand_end *, unsigned *tries);

/* Both, until it is well or may not be tried again. */
struct errand_end errand_run(struct errand *, struct exchange *);

/* Waits so long; false if an interrupt came first. */
bool errand_wait(double seconds);

void errand_close(struct errand *);

#endif
