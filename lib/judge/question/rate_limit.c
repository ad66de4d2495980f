#include "judge/question/rate_limit.h"

#include <math.h>

static const double minute = 60; /* seconds */

double
rate_limit_wait(const struct rate_limit *p, double now)
{
	return fmax(p->hold, fmax(p->next, p->next_tokens)) - now;
}

void
rate_limit_begin(struct rate_limit *p, double now, double tokens)
{
	if (p->requests != 0)
		p->next = now + minute / (double)p->requests;
	if (p->tokens != 0)
		p->next_tokens = fmax(now, p->next_tokens) +
		    tokens * minute / (double)p->tokens;
}

void
rate_limit_correct(struct rate_limit *p, double expected, double taken)
{
	if (p->tokens != 0)
		p->next_tokens +=
		    (taken - expected) * minute / (double)p->tokens;
}

void
rate_limit_hold(struct rate_limit *p, double until)
{
	p->hold = fmax(p->hold, until);
}

/* ---- another try ---- */

/* Returns a pseudo-random number from 0 to 1. */
static double
roll(struct backoff *b)
{
	b->dice = b->dice * 6364136223846793005ULL + 1442695040888963407ULL;
	return (double)(b->dice >> 11) / (double)(1ULL << 53);
}

double
backoff_wait(struct backoff *b, unsigned tries)
{
	return fmin(0.5 * pow(2, tries), 8) * (1 - 0.25 * roll(b));
}
