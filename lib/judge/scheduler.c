#include "judge/scheduler.h"

#include <math.h>
#include <poll.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/diag.h"
#include "io/interrupt.h"

/* The longest wait in seconds: libcurl does not wake up for signals. */
static const double nap = 0.2;

/* Fails the question, and all questions that are still to be asked. */
static void
despair(struct scheduler *a, struct question *q, struct str why)
{
	question_fail(q, &a->endpoint, why);
	if (a->hopeless.s == NULL) {
		a->hopeless = str_dup(&a->arena, q->why);
		diag_trouble("%s: %.*s: no more is asked", a->endpoint.to,
		    STR_FMT(a->hopeless));
	}
	q->told = true;
}

/* ---- asking ---- */

static void
put_first(struct scheduler *a, struct question *q)
{
	q->next = a->waiting;
	if (a->waiting == NULL)
		a->last = &q->next;
	a->waiting = q;
}

/* Schedules another try, or gives up. */
static void
retry(struct scheduler *a, struct question *q, struct str why)
{
	double wait = backoff_wait(&a->backoff, q->tries);
	double asked = q->exchange.wait;

	if (q->tries++ >= a->retries || asked > backoff_max) {
		if (asked > backoff_max)
			why = str_printf(q->arena,
			    "%.*s (wants us to wait %.0f seconds)",
			    STR_FMT(why), asked);
		if (q->exchange.unreachable)
			despair(a, q, why);
		else
			question_fail(q, &a->endpoint, why);
		return;
	}
	if (asked >= 0) {
		wait = asked;
		rate_limit_hold(&a->rate_limit, clock_now() + wait);
	}
	q->not_before = clock_now() + wait;
	put_first(a, q);
}

static void
leave(struct question *q)
{
	q->done = q->unasked = true;
}

static double
tokens_expected(const struct question *q)
{
	return exchange_tokens(&q->exchange);
}

static void
send(struct scheduler *a, struct question *q)
{
	question_begin(q, (double)a->seconds);
	a->endpoint.provider->write(&a->endpoint, &q->prompt, &q->exchange);
	a->requests++;
	budget_begin(&a->budget);
	rate_limit_begin(&a->rate_limit, clock_now(), tokens_expected(q));
	a->asked[a->n_asked++] = q;
	a->endpoint.provider->carrier->start(a->carrier, &q->exchange);
}

/* Records the usage of an answer and the server's rate limits. Limits in the
 * headers count only if the server does not say itself how long to wait. */
static void
note_usage(struct scheduler *a, struct question *q, struct answer *answer)
{
	struct usage *u = &answer->usage;
	const struct exchange *x = &q->exchange;

	if (x->rest > 0 && x->wait < 0)
		rate_limit_hold(
		    &a->rate_limit, clock_now() + fmin(x->rest, backoff_max));
	if (answer->kind != ANSWER_TEXT && u->known == 0)
		return;
	prices_charge(a->prices, answer, &a->endpoint, x->cost, false);
	if (u->known & 1U << USAGE_INPUT)
		rate_limit_correct(&a->rate_limit, tokens_expected(q),
		    u->n[USAGE_INPUT] + u->n[USAGE_CACHE_READ] +
			u->n[USAGE_CACHE_WRITE] + u->n[USAGE_OUTPUT]);
	budget_end(&a->budget, u);
	usage_add(&a->usage, u);
	q->model = answer->model;
	q->usage = *u;
}

/* Handles an exchange that has ended. */
static void
settle(struct scheduler *a, struct question *q)
{
	struct answer answer = { 0 };
	size_t i = 0;

	while (a->asked[i] != q)
		i++;
	a->asked[i] = a->asked[--a->n_asked];
	a->endpoint.provider->read(&a->endpoint, &q->exchange, &answer);
	if (q->exchange.wait < 0 && answer.wait > 0)
		q->exchange.wait = answer.wait;
	note_usage(a, q, &answer);
	switch (answer.kind) {
	case ANSWER_REWRITE:
		put_first(a, q);
		break;
	case ANSWER_RETRY:
		retry(a, q, answer.text);
		break;
	case ANSWER_NEVER:
		despair(a, q, answer.text);
		break;
	case ANSWER_NONE:
	case ANSWER_TEXT:
		question_settle(q, &a->endpoint, &answer, a->cache);
		break;
	}
}

