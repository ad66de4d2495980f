#include "bulk_desk.h"

/* How good an answer it is, the best last. */
enum worth {
	NOTHING, /* it should be asked again */
	FAILED,
	PARTIAL, /* some checks are not decided */
	WHOLE,
};

static enum worth
worth_of(const struct question *q)
{
	if (!q->done)
		return NOTHING;
	if (q->verdicts.list == NULL)
		return FAILED;
	return q->verdicts.good < q->verdicts.n ? PARTIAL : WHOLE;
}

static void
take(struct bulk_desk *d, struct question *q, const struct bulk_result *r)
{
	struct answer answer = { 0 };

	question_begin(q, 0);
	bulk_results_take(&d->results, r, &q->exchange);
	d->peer->provider->read(d->peer, &q->exchange, &answer);
	if (answer.kind == ANSWER_TEXT || answer.usage.known != 0) {
		prices_charge(d->prices, &answer, d->peer, -1, true);
		usage_add(&d->usage, &answer.usage);
		q->model = answer.model;
		q->usage = answer.usage;
	}
	if (answer.kind != ANSWER_RETRY && answer.kind != ANSWER_REWRITE)
		question_settle(q, d->peer, &answer, d->cache);
	else if (d->why.s == NULL)
		d->why = str_dup(&d->results.arena, answer.text);
}

void
bulk_desk_answer(struct bulk_desk *d, struct question *q)
{
	const struct bulk_result *r =
	    bulk_results_find(&d->results, q->key.digest);
	struct question best = *q;

	d->lacking += r == NULL;
	if (r == NULL)
		return;
	for (; r != NULL && worth_of(&best) < WHOLE; r = r->next) {
		struct question one = *q;

		take(d, &one, r);
		if (worth_of(&one) > worth_of(&best))
			best = one;
	}
	d->answered += worth_of(&best) > FAILED;
	d->refused += worth_of(&best) == FAILED;
	d->again += worth_of(&best) == NOTHING;
	if (!d->writes || worth_of(&best) == WHOLE)
		*q = best;
}

void
bulk_desk_put(struct bulk_desk *d, struct question *q)
{
	if (!d->writes)
		return;
	question_begin(q, 0);
	d->peer->provider->write(d->peer, &q->prompt, &q->exchange);
	bulk_writer_put(&d->writer, q->key.digest, q->exchange.body);
}
