#include "judge/question/charge.h"

static const struct price *
price_of(struct prices *all, const struct endpoint *endpoint)
{
	return prices_of(
	    all, str_of(endpoint->model), str_of(endpoint->provider->name));
}

double
charge_estimate(struct prices *all, const struct endpoint *endpoint,
    double input, double output)
{
	struct usage u = { 0 };
	const struct price *p;

	if (all == NULL)
		return -1;
	p = price_of(all, endpoint);
	if (p == NULL) {
		prices_warn_lacking(all, str_of(endpoint->model));
		return -1;
	}
	usage_set(&u, USAGE_INPUT, input);
	usage_set(&u, USAGE_OUTPUT, output);
	return price_cost(p, &u, false);
}

void
charge_answer(struct prices *all, struct answer *answer,
    const struct endpoint *endpoint, double reported, bool in_batch)
{
	struct usage *u = &answer->usage;
	const struct price *p;

	if (reported >= 0 && !(u->known & 1U << USAGE_COST))
		usage_set(u, USAGE_COST, reported);
	if (all == NULL || u->known & 1U << USAGE_COST ||
	    !(u->known & 1U << USAGE_INPUT) || !(u->known & 1U << USAGE_OUTPUT))
		return;
	p = prices_of(all, answer->model, (struct str){ 0 });
	if (p == NULL)
		p = price_of(all, endpoint);
	if (p == NULL) {
		prices_warn_lacking(all, str_of(endpoint->model));
		return;
	}
	usage_set(u, USAGE_COST, price_cost(p, u, in_batch));
}
