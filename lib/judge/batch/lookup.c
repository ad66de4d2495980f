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

/* The result that decides a check first. */
struct decision {
	const struct verdict *verdict; /* NULL: none yet */
	const char *path;
};

/* Takes a result whose request left out the features `sent`. Returns the
 * features that the server rejected. */
static unsigned
take(struct batch_lookup *d, struct question *q, unsigned sent)
{
	struct answer answer = { 0 };

	q->exchange.sent = sent;
	d->endpoint->provider->read(d->endpoint, &q->exchange, &answer);
	if (answer.kind == ANSWER_TEXT || answer.usage.known != 0) {
		charge_answer(d->prices, &answer, d->endpoint, -1, true);
		if (!q->cached)
			usage_add(&d->usage, &answer.usage);
		q->model = answer.model;
		q->usage = answer.usage;
	}
	if (answer.kind != ANSWER_RETRY && answer.kind != ANSWER_REWRITE)
		question_settle(q, &answer, NULL);
	else if (d->why.s == NULL)
		d->why = str_dup(&d->results.arena, answer.text);
	return answer.refused;
}

/* Returns a verdict in words. */
static struct str
say(const struct verdict *v, struct arena *a)
{
	if (v->found == VERDICT_SCORE)
		return str_printf(a, "score %g", v->score);
	return str_of(verdict_word(v->found));
}

/* Compares the verdicts of a result with those of the results before. A check on
 * which they disagree has no verdict. Returns whether all agree. */
static bool
agrees(struct question *q, struct decision *first, const char *path)
{
	bool good = true;

	for (size_t i = 0; i < q->verdicts.n; i++) {
		struct verdict *v = &q->verdicts.list[i];
		const struct verdict *old = first[i].verdict;

		if (v->found <= VERDICT_UNFIT)
			continue;
		if (old == NULL) {
			first[i] = (struct decision){ v, path };
			continue;
		}
		if (v->found == old->found &&
		    (v->found != VERDICT_SCORE || v->score == old->score))
			continue;
		good = false;
		v->reason = str_printf(q->arena,
		    "two results of batches disagree: %.*s (%s), %.*s (%s)",
		    STR_FMT(say(old, q->arena)), first[i].path,
		    STR_FMT(say(v, q->arena)), path);
		v->found = VERDICT_UNFIT;
		q->verdicts.good--;
	}
	return good;
}

/* Returns the question with its best result. A file of results has one result
 * for each request; requests in a later file leave out the features that were
 * rejected in an earlier one. A reply that was read twice counts once. Sets
 * *clash if results disagree: then the result says so, and asking again would not
 * help. */
static struct question
best_of(struct batch_lookup *d, const struct question *q,
    const struct batch_result *r, bool *clash)
{
	struct decision *first =
	    arena_new_n(q->arena, struct decision, q->prompt.n);
	struct question best = *q;
	const char *file = NULL;
	unsigned sent = 0, refused = 0;

	for (; r != NULL && !*clash; r = r->next) {
		struct question one = *q;

		question_begin(&one, 0);
		batch_results_take(&d->results, r, &one.exchange);
		if (best.done &&
		    str_eq(one.exchange.reply, best.exchange.reply))
			continue;
		if (r->path != file)
			sent = refused;
		file = r->path;
		refused |= take(d, &one, sent);
		*clash =
		    one.verdicts.list != NULL && !agrees(&one, first, r->path);
		if (*clash || worth_of(&one) > worth_of(&best))
			best = one;
	}
	if (d->cache != NULL && best.verdicts.list != NULL)
		question_store(&best, d->cache);
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
	bool clash = false;

	if (r == NULL)
		r = batch_results_find(
		    &d->results, question_old_key(q, d->endpoint).digest);
	if (r == NULL) {
		d->lacking += !repeated;
		return;
	}
	best.cached = repeated;
	best = best_of(d, &best, r, &clash);
	if (!repeated)
		count(d, worth_of(&best));
	if (!d->writes || clash || worth_of(&best) == WHOLE)
		*q = best;
}

void
batch_lookup_put(struct batch_lookup *d, struct question *q)
{
	struct str name;

	if (!d->writes)
		return;
	name = question_old_key(q, d->endpoint).digest;
	if (!batch_writer_has(&d->writer, name))
		name = q->key.digest;
	question_begin(q, 0);
	d->endpoint->provider->write(d->endpoint, &q->prompt, &q->exchange);
	batch_writer_put(&d->writer, name, q->exchange.body);
}
