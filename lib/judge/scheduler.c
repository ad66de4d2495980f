#include "judge/scheduler.h"

#include <math.h>
#include <poll.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/clock.h"
#include "base/diag.h"
#include "io/interrupt.h"
#include "judge/provider/rest.h"

/* The digits of a key that select a bucket, and the number of buckets. */
enum { BUCKET_DIGITS = 4, BUCKETS = 1 << 4 * BUCKET_DIGITS };

/* The longest wait in seconds: libcurl does not wake up for signals. */
static const double nap = 0.2;

/* The longest wait, in seconds, that a message shows exactly. */
static const double wait_shown = 1e6;

static struct lane *
lane_of(const struct scheduler *s, const struct question *q)
{
	return &s->lanes[q->lane];
}

/* Fails the question, and asks its judge no other questions. */
static void
fail_all(struct scheduler *s, struct question *q, struct str why)
{
	struct lane *lane = lane_of(s, q);
	size_t stopped = 0;

	question_fail(q, why);
	q->reported = true;
	if (lane->stopped.s != NULL)
		return;
	lane->stopped = str_dup(&s->arena, q->why);
	diag_system_error("%s: %.*s: no more requests are sent",
	    lane->endpoint.to, STR_FMT(q->why));
	for (size_t i = 0; i < s->n_lanes; i++)
		stopped += s->lanes[i].stopped.s != NULL;
	if (stopped == s->n_lanes)
		scheduler_stop(s, lane->stopped);
}

/* ---- asking ---- */

/* Lets the question wait for another try. */
static void
put_again(struct scheduler *s, struct question *q, double not_before)
{
	q->not_before = not_before;
	waiting_heap_put(&lane_of(s, q)->later, q);
}

/* Adds the wait that the server asks for to the reason. */
static struct str
with_wait(struct arena *a, struct str why, double seconds)
{
	return str_printf(a,
	    "%.*s (the server asks for a wait of %s%.0f seconds)", STR_FMT(why),
	    seconds > wait_shown ? "more than " : "",
	    fmin(seconds, wait_shown));
}

/* Schedules another try, or gives up. A server may still work on a request that
 * timed out, and charge for both tries. */
static void
retry(struct scheduler *s, struct question *q, struct str why)
{
	double wait = backoff_wait(&s->backoff, q->tries);
	double asked = q->exchange.wait;
	bool too_long = asked > (double)s->seconds;
	bool final = q->exchange.timed_out && !s->retry_timeouts;

	if (q->tries++ >= s->retries || too_long || final) {
		if (too_long)
			why = with_wait(q->arena, why, asked);
		if (q->exchange.unreachable || too_long)
			fail_all(s, q, why);
		else
			question_fail(q, why);
		return;
	}
	if (asked >= 0) {
		wait = asked;
		rate_limit_hold(&lane_of(s, q)->rate_limit, clock_now() + wait);
	}
	put_again(s, q, clock_now() + wait);
}

static void
leave_pending(struct question *q)
{
	q->done = q->unasked = true;
}

/* Returns the endpoint with what was learnt about this question. */
static struct endpoint
endpoint_for(const struct scheduler *s, const struct question *q)
{
	struct endpoint endpoint = lane_of(s, q)->endpoint;

	endpoint.refused |= q->refused;
	endpoint.doubled = q->doubled;
	if (q->most_tokens != 0)
		endpoint.most_tokens = q->most_tokens;
	return endpoint;
}

/* Sends nothing to any judge if one lacks a key: the answers of the others may
 * be paid for nothing. */
static void
send(struct scheduler *s, struct question *q)
{
	struct lane *lane = lane_of(s, q);
	struct endpoint endpoint = endpoint_for(s, q);

	if (s->lacking.s != NULL) {
		diag_system_error("%.*s", STR_FMT(s->lacking));
		scheduler_stop(s, STR("no request is sent without the key"));
		leave_pending(q);
		return;
	}
	question_begin(q, (double)s->seconds);
	endpoint.provider->write(&endpoint, &q->prompt, &q->exchange);
	s->requests++;
	budget_begin(&s->budget);
	rate_limit_begin(
	    &lane->rate_limit, clock_now(), exchange_tokens(&q->exchange));
	q->slot = s->n_asked++;
	s->asked[q->slot] = q;
	lease_renew(&q->lease);
	recorder_begin(s->recorder, &q->entry, &lane->endpoint, &q->exchange);
	lane->n_asked++;
	transport_start(lane->transport, &q->exchange);
}

/* Keeps the end of a try. */
static void
record_end(struct scheduler *s, struct question *q, const struct answer *answer)
{
	struct str why = q->why;

	if (why.s == NULL && answer->kind != ANSWER_TEXT)
		why = answer->text;
	recorder_end(s->recorder, &q->entry, &q->exchange,
	    !q->done            ? "again"
		: why.s == NULL ? "answered"
				: "failed",
	    why);
}

