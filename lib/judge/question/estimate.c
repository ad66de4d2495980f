#include "judge/question/estimate.h"

/* An estimate of the length of a verdict with its reason. */
enum { VERDICT_TOKENS = 100 };

/* Returns whether a question with this key is counted for the first time. */
static bool
is_new(struct estimate *e, const struct question *q)
{
	void **slot;
	bool counted;

	if (e->keys.arena == NULL)
		return true;
	slot = hash_put_copy(&e->keys, q->key.digest);
	counted = *slot != NULL;
	*slot = e;
	return !counted;
}

bool
estimate_add(struct estimate *e, struct question *q,
    const struct endpoint *endpoint, struct prices *prices)
{
	double input, output = (double)(VERDICT_TOKENS * q->prompt.n), usd;

	if (!is_new(e, q))
		return false;
	question_begin(q, 0);
	endpoint->provider->write(endpoint, &q->prompt, &q->exchange);
	input = exchange_tokens(&q->exchange);
	usd = charge_estimate(prices, endpoint, input, output);
	e->bytes += q->exchange.body.n;
	e->tokens[0] += input;
	e->tokens[1] += output;
	e->usd = usd < 0 || e->usd < 0 ? -1 : e->usd + usd;
	return true;
}
