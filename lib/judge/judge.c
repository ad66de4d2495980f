#include "judge/judge.h"

#include "base/sha256.h"
#include "judge/vote.h"

enum { CANARY_DIGITS = 8 };

static bool
is_pending(const struct json *result)
{
	return json_str_is(json_get(result, "status"), "pending") &&
	    json_is(json_get(result, "judge"), JSON_OBJECT);
}

size_t
judge_pending(const struct trace *t)
{
	size_t n = 0;

	for (json_each(result, t->member[TRACE_CHECK_RESULTS]))
		n += is_pending(result);
	return n;
}

static struct pending
pending_of(const struct json *result, size_t votes, struct arena *a)
{
	const struct json *judge = json_get(result, "judge");
	const struct json *rubric = json_get(judge, "rubric");
	const struct json *least = json_get(judge, "min_score");
	struct pending p = { .result = result,
		.min_score = json_double(least) };

	p.ask.score = json_is(least, JSON_NUMBER);
	p.ask.quoted = json_str_is(json_get(result, "dialect"), "evolve");
	p.ask.reasoned =
	    json_is(json_get(judge, "require_reasoning"), JSON_TRUE);
	if (json_get(judge, "criteria") != NULL)
		criteria_read(&p.criteria, a, judge, &p.why);
	else if (json_is(rubric, JSON_STRING))
		p.ask.rubric = rubric->text;
	else
		p.why = STR("no rubric to judge by");
	if (p.why.s == NULL)
		context_read(&p.context, a, result, &p.why);
	p.ballots = arena_new_n(a, struct ballot, votes);
	return p;
}

/* ---- batches ---- */

/* Returns the number of entries that the check takes in a question. */
static size_t
size_of(const struct pending *p)
{
	return p->criteria.n == 0 ? 1 : p->criteria.n;
}

/* Groups that are shown the same context. */
struct shown {
	const struct group *first;
	size_t vote;
	struct group *open; /* the current vote's first group that is not
			     * full */
};

static struct shown *
shown_to(struct judge *j, const struct context *e, size_t vote)
{
	void **slot = hash_put(&j->shown, context_key(e, j->arena));
	struct shown *s = *slot;

	if (s == NULL)
		*slot = s = arena_new(j->arena, struct shown);
	if (s->vote != vote)
		s->open = NULL;
	s->vote = vote;
	return s;
}

static struct group *
add_batch(struct judge *j, struct shown *s, const struct context *e)
{
	struct group *b = arena_new(j->arena, struct group);

	b->context = *e;
	b->vote = s->vote;
	if (s->first == NULL)
		s->first = b;
	b->same = s->first;
	if (j->last == NULL)
		j->groups = b;
	else
		j->last->next = b;
	return j->last = b;
}

/* Returns the vote's first group that is shown this context and has room for
 * `size` entries; a new group if there is none. */
static struct group *
group_for(struct judge *j, const struct context *e, size_t vote, size_t size)
{
	struct shown *s = shown_to(j, e, vote);
	size_t most = j->way->max_checks;
	struct group **at = &s->open;

	while (s->open != NULL && most != 0 && s->open->n >= most)
		s->open = s->open->alike;
	while (*at != NULL && most != 0 && (*at)->n + size > most)
		at = &(*at)->alike;
	if (*at == NULL)
		*at = add_batch(j, s, e);
	return *at;
}

static void
assign(struct judge *j, struct pending *p, size_t vote)
{
	const struct criteria *c = &p->criteria;
	struct group *b = group_for(j, &p->context, vote, size_of(p));

	p->ballots[vote] = (struct ballot){ b, b->n };
	if (c->n == 0)
		*arena_push(j->arena, b->checks, b->n) = p->ask;
	for (size_t i = 0; i < c->n; i++)
		*arena_push(j->arena, b->checks, b->n) = c->list[i].ask;
}

/* Returns the next number of a pseudo-random sequence (splitmix64). */
static uint64_t
draw(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15U;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
	return z ^ (z >> 31);
}

/* Returns the order in which a vote asks about the checks. The position of a
 * check in a request should not matter; with several votes, shuffling shows
 * whether it does. */
