/*
 * One request to a server at a time, tried again where that may help, for what
 * is to be done beside asking questions.
 */
#pragma once

#include "judge/provider/provider.h"
#include "judge/question/rate_limit.h"
#include "json/json.h"

struct batch_client {
	/* Set by the caller. */
	const struct endpoint *endpoint;
	size_t retries; /* after the first try */
	size_t seconds; /* for each try */

	/* private */
	void *carrier;
	struct backoff backoff;
	struct json_reader reader;
	struct arena arena;
};

/* How an exchange ended. */
struct batch_client_end {
	enum answer_kind kind; /* ANSWER_TEXT: well; NEVER: nor will another */
	const struct json *reply; /* of one that is well; NULL: no JSON. It
	                           * lives until the next exchange */
	int status;               /* HTTP's; 0: no reply came */
	struct str why;           /* of any other: what went wrong */
};

void batch_client_open(struct batch_client *);

/* Has an exchange that is filled carried once. */
struct batch_client_end batch_client_try(
    struct batch_client *, struct exchange *);

/* Waits until it may be tried again, and counts; false, at once, if it may not
 * be: because of how it ended, the number of tries or an interrupt. */
bool batch_client_again(struct batch_client *, const struct exchange *,
    const struct batch_client_end *, unsigned *tries);

/* Both, until it is well or may not be tried again. */
struct batch_client_end batch_client_run(
    struct batch_client *, struct exchange *);

/* Waits so long; false if an interrupt came first. */
bool batch_client_wait(double seconds);

void batch_client_close(struct batch_client *);
