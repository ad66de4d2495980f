#include "judge/question/rate_limit.h"

#include <math.h>

static const double minute = 60; /* seconds */

double
pace_wait(const struct pace *p, double now)
{
	return fmax(p->hold, fmax(p->next, p->next_tokens)) - now;
}

void
pace_begin(struct pace *p, double now, double tokens)
{
	if (p->requests != 0)
		p->next = now + minute / (double)p->requests;
	if (p->tokens != 0)
		p->next_tokens = fmax(now, p->next_tokens) +
		    tokens * minute / (double)p->tokens;
}

void
pace_correct(struct pace *p, double expected, double taken)
{
	if (p->tokens != 0)
		p->next_tokens +=
		    (taken - expected) * minute / (double)p->tokens;
}

void
pace_hold(struct pace *p, double until)
{
	p->hold = fmax(p->hold, until);
}