static size_t *
order_of(const struct judge *j, size_t vote)
{
	size_t *order = arena_new_n(j->arena, size_t, j->n);
	uint64_t state = j->way->shuffle * 0x10001U + vote;

	for (size_t i = 0; i < j->n; i++)
		order[i] = i;
	if (state == 0)
		return order;
	for (size_t i = j->n; i > 1; i--) {
		size_t k = (size_t)(draw(&state) % i), last = order[i - 1];

		order[i - 1] = order[k];
		order[k] = last;
	}
	return order;
}

/* ---- questions ---- */

/* Returns a check that has to fail: it asks for a number that no record names,
 * because the number is a hash of the whole record and its rubrics. */
static struct prompt_check
canary_of(const struct group *b, struct arena *a)
{
	struct str *parts = arena_new_n(a, struct str, b->n + 1), all, number;

	parts[0] = b->data;
	for (size_t i = 0; i < b->n; i++)
		parts[i + 1] = b->checks[i].rubric;
	all = str_join(a, parts, b->n + 1, STR(""));
	number = str_slice(sha256_hex(a, all), 0, CANARY_DIGITS);
	return (struct prompt_check){
		.rubric = str_printf(a,
		    "\"The record names the reference number %.*s.\"",
		    STR_FMT(number))
	};
}

/* Sets the context of the group. Groups with the same context share it. */
static void
read_data(const struct judge *j, struct group *b)
{
	if (b->same != b) {
		b->data = b->same->data;
		b->why = b->same->why;
		b->redaction = b->same->redaction;
		return;
	}
	b->redaction = redaction_begin(j->way->redact, j->arena);
	b->data = context_write(&b->context, j->arena, &j->trace,
	    j->way->redact == NULL ? NULL : &b->redaction, &b->why);
}

/* Redacts the rubrics after the data, so that the same text has the same mark
 * in both. Returns whether anything in the question was redacted. */
static bool
redact_rubrics(struct group *b)
{
	struct redaction redaction = redaction_branch(&b->redaction);
	struct json_reader reader = { 0 };
	struct json_error error;

	for (size_t i = 0; i < b->n; i++)
		b->checks[i].rubric = redact_json(&redaction,
		    json_read(&reader, b->checks[i].rubric, NULL, &error));
	json_reader_free(&reader);
	return redaction.marks != 0;
}

static void
put_question(
    const struct judge *j, struct group *b, struct scheduler *scheduler)
{
	struct question *q = &b->question;
	bool redacted;

	read_data(j, b);
	redacted = j->way->redact != NULL && redact_rubrics(b);
	if (j->way->canary && b->why.s == NULL)
		*arena_push(j->arena, b->checks, b->n) = canary_of(b, j->arena);
	q->arena = j->arena;
	q->vote = b->vote;
	q->done = b->why.s != NULL;
	if (q->done)
		return;
	q->prompt = prompt_make(j->arena, b->checks, b->n, b->data);
	if (redacted)
		prompt_add_redacted(j->arena, &q->prompt);
	q->canary = j->way->canary;
	scheduler_put(scheduler, q);
}

struct judge *
judge_ask(const struct judge_way *way, struct arena *a, const struct trace *t,
    struct place at, struct scheduler *scheduler)
{
	struct judge *j = arena_new(a, struct judge);

	*j = (struct judge){
		.arena = a, .way = way, .trace = *t, .at = at, .shown.arena = a
	};
	for (json_each(result, t->member[TRACE_CHECK_RESULTS]))
		if (is_pending(result))
			*arena_push(a, j->list, j->n) =
			    pending_of(result, way->votes, a);
	for (size_t vote = 0; vote < way->votes; vote++) {
		const size_t *order = order_of(j, vote);

		for (size_t i = 0; i < j->n; i++)
			if (j->list[order[i]].why.s == NULL)
				assign(j, &j->list[order[i]], vote);
	}
	for (struct group *b = j->groups; b != NULL; b = b->next)
		put_question(j, b, scheduler);
	return j;
}

bool
judge_is_done(const struct judge *j)
{
	for (const struct group *b = j->groups; b != NULL; b = b->next)
		if (!b->question.done)
			return false;
	return true;
}

