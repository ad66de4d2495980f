/*
 * How fast one may ask. Requests are spread evenly, so that no minute, where
 * ever it begins, has more of them than are allowed; tokens likewise, by what
 * the answers say that they took.
 */
#pragma once

#include <stddef.h>

/* All times are clock_now's. */
struct rate_limit {
	size_t requests,
	    tokens; /* a minute; 0: any number. Set by the caller */

	double hold; /* a server asked for a rest until then; private */
	double next, next_tokens;
};

/* Seconds until another request may begin; not above 0: now. */
double rate_limit_wait(const struct rate_limit *, double now);

/* One begins that may take so many tokens. */
void rate_limit_begin(struct rate_limit *, double now, double tokens);

/* It took these. */
void rate_limit_correct(struct rate_limit *, double expected, double taken);

/* No request before. */
void rate_limit_hold(struct rate_limit *, double until);

/* How long to wait before another try: half a second, twice as long each time
 * up to 8 seconds, less up to a quarter of it, so that many that failed at once
 * are not tried at once. */
/* If a server asks us to wait for more seconds, it is not asked again. */
static const double backoff_max = 120;

struct backoff {
	unsigned long long dice; /* of any value */
};

/* In seconds, after so many tries besides the first. */
double backoff_wait(struct backoff *, unsigned tries);
