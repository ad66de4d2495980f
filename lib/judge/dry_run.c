#include "judge/dry_run.h"

/* An estimate of the length of a verdict with its reason. */
enum { VERDICT_TOKENS = 100 };

/* Returns whether the same question was counted before: the cache would have
 * its answer by then. */
static bool
is_counted(struct scheduler *s, const struct question *q)
{
	void **slot;
	bool counted;

	if (s->cache == NULL || s->refresh)
		return false;
	s->counted.arena = &s->arena;
	slot = hash_put_copy(&s->counted, q->key.digest);
	counted = *slot != NULL;
	*slot = s;
	return counted;
}

/* Adds the estimates for a request that would be sent. */
static void
estimate(struct scheduler *s, const struct question *q)
{
	double input = exchange_tokens(&q->exchange);
	double output = (double)(VERDICT_TOKENS * q->prompt.n);
	double usd = charge_estimate(
	    s->prices, &s->lanes[q->lane].endpoint, input, output);

	s->tokens[0] += input;
	s->tokens[1] += output;
	s->usd = usd < 0 || s->usd < 0 ? -1 : s->usd + usd;
}

void
dry_run_count(struct scheduler *s, struct question *q)
{
	const struct endpoint *endpoint = &s->lanes[q->lane].endpoint;

	if (is_counted(s, q)) {
		s->cached++;
		return;
	}
	q->exchange = (struct exchange){ .arena = q->arena };
	endpoint->provider->write(endpoint, &q->prompt, &q->exchange);
	s->bytes += q->exchange.body.n;
	s->requests++;
	estimate(s, q);
}