/* ---- telling ---- */

static struct str
label_of(const struct pending *p, struct arena *a)
{
	return json_text(json_get(p->result, "label"), a);
}

/* Lists in each group the labels of its checks. */
static void
list_labels(const struct judge *j)
{
	for (size_t i = 0; i < j->n; i++) {
		const struct pending *p = &j->list[i];
		struct str label = label_of(p, j->arena);

		for (size_t v = 0; p->why.s == NULL && v < j->way->votes; v++) {
			struct group *b = p->ballots[v].group;

			*arena_push(j->arena, b->labels, b->n_labels) = label;
		}
	}
}

/* Reports what went wrong with a question. It is only a warning with several
 * votes, because the others may suffice. */
static void
tell_batch(const struct judge *j, const struct group *b, struct str id)
{
	struct str why = vote_trouble(b);
	struct str stray = b->question.verdicts.stray;
	struct str labels =
	    str_join(j->arena, b->labels, b->n_labels, STR(", "));

	if (why.s != NULL && !b->question.told && j->way->votes == 1)
		diag_error(j->at, "%.*s: %.*s: not judged: %.*s", STR_FMT(id),
		    STR_FMT(labels), STR_FMT(why));
	else if (why.s != NULL && !b->question.told)
		diag_warn(j->at, "%.*s: %.*s: vote %zu: not judged: %.*s",
		    STR_FMT(id), STR_FMT(labels), b->vote + 1, STR_FMT(why));
	if (stray.s != NULL)
		diag_warn(j->at,
		    "%.*s: the judge names '%.*s', which it was not asked "
		    "about",
		    STR_FMT(id), STR_FMT(stray));
}

/* Returns whether the reason why a check has no verdict was reported with its
 * question. */
static bool
was_told(const struct judge *j, const struct pending *p)
{
	return p->why.s == NULL && j->way->votes == 1 &&
	    vote_trouble(p->ballots[0].group).s != NULL;
}

static void
tell(const struct judge *j, const struct vote *said)
{
	struct str id = json_text(json_get(j->trace.record, "id"), j->arena);

	list_labels(j);
	for (const struct group *b = j->groups; b != NULL; b = b->next)
		tell_batch(j, b, id);
	for (size_t i = 0; i < j->n; i++)
		if (said[i].why.s != NULL && !was_told(j, &j->list[i]))
			diag_error(j->at, "%.*s: %.*s: not judged: %.*s",
			    STR_FMT(id),
			    STR_FMT(label_of(&j->list[i], j->arena)),
			    STR_FMT(said[i].why));
}

/* ---- writing ---- */

static void
put_votes(struct out *o, const struct vote *said)
{
	out_member_begin(o, "votes", '{');
	out_member_size(o, "pass", said->passed);
	out_member_size(o, "fail", said->failed);
	if (said->lacking != 0)
		out_member_size(o, "error", said->lacking);
	out_end(o, '}');
}

static void
put_answer(struct out *o, const struct pending *p, const struct vote *said,
    const struct endpoint *endpoint)
{
	const struct question *q = said->question;

	if (said->verdict != NULL) {
		out_key(o, "verdict");
		out_json_str(o,
		    said->status == STATUS_PASSED ? STR("pass") : STR("fail"));
	}
	if (said->verdict != NULL && said->verdict->found == VERDICT_SCORE)
		out_member_double(o, "score", said->score);
	if (said->verdict != NULL && p->criteria.n != 0) {
		out_key(o, "scores");
		criteria_write(o, &p->criteria, said->verdict);
	}
	if (said->passed + said->failed + said->lacking > 1)
		put_votes(o, said);
	out_member_str(o, "provider", str_of(endpoint->provider->name));
	out_key(o, "model");
	out_json_str(o, q->model.n != 0 ? q->model : str_of(endpoint->model));
	out_member_bool(o, "cached", said->cached);
	/* Only one check of the question has its usage, so that sums are
	 * right. */
	if (said->usage.known != 0) {
		out_key(o, "usage");
		usage_write(o, &said->usage);
	}
}

