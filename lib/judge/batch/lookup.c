#include "judge/batch/lookup.h"

/* Ranks of answers, the best last. */
enum worth {
	NOTHING, /* the question should be asked again */
	FAILED,
	PARTIAL, /* some checks have no verdict */
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

/* Takes a result whose request left out the features `sent`. Returns the
 * features that the server rejected. */
static unsigned
take(struct batch_lookup *d, struct question *q, const struct batch_result *r,
    unsigned sent)
{
	struct answer answer = { 0 };

	question_begin(q, 0);
	q->exchange.sent = sent;
	batch_results_take(&d->results, r, &q->exchange);
	d->endpoint->provider->read(d->endpoint, &q->exchange, &answer);
	if (answer.kind == ANSWER_TEXT || answer.usage.known != 0) {
		charge_answer(d->prices, &answer, d->endpoint, -1, true);
		if (!q->cached)
			usage_add(&d->usage, &answer.usage);
		q->model = answer.model;
		q->usage = answer.usage;
	}
	if (answer.kind != ANSWER_RETRY && answer.kind != ANSWER_REWRITE)
		question_settle(q, &answer, d->cache);
	else if (d->why.s == NULL)
		d->why = str_dup(&d->results.arena, answer.text);
	return answer.refused;
}

/* Returns the question with its best result. A file of results has one result
 * for each request; requests in a later file leave out the features that were
 * rejected in an earlier one. */
static struct question
best_of(struct batch_lookup *d, const struct question *q,
    const struct batch_result *r)
{
	struct question best = *q;
	const char *file = NULL;
	unsigned sent = 0, refused = 0;

	for (; r != NULL && worth_of(&best) < WHOLE; r = r->next) {
		struct question one = *q;

		if (r->path != file)
			sent = refused;
		file = r->path;
		refused |= take(d, &one, r, sent);
		if (worth_of(&one) > worth_of(&best))
			best = one;
	}
	return best;
}

/* Returns whether another record has asked the same question: one request
 * answers both. */
static bool
is_repeated(struct batch_lookup *d, const struct question *q)
{
	void **slot = hash_put_copy(&d->asked, q->key.digest);
	bool repeated = *slot != NULL;

	*slot = d;
	return repeated;
}

static void
count(struct batch_lookup *d, enum worth worth)
{
	d->again += worth == NOTHING;
	d->refused += worth == FAILED;
	d->answered += worth == WHOLE || (worth == PARTIAL && !d->writes);
}

void
batch_lookup_answer(struct batch_lookup *d, struct question *q)
{
	const struct batch_result *r =
	    batch_results_find(&d->results, q->key.digest);
	bool repeated = is_repeated(d, q);
	struct question best = *q;

	if (r == NULL) {
		d->lacking += !repeated;
		return;
	}
	best.cached = repeated;
	best = best_of(d, &best, r);
	if (!repeated)
		count(d, worth_of(&best));
	if (!d->writes || worth_of(&best) == WHOLE)
		*q = best;
}

void
batch_lookup_put(struct batch_lookup *d, struct question *q)
{
	if (!d->writes)
		return;
	question_begin(q, 0);
	d->endpoint->provider->write(d->endpoint, &q->prompt, &q->exchange);
	batch_writer_put(&d->writer, q->key.digest, q->exchange.body);
}
