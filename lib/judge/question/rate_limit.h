/*
 * Decides when a request may be sent: rate limits, and the waits before
 * another try. Requests are spread evenly, so that no interval of a minute has
 * more requests than the limit; so are tokens, by the numbers that the answers
 * report.
 */
#pragma once

#include <stddef.h>

/* All times are those of clock_now (base/clock.h). */
struct rate_limit {
	size_t requests,
	    tokens; /* per minute; 0: no limit. Set by the caller */

	double hold; /* a server asked for a pause until this time; private */
	double next, next_tokens;
};

/* Returns the seconds until another request may begin; 0 or less: at once. */
double rate_limit_wait(const struct rate_limit *, double now);

/* Records that a request begins, which is expected to take `tokens` tokens. */
void rate_limit_begin(struct rate_limit *, double now, double tokens);

/* Corrects the number of tokens of a request from `expected` to `taken`. */
void rate_limit_correct(struct rate_limit *, double expected, double taken);

/* Allows no request before the time `until`. */
void rate_limit_hold(struct rate_limit *, double until);

/* The longest wait in seconds that a server may impose: a batch whose server asks
 * for more is not tried again, and a scheduler's wait is shortened to this. */
static const double backoff_max = 120;

/* The waits before another try: half a second, doubled with each try up to 8
 * seconds, and shortened at random by up to a quarter, so that requests that
 * failed together are not repeated together. */
struct backoff {
	unsigned long long dice; /* seed, of any value */
};

/* Returns the wait in seconds after `tries` tries that followed the first
 * one. */
double backoff_wait(struct backoff *, unsigned tries);