static void
put_result(struct out *o, const struct judge *j, const struct pending *p,
    const struct vote *said, const struct endpoint *endpoint)
{
	static const char *const renewed[] = { "status", "reason", "judge",
		NULL };
	static const char *const answer[] = { "verdict", "score", "scores",
		"votes", "provider", "model", "cached", "usage", NULL };
	struct out members, judge;

	out_open_memory(&judge);
	if (said->question != NULL)
		put_answer(&judge, p, said, endpoint);
	out_open_memory(&members);
	out_member_str(&members, "status", str_of(status_name(said->status)));
	out_key(&members, "reason");
	out_json_str(&members, said->reason);
	out_key(&members, "judge");
	trace_splice(&members, json_get(p->result, "judge"), answer,
	    out_keep(&judge, j->arena));
	trace_splice(o, p->result, renewed, out_keep(&members, j->arena));
}

static void
put_results(struct out *o, const struct judge *j, const struct vote *said,
    const struct endpoint *endpoint)
{
	size_t i = 0;

	out_member_begin(o, "check_results", '[');
	for (json_each(result, j->trace.member[TRACE_CHECK_RESULTS])) {
		const struct vote *r = NULL;

		if (i < j->n && result == j->list[i].result)
			r = &said[i++];
		if (r == NULL || r->status == STATUS_PENDING) {
			out_json_raw(o, result->text);
			continue;
		}
		if (o->comma)
			out_char(o, ',');
		put_result(o, j, &j->list[r - said], r, endpoint);
	}
	out_end(o, ']');
}

/* Returns the new status of a result, and sets *reason: the judge's, or the
 * recorded one. Results must be passed in their order; *next counts those that
 * were judged. */
static enum status
status_now(const struct judge *j, const struct vote *said, size_t *next,
    const struct json *result, struct str *reason)
{
	enum status s = STATUS_UNCHECKED;

	if (*next < j->n && result == j->list[*next].result) {
		*reason = said[*next].reason;
		return said[(*next)++].status;
	}
	*reason = json_text(json_get(result, "reason"), j->arena);
	status_of(json_text(json_get(result, "status"), j->arena), &s);
	return s;
}

static enum status
run_status(const struct judge *j, const struct vote *said)
{
	size_t counts[STATUS_COUNT] = { 0 }, next = 0;
	struct str reason;

	for (json_each(result, j->trace.member[TRACE_CHECK_RESULTS]))
		counts[status_now(j, said, &next, result, &reason)]++;
	return trace_status(counts, j->trace.member[TRACE_ERROR] != NULL);
}

/* Writes the failures as mcpl-check lists them: the run's error, then the
 * reasons of its failed checks. */
static void
put_failures(struct out *o, const struct judge *j, const struct vote *said)
{
	struct str error = trace_error(&j->trace, j->arena);
	struct str reason;
	size_t next = 0;

	out_member_begin(o, "failures", '[');
	if (error.s != NULL)
		out_json_str(
		    o, str_cat(j->arena, STR("Scenario error: "), error));
	for (json_each(result, j->trace.member[TRACE_CHECK_RESULTS])) {
		enum status s = status_now(j, said, &next, result, &reason);

		if (reason.s == NULL)
			reason = json_text(json_get(result, "label"), j->arena);
		if (s == STATUS_FAILED || s == STATUS_ERROR)
			out_json_str(o, reason);
	}
	out_end(o, ']');
}

enum status
judge_write(const struct judge *j, const struct endpoint *endpoint,
    struct judge_tally *tally, struct out *o)
{
	static const char *const renewed[] = { "status", "pass", "failures",
		"check_results", NULL };
	struct vote *said = arena_new_n(j->arena, struct vote, j->n);
	enum status status;
	struct out members;

	for (size_t i = 0; i < j->n; i++) {
		said[i] = vote_decide(j, &j->list[i]);
		tally->checks[said[i].status]++;
	}
	tell(j, said);
	status = run_status(j, said);
	out_open_memory(&members);
	trace_put_status(&members, status);
	put_failures(&members, j, said);
	put_results(&members, j, said, endpoint);
	trace_splice(o, j->trace.record, renewed, out_keep(&members, j->arena));
	return status;
}