/* Records the usage of an answer and the server's rate limits. Limits in the
 * headers count only if the server does not say itself how long to wait. */
static void
note_usage(struct scheduler *s, struct question *q, struct answer *answer)
{
	struct lane *lane = lane_of(s, q);
	struct usage *u = &answer->usage;
	const struct exchange *x = &q->exchange;

	if (x->rest > 0 && x->wait < 0)
		rate_limit_hold(&lane->rate_limit,
		    clock_now() + fmin(x->rest, backoff_max));
	if (answer->kind != ANSWER_TEXT && u->known == 0)
		return;
	charge_answer(s->prices, answer, &lane->endpoint, x->cost, false);
	if (u->known & 1U << USAGE_INPUT)
		rate_limit_correct(&lane->rate_limit,
		    exchange_tokens(&q->exchange),
		    u->n[USAGE_INPUT] + u->n[USAGE_CACHE_READ] +
			u->n[USAGE_CACHE_WRITE] + u->n[USAGE_OUTPUT]);
	budget_end(&s->budget, u);
	usage_add(&s->usage, u);
	q->model = answer->model;
	usage_add(&q->usage, u);
}

/* Asks a server once more if a score is not from 0 to 1. A program can do that
 * by itself. */
static void
ask_again(struct scheduler *s, struct question *q)
{
	if (lane_of(s, q)->endpoint.provider->url == NULL ||
	    q->verdicts.list == NULL || !q->verdicts.out_of_range || q->again ||
	    s->retries == 0 || s->stopped.s != NULL)
		return;
	q->again = true;
	q->done = false;
	q->verdicts = (struct verdicts){ 0 };
	put_again(s, q, 0);
}

/* Asks once more with twice the default limit after an answer that was cut off,
 * if the limit becomes larger by that. Returns false if it does not. */
static bool
ask_longer(struct scheduler *s, struct question *q)
{
	struct endpoint endpoint = endpoint_for(s, q);
	size_t limit = rest_limit(&endpoint, &q->prompt);

	endpoint.doubled = true;
	if (q->doubled || s->retries == 0 || s->stopped.s != NULL ||
	    rest_limit(&endpoint, &q->prompt) <= limit)
		return false;
	q->doubled = true;
	put_again(s, q, 0);
	return true;
}

/* Handles an exchange that has ended. */
static void
settle(struct scheduler *s, struct question *q)
{
	struct lane *lane = lane_of(s, q);
	struct answer answer = { 0 };

	s->asked[q->slot] = s->asked[--s->n_asked];
	s->asked[q->slot]->slot = q->slot;
	lane->n_asked--;
	lane->endpoint.provider->read(&lane->endpoint, &q->exchange, &answer);
	if (q->exchange.wait < 0 && answer.wait > 0)
		q->exchange.wait = answer.wait;
	note_usage(s, q, &answer);
	switch (answer.kind) {
	case ANSWER_REWRITE:
		q->refused |= q->exchange.sent | answer.refused;
		if (answer.most_tokens != 0)
			q->most_tokens = answer.most_tokens;
		put_again(s, q, 0);
		break;
	case ANSWER_RETRY:
		retry(s, q, answer.text);
		break;
	case ANSWER_NEVER:
		fail_all(s, q, answer.text);
		break;
	case ANSWER_NONE:
	case ANSWER_TEXT:
		if (q->most_tokens != 0)
			lane_of(s, q)->endpoint.most_tokens = q->most_tokens;
		if (answer.cut_off && ask_longer(s, q))
			break;
		question_settle(q, &answer, s->cache);
		ask_again(s, q);
		break;
	}
	record_end(s, q, &answer);
}

/* ---- which one next ---- */

static void
count_only(struct scheduler *s, struct question *q)
{
	bool added =
	    estimate_add(&s->estimate, q, &lane_of(s, q)->endpoint, s->prices);

	s->requests += added;
	s->cached += !added;
	leave_pending(q);
}

/* Looks for an answer in the cache or in batches. Returns whether the question
 * is done, by an answer or because only the cache may be used. */
static bool
look_up(struct scheduler *s, struct question *q)
{
	q->spoilt = s->cache != NULL &&
	    access(cache_path(q->arena, s->cache, q->key), F_OK) == 0;
	if (s->cache != NULL && !s->refresh &&
	    question_recall(q, s->cache, &s->lanes[q->lane].endpoint))
		s->cached++;
	else if (s->batches != NULL)
		batch_lookup_answer(s->batches, q);
	else if (s->cache_only && !s->dry_run)
		question_fail(q, STR("not in the cache"));
	return q->done;
}

