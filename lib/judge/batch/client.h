/*
 * Sends one request to a server at a time, and retries where that may help. It
 * is for requests that are not questions to a judge.
 */
#pragma once

#include "judge/provider/recorder.h"
#include "judge/question/rate_limit.h"
#include "json/json.h"

struct batch_client {
	/* Set by the caller. */
	const struct endpoint *endpoint;
	size_t retries;            /* after the first try */
	size_t seconds;            /* for each try */
	struct recorder *recorder; /* NULL: none */

	/* private */
	void *carrier;
	struct backoff backoff;
	struct json_reader reader;
	struct arena arena;
};

/* The result of an exchange. */
struct batch_client_end {
	enum answer_kind kind; /* ANSWER_TEXT: success; ANSWER_NEVER: no other
			        * request will succeed either */
	const struct json *reply; /* the reply, after success; NULL: not JSON.
				   * Valid until the next exchange */
	int status;               /* HTTP status; 0: no reply came */
	struct str why;           /* the error, unless the exchange succeeded */
};

void batch_client_open(struct batch_client *);

/* Carries the exchange, which the caller filled, once. */
struct batch_client_end batch_client_try(
    struct batch_client *, struct exchange *);

/* Waits until the exchange may be tried again, and adds 1 to *tries. Returns
 * false at once if the result, the number of tries or an interrupt forbids
 * another try. */
bool batch_client_again(struct batch_client *, const struct exchange *,
    const struct batch_client_end *, unsigned *tries);

/* Carries the exchange, again where batch_client_again allows another try. */
struct batch_client_end batch_client_run(
    struct batch_client *, struct exchange *);

/* Waits for the time. Returns false if an interrupt came first. */
bool batch_client_wait(double seconds);

void batch_client_close(struct batch_client *);