/* ---- which one next ---- */

/* Returns whether the same question was counted before: the cache would have
 * its answer by then. */
static bool
is_counted(struct scheduler *a, const struct question *q)
{
	void **slot;
	bool counted;

	if (a->cache == NULL || a->refresh)
		return false;
	a->counted.arena = &a->arena;
	slot = hash_put_copy(&a->counted, q->key.digest);
	counted = *slot != NULL;
	*slot = a;
	return counted;
}

static void
count_only(struct scheduler *a, struct question *q)
{
	if (is_counted(a, q)) {
		a->cached++;
		leave(q);
		return;
	}
	q->exchange = (struct exchange){ .arena = q->arena };
	a->endpoint.provider->write(&a->endpoint, &q->prompt, &q->exchange);
	a->bytes += q->exchange.body.n;
	a->requests++;
	leave(q);
}

/* Looks for an answer in the cache or in batches. Returns whether the question
 * is done, by an answer or because only the cache may be used. */
static bool
look_up(struct scheduler *a, struct question *q)
{
	if (a->cache != NULL && !a->refresh && question_recall(q, a->cache))
		a->cached++;
	else if (a->desk != NULL)
		batch_lookup_answer(a->desk, q);
	else if (a->cache_only && !a->dry_run)
		question_fail(q, &a->endpoint, STR("not in the cache"));
	return q->done;
}

/* Sends the question, or ends it without sending. */
static void
begin(struct scheduler *a, struct question *q)
{
	if (a->dry_run) {
		count_only(a, q);
	} else if (a->hopeless.s != NULL) {
		question_fail(q, &a->endpoint, a->hopeless);
		q->told = true;
	} else if (a->stopped.s != NULL) {
		leave(q);
	} else if (a->desk != NULL) {
		batch_lookup_put(a->desk, q);
		leave(q);
	} else {
		send(a, q);
	}
}

/* Returns the seconds that the question must wait. They are more than 0 only
 * if it was tried before or if the rate limit applies. */
static double
seconds_left(const struct scheduler *a, const struct question *q)
{
	double now = clock_now();

	return fmax(q->not_before - now, rate_limit_wait(&a->rate_limit, now));
}

/* Returns whether the question may begin now. */
static bool
is_due(struct scheduler *a, const struct question *q)
{
	enum budget_word word;

	if (a->dry_run || a->hopeless.s != NULL || a->stopped.s != NULL)
		return true;
	if (a->n_asked == a->jobs || seconds_left(a, q) > 0)
		return false;
	word = budget_ask(&a->budget, a->n_asked);
	if (word == BUDGET_STOP)
		a->stopped = budget_why(&a->budget, &a->arena);
	return word != BUDGET_WAIT;
}

/* Returns whether the question leaves the queue: it has an answer now, or it
 * may begin. */
static bool
is_ready(struct scheduler *a, struct question *q)
{
	if (q->ahead != NULL)
		return false;
	if (!q->looked && look_up(a, q))
		return true;
	q->looked = true;
	return is_due(a, q);
}

/* Removes `q`, which is done, from the chain of questions with its key, so
 * that the next one can be looked up. */
static void
release(struct question *q)
{
	if (q->behind != NULL)
		q->behind->ahead = NULL;
}

/* Begins all questions that are ready. Returns whether any was done at
 * once. */
static bool
launch(struct scheduler *a)
{
	struct question **at = &a->waiting;
	bool done = false;

	while (*at != NULL) {
		struct question *q = *at;

		if (!is_ready(a, q)) {
			at = &q->next;
			continue;
		}
		*at = q->next;
		if (a->last == &q->next)
			a->last = at;
		if (!q->done)
			begin(a, q);
		if (q->done)
			release(q);
		done |= q->done;
	}
	return done;
}

