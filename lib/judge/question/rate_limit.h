/*
 * How fast one may ask. Requests are spread evenly, so that no minute, where
 * ever it begins, has more of them than are allowed; tokens likewise, by what
 * the answers say that they took.
 */
#ifndef PACE_H
#define PACE_H

#include <stddef.h>

/* All times are clock_now's. */
struct pace {
	size_t requests,
	    tokens; /* a minute; 0: any number. Set by the caller */

	double hold; /* a server asked for a rest until then; private */
	double next, next_tokens;
};

/* Seconds until another request may begin; not above 0: now. */
double pace_wait(const struct pace *, double now);

/* One begins that may take so many tokens. */
void pace_begin(struct pace *, double now, double tokens);

/* It took these. */
void pace_correct(struct pace *, double expected, double taken);

/* No request before. */
void pace_hold(struct pace *, double until);

#endif