/* Returns whether this process is to ask the question. Otherwise another process
 * asks it, and the question waits; or another process has asked it since it was
 * looked up, and it is done. */
static bool
is_ours(struct scheduler *s, struct question *q)
{
	if (s->cache == NULL || s->refresh || q->lease.path != NULL)
		return true;
	if (!lease_take(
		&q->lease, q->arena, s->cache, q->key, (double)s->seconds)) {
		put_again(s, q, clock_now() + nap);
		return false;
	}
	return q->spoilt || !look_up(s, q);
}

/* Sends the question, or ends it without sending. */
static void
begin(struct scheduler *s, struct question *q)
{
	if (s->dry_run) {
		count_only(s, q);
	} else if (s->stopped.s != NULL || lane_of(s, q)->stopped.s != NULL) {
		leave_pending(q);
	} else if (s->batches != NULL) {
		batch_lookup_put(s->batches, q);
		leave_pending(q);
	} else if (is_ours(s, q)) {
		send(s, q);
	}
}

/* Returns whether questions leave the queue without being sent. */
static bool
sends_nothing(const struct scheduler *s, const struct lane *lane)
{
	return s->dry_run || s->stopped.s != NULL || lane->stopped.s != NULL;
}

/* Returns whether another request to the judge may begin now. */
static bool
may_begin(struct scheduler *s, const struct lane *lane, double now)
{
	enum budget_word word;

	if (lane->n_asked == s->jobs ||
	    rate_limit_wait(&lane->rate_limit, now) > 0)
		return false;
	word = budget_ask(&s->budget, s->n_asked);
	if (word == BUDGET_STOP)
		s->stopped = budget_why(&s->budget, &s->arena);
	return word != BUDGET_WAIT;
}

/* Takes the judge's next question that may begin; NULL if there is none.
 * Another try goes first. */
static struct question *
take_from(struct scheduler *s, struct lane *lane)
{
	double now;
	bool again;

	if (lane->ready.first == NULL && lane->later.first == NULL)
		return NULL;
	now = clock_now();
	again = lane->later.first != NULL &&
	    (sends_nothing(s, lane) || lane->later.first->not_before <= now);
	if ((!again && lane->ready.first == NULL) ||
	    (!sends_nothing(s, lane) && !may_begin(s, lane, now)))
		return NULL;
	return again ? waiting_heap_take(&lane->later)
		     : waiting_take(&lane->ready);
}

static struct question *
take_due(struct scheduler *s)
{
	struct question *q = NULL;

	for (size_t i = 0; q == NULL && i < s->n_lanes; i++)
		q = take_from(s, &s->lanes[i]);
	return q;
}

/* Returns the place of the questions whose keys have this hash. The key is in
 * hexadecimal. */
static struct question **
bucket_of(struct scheduler *s, const struct question *q)
{
	size_t n = 0;

	for (size_t i = 0; i < BUCKET_DIGITS; i++)
		n = n * 16 + (size_t)ascii_hex((uint8_t)q->key.digest.s[i]);
	return &s->buckets[n];
}

/* Passes on a question that is done. The next question with its key can be
 * looked up. */
static void
finish(struct scheduler *s, struct question *q)
{
	struct question **at = s->buckets == NULL ? NULL : bucket_of(s, q);

	lease_end(&q->lease);
	waiting_put(&s->done, q);
	if (q->behind != NULL) {
		waiting_put(&s->fresh, q->behind);
		return;
	}
	while (at != NULL && *at != q)
		at = &(*at)->bucket;
	if (at != NULL)
		*at = q->bucket;
}

/* Looks up all new questions, and begins all questions that may begin. */
static void
launch(struct scheduler *s)
{
	struct question *q;

	for (;;) {
		if ((q = waiting_take(&s->fresh)) != NULL) {
			if (!look_up(s, q))
				waiting_put(&lane_of(s, q)->ready, q);
		} else if ((q = take_due(s)) != NULL) {
			begin(s, q);
		} else {
			return;
		}
		if (q->done)
			finish(s, q);
	}
}

/* Returns the seconds for which no question to the judge can begin unless an
 * exchange ends. */
static double
lane_pause(const struct scheduler *s, const struct lane *lane)
{
	double now, wait = nap;

	if (lane->n_asked == s->jobs)
		return nap;
	now = clock_now();
	if (lane->ready.first != NULL)
		wait = 0;
	else if (lane->later.first != NULL)
		wait = lane->later.first->not_before - now;
	return fmax(wait, rate_limit_wait(&lane->rate_limit, now));
}