/* Returns the seconds for which nothing can begin unless an exchange ends. */
static double
pause_of(struct scheduler *a)
{
	double least = nap;

	if (a->n_asked == a->jobs ||
	    budget_ask(&a->budget, a->n_asked) == BUDGET_WAIT)
		return least;
	for (struct question *q = a->waiting; q != NULL; q = q->next)
		if (q->ahead == NULL)
			least = fmin(least, seconds_left(a, q));
	return fmax(least, 0);
}

/* Aborts all requests. Questions that the cache answers are still answered. */
static void
interrupt(struct scheduler *a)
{
	a->interrupted = true;
	a->stopped = STR("interrupted");
	a->endpoint.provider->carrier->stop(a->carrier);
	while (a->n_asked != 0)
		put_first(a, a->asked[--a->n_asked]);
}

static bool
can_read(int fd)
{
	struct pollfd one = { fd, POLLIN, 0 };

	return fd >= 0 && poll(&one, 1, 0) != 0;
}

/* ---- for the caller ---- */

void
scheduler_open(struct scheduler *a)
{
	a->last = &a->waiting;
	a->asked = arena_new_n(&a->arena, struct question *, a->jobs);
	a->backoff.dice = (unsigned long long)getpid();
	a->carrier = a->endpoint.provider->carrier->open(&a->arena, a->jobs);
	if (a->desk != NULL && !a->desk->writes)
		a->stopped = STR("no batch has an answer");
}

/* Returns whether `q` has the same key as `other` and is the last of its
 * chain. */
static bool
has_same_key(const struct question *q, const struct question *other)
{
	return q->behind == NULL && str_eq(q->key.digest, other->key.digest);
}

/*
 * Appends the question to the chain of questions that have its key and are not
 * done. It waits for the one ahead of it, whose answer will be in the cache.
 */
static void
follow(struct scheduler *a, struct question *q)
{
	struct question *other = a->waiting;

	for (size_t i = 0; i < a->n_asked; i++)
		if (has_same_key(a->asked[i], q))
			q->ahead = a->asked[i];
	for (; other != NULL; other = other->next)
		if (has_same_key(other, q))
			q->ahead = other;
	if (q->ahead != NULL)
		q->ahead->behind = q;
}

void
scheduler_put(struct scheduler *a, struct question *q)
{
	if (a->cache != NULL || a->desk != NULL)
		question_name(q, &a->endpoint);
	if (a->cache != NULL)
		follow(a, q);
	*a->last = q;
	a->last = &q->next;
}

/* Returns whether any question is not done. */
static bool
busy(const struct scheduler *a)
{
	return a->waiting != NULL || a->n_asked != 0;
}

bool
scheduler_only_looks(const struct scheduler *a)
{
	return a->dry_run || (a->desk != NULL && a->desk->writes);
}

void
scheduler_wait(struct scheduler *a, int fd)
{
	while (busy(a)) {
		struct exchange *x;
		struct question *q;

		if (a->tick != NULL)
			a->tick(a->tick_arg);
		if (interrupt_came() && !a->interrupted)
			interrupt(a);
		if (launch(a))
			break;
		x = a->endpoint.provider->carrier->next(
		    a->carrier, pause_of(a), fd);
		q = x == NULL ? NULL : x->owner;
		if (q != NULL)
			settle(a, q);
		if (q != NULL && q->done)
			release(q);
		if (q == NULL ? can_read(fd) : q->done)
			break;
	}
}

void
scheduler_stop(struct scheduler *a, struct str why)
{
	if (a->stopped.s == NULL)
		a->stopped = why;
}

void
scheduler_close(struct scheduler *a)
{
	a->endpoint.provider->carrier->close(a->carrier);
	arena_free(&a->arena);
}