/* Like lane_pause, for all judges. */
static double
pause_seconds(const struct scheduler *s)
{
	double wait = nap;

	if (budget_ask(&s->budget, s->n_asked) == BUDGET_WAIT)
		return nap;
	for (size_t i = 0; i < s->n_lanes; i++)
		wait = fmin(wait, lane_pause(s, &s->lanes[i]));
	return fmax(0, wait);
}

/* Aborts all requests. Questions that the cache answers are still answered. */
static void
interrupt(struct scheduler *s)
{
	s->interrupted = true;
	s->stopped = STR("interrupted");
	transport_stop(s->transports);
	for (size_t i = 0; i < s->n_lanes; i++)
		s->lanes[i].n_asked = 0;
	while (s->n_asked != 0) {
		struct question *q = s->asked[--s->n_asked];

		recorder_end(s->recorder, &q->entry, &q->exchange,
		    "interrupted", STR("interrupted"));
		put_again(s, q, 0);
	}
}

static bool
can_read(int fd)
{
	struct pollfd one = { fd, POLLIN, 0 };

	return fd >= 0 && poll(&one, 1, 0) != 0;
}

/* ---- for the caller ---- */

void
scheduler_open(struct scheduler *s)
{
	/* The cache would have the answer to a question that is counted
	 * again. */
	if (s->cache != NULL && !s->refresh)
		s->estimate.keys.arena = &s->arena;
	if (s->cache != NULL)
		s->buckets = arena_new_n(&s->arena, struct question *, BUCKETS);
	s->asked =
	    arena_new_n(&s->arena, struct question *, s->n_lanes * s->jobs);
	s->backoff.dice = (unsigned long long)getpid();
	for (size_t i = 0; i < s->n_lanes; i++) {
		struct lane *lane = &s->lanes[i];
		const struct provider *provider = lane->endpoint.provider;

		if (s->lacking.s == NULL)
			s->lacking = lane->endpoint.lacking;
		if (provider->prepare != NULL && !s->cache_only)
			provider->prepare(&lane->endpoint);
		lane->transport = transport_open(&s->transports, &s->arena,
		    provider->carrier, s->n_lanes * s->jobs);
	}
	if (s->batches != NULL && !s->batches->writes)
		s->stopped = STR("no batch has an answer");
}

/*
 * Appends the question to the chain of questions that have its key and are not
 * done. Returns false if there is no such chain: otherwise the question waits
 * for the one ahead of it, whose answer will be in the cache.
 */
static bool
follow(struct scheduler *s, struct question *q)
{
	struct question **at = bucket_of(s, q), *ahead;

	while (*at != NULL && !str_eq((*at)->key.digest, q->key.digest))
		at = &(*at)->bucket;
	ahead = *at;
	*at = q;
	if (ahead == NULL)
		return false;
	q->bucket = ahead->bucket;
	ahead->behind = q;
	return true;
}

void
scheduler_put(struct scheduler *s, struct question *q)
{
	if (s->cache != NULL || s->batches != NULL)
		question_name(q, &lane_of(s, q)->endpoint);
	if (s->cache == NULL || !follow(s, q))
		waiting_put(&s->fresh, q);
}

/* Returns the number of questions that wait. */
static size_t
waiting(const struct scheduler *s)
{
	size_t n = s->fresh.n;

	for (size_t i = 0; i < s->n_lanes; i++)
		n += s->lanes[i].ready.n + s->lanes[i].later.n;
	return n;
}

bool
scheduler_is_full(const struct scheduler *s)
{
	return waiting(s) >= 2 * s->n_lanes * s->jobs;
}

struct question *
scheduler_next(struct scheduler *s)
{
	return waiting_take(&s->done);
}

bool
scheduler_only_looks(const struct scheduler *s)
{
	return s->dry_run || (s->batches != NULL && s->batches->writes);
}

void
scheduler_wait(struct scheduler *s, int fd)
{
	while (waiting(s) + s->n_asked != 0) {
		struct exchange *x;
		struct question *q;

		if (s->tick != NULL)
			s->tick(s->tick_arg);
		if (interrupt_came() && !s->interrupted)
			interrupt(s);
		launch(s);
		if (s->done.n != 0)
			break;
		x = transport_next(s->transports, pause_seconds(s), fd);
		q = x == NULL ? NULL : x->owner;
		if (q != NULL)
			settle(s, q);
		if (q != NULL && q->done)
			finish(s, q);
		if (q == NULL ? can_read(fd) : q->done)
			break;
	}
}

void
scheduler_stop(struct scheduler *s, struct str why)
{
	if (s->stopped.s == NULL)
		s->stopped = why;
}

void
scheduler_close(struct scheduler *s)
{
	transport_close(s->transports);
	arena_free(&s->arena);
}
