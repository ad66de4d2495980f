#include "judge/judge.h"

#include "base/sha256.h"
#include "judge/evidence/tokens.h"
#include "judge/question/window.h"

enum {
	CANARY_DIGITS = 8,
	FILES = 1 << 16,        /* bytes of the texts of a run's files */
	FILES_CHOSEN = 1 << 22, /* the same, if a part of them is chosen */
};

/* Returns whether the check was asked about and is an error: it has no verdict,
 * or what decides was not shown. A check that cannot be asked about has no
 * provider. */
static bool
is_error(const struct json *result)
{
	const struct json *judge = json_get(result, "judge");
	const struct json *verdict = json_get(judge, "verdict");

	return json_str_is(json_get(result, "status"), "error") &&
	    json_get(judge, "provider") != NULL &&
	    (verdict == NULL || json_str_is(verdict, "not_shown"));
}

bool
judge_has_verdict(const struct json *result)
{
	const struct json *verdict =
	    json_get(json_get(result, "judge"), "verdict");

	return json_str_is(verdict, "pass") || json_str_is(verdict, "fail");
}

/* Returns whether the service of a measure is named. */
static bool
is_measuring(const struct judge_way *way)
{
	return way->measures[MEASURE_SIMILAR] != 0 ||
	    way->measures[MEASURE_MODERATION] != 0;
}

/* Returns whether the check is measured by a service that is named. mcpl-check
 * skips such a check. */
static bool
is_measured(const struct judge_way *way, const struct json *result)
{
	enum measure m = measure_of(json_get(result, "judge"));
	const struct json *status = json_get(result, "status");

	return way->measures[m] != 0 &&
	    (json_str_is(status, "skipped") || json_str_is(status, "pending"));
}

static bool
is_pending(const struct judge_way *way, const struct json *result)
{
	const struct json *judge = json_get(result, "judge");
	enum measure m = measure_of(judge);

	if (judge == NULL) /* as in most results */
		return false;
	if (is_measured(way, result))
		return true;
	if (m != MEASURE_NONE ? way->measures[m] == 0
			      : way->judges == 0 && is_measuring(way))
		return false;
	return (way->retry_errors && is_error(result)) ||
	    (way->again && judge_has_verdict(result)) ||
	    (json_str_is(json_get(result, "status"), "pending") &&
		json_is(json_get(result, "judge"), JSON_OBJECT));
}

size_t
judge_unnamed(const struct judge_way *way, const struct trace *t)
{
	size_t n = 0;

	for (json_each(result, t->member[TRACE_CHECK_RESULTS]))
		n += way->judges == 0 && is_measuring(way) &&
		    json_str_is(json_get(result, "status"), "pending") &&
		    !is_measured(way, result);
	return n;
}

size_t
judge_pending(
    const struct judge_way *way, const struct trace *t, const char *dialect)
{
	size_t n = 0;

	for (json_each(result, t->member[TRACE_CHECK_RESULTS]))
		n += is_pending(way, result) &&
		    (dialect == NULL ||
			json_str_is(
			    json_get(result, "dialect"), str_of(dialect)));
	return n;
}

size_t
judge_decided(const struct trace *t)
{
	size_t n = 0;

	for (json_each(result, t->member[TRACE_CHECK_RESULTS]))
		n += judge_has_verdict(result);
	return n;
}

size_t
judge_errors(const struct trace *t)
{
	size_t n = 0;

	for (json_each(result, t->member[TRACE_CHECK_RESULTS]))
		n += is_error(result);
	return n;
}

static struct pending
pending_of(const struct json *result, struct arena *a)
{
	const struct json *judge = json_get(result, "judge");
	const struct json *rubric = json_get(judge, "rubric");
	const struct json *least = json_get(judge, "min_score");
	struct pending p = { .result = result };

	p.measure = measure_of(judge);
	if (p.measure != MEASURE_NONE) {
		p.ask.rubric = measure_rubric(a, judge);
		return p;
	}
	p.ask.score = json_is(least, JSON_NUMBER);
	p.ask.least = json_double(least) - CRITERIA_SLACK;
	criteria_scale(&p.ask, json_get(judge, "scale"));
	p.ask.quoted = json_str_is(json_get(result, "dialect"), "evolve");
	p.ask.reasoned =
	    json_is(json_get(judge, "require_reasoning"), JSON_TRUE);
	if (json_get(judge, "criteria") != NULL)
		criteria_read(&p.criteria, a, judge, &p.why);
	else if (json_is(rubric, JSON_STRING))
		p.ask.rubric = rubric->text;
	else
		p.why = STR("the check has no rubric");
	if (p.why.s == NULL)
		context_read(&p.context, a, result, &p.why);
	p.open = p.why.s == NULL;
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
struct shared {
	const struct group *first;
	size_t vote;        /* of all judges */
	struct group *open; /* the current vote's first group that is not
			     * full */
};

static struct shared *
shown_to(struct judge *j, const struct context *e, size_t vote)
{
	const struct endpoint *endpoint =
	    &j->lanes[vote / j->way->votes].endpoint;
	struct str key = context_key(e, j->arena);
	void **slot = hash_put(&j->shown,
	    endpoint->provider->takes_images
		? str_cat(j->arena, key, STR(" images"))
		: key);
	struct shared *s = *slot;

	if (s == NULL)
		*slot = s = arena_new(j->arena, struct shared);
	if (s->vote != vote)
		s->open = NULL;
	s->vote = vote;
	return s;
}

static struct group *
add_group(struct judge *j, struct shared *s, const struct context *e)
{
	struct group *g = arena_new(j->arena, struct group);

	g->context = *e;
	g->question.lane = s->vote / j->way->votes;
	g->question.vote = s->vote % j->way->votes;
	if (s->first == NULL)
		s->first = g;
	g->same = s->first;
	if (j->last == NULL)
		j->groups = g;
	else
		j->last->next = g;
	return j->last = g;
}

/* Returns the vote's first group that is shown this context and has room for
 * `size` entries; a new group if there is none. */
static struct group *
group_for(struct judge *j, const struct context *e, size_t vote, size_t size)
{
	struct shared *s = shown_to(j, e, vote);
	size_t most = j->way->max_checks;
	struct group **at = &s->open;

	while (s->open != NULL && most != 0 && s->open->n >= most)
		s->open = s->open->alike;
	while (*at != NULL && most != 0 && (*at)->n + size > most)
		at = &(*at)->alike;
	if (*at == NULL)
		*at = add_group(j, s, e);
	return *at;
}

static void
assign(struct judge *j, struct pending *p, size_t vote)
{
	const struct criteria *c = &p->criteria;
	struct group *g = group_for(j, &p->context, vote, size_of(p));

	*arena_push(j->arena, p->ballots, p->n_ballots) =
	    (struct ballot){ g, g->n };
	if (c->n == 0)
		*arena_push(j->arena, g->checks, g->n) = p->ask;
	for (size_t i = 0; i < c->n; i++)
		*arena_push(j->arena, g->checks, g->n) = c->list[i].ask;
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
canary_of(const struct group *g, struct arena *a)
{
	struct str *parts = arena_new_n(a, struct str, g->n + 1), all, number;

	parts[0] = g->shown.data;
	for (size_t i = 0; i < g->n; i++)
		parts[i + 1] = g->checks[i].rubric;
	all = str_join(a, parts, g->n + 1, STR(""));
	number = str_slice(sha256_hex(a, all), 0, CANARY_DIGITS);
	return (struct prompt_check){
		.rubric = str_printf(a,
		    "\"The record names the reference number %.*s.\"",
		    STR_FMT(number))
	};
}

/* Sets the context of the group. Groups with the same context share it. */
static void
read_data(
    const struct judge *j, struct group *g, const struct endpoint *endpoint)
{
	struct context_source from = {
		.arena = j->work,
		.trace = &j->trace,
		.redaction = j->way->redact == NULL ? NULL : &g->redaction,
		.media = &g->media,
		.files = j->way->context == 0 ? FILES : FILES_CHOSEN,
	};

	if (g->same != g) {
		g->whole = g->same->whole;
		g->media = g->same->media;
		g->why = g->same->why;
		g->redaction = g->same->redaction;
		return;
	}
	g->redaction = redaction_begin(j->way->redact, j->work);
	g->media = (struct media){ .arena = j->work,
		.numbered = endpoint->provider->takes_images };
	g->whole = context_write(&g->context, &from, &g->why);
}

/* Chooses what of the context is shown. */
static void
fit_data(
    const struct judge *j, struct group *g, const struct endpoint *endpoint)
{
	const struct shown_source from = {
		.endpoint = endpoint,
		.context = j->way->context,
		.checks = g->checks,
		.n = g->n,
		.whole = g->whole,
		.media = &g->media,
	};

	if (g->why.s == NULL)
		shown_fit(&g->shown, j->work, &from, &g->why);
	if (g->why.s != NULL)
		g->why = str_dup(j->arena, g->why);
	g->shown.record = str_dup(j->arena, g->shown.record);
	g->shown.unseen = str_dup(j->arena, g->shown.unseen);
}

/* Redacts the rubrics after the data, so that the same text has the same mark
 * in both. Returns whether anything in the question was redacted. */
static bool
redact_rubrics(struct group *g)
{
	struct redaction redaction = redaction_branch(&g->redaction);
	struct json_reader reader = { 0 };
	struct json_error error;

	for (size_t i = 0; i < g->n; i++)
		g->checks[i].rubric = redact_json(&redaction,
		    json_read(&reader, g->checks[i].rubric, NULL, &error));
	json_reader_free(&reader);
	return redaction.marks != 0;
}

/* Finds out how much the model takes, once a question may be near that. */
static void
find_window(const struct judge *j, const struct group *g, struct scheduler *s)
{
	enum { SMALL = 3000 }; /* tokens, which all models take */

	if (j->way->context == 0 && tokens_of(g->whole) > SMALL)
		window_find(&s->lanes[g->question.lane].endpoint, s->cache,
		    s->dry_run || s->cache_only || s->batches != NULL ||
			s->stopped.s != NULL);
}

static void
put_question(struct judge *j, struct group *g, struct scheduler *scheduler)
{
	const struct endpoint *endpoint = &j->lanes[g->question.lane].endpoint;
	struct question *q = &g->question;
	bool redacted;

	read_data(j, g, endpoint);
	find_window(j, g, scheduler);
	redacted = j->way->redact != NULL && redact_rubrics(g);
	fit_data(j, g, endpoint);
	if (j->way->canary && g->why.s == NULL)
		*arena_push(j->arena, g->checks, g->n) = canary_of(g, j->work);
	q->arena = j->work;
	q->done = g->why.s != NULL;
	if (q->done)
		return;
	q->prompt = prompt_make(j->work, g->checks, g->n, g->shown.data);
	q->prompt.redacted = redacted;
	q->prompt.gaps = g->shown.gaps;
	q->prompt.images = g->shown.images;
	q->prompt.n_images = g->shown.n_images;
	q->canary = j->way->canary;
	q->owner = j;
	j->left++;
	scheduler_put(scheduler, q);
}

/* Names the run and the check of a measured check's question, for its file of
 * --log. */
static void
name_measure(struct judge *j, const struct pending *p, struct question *q)
{
	const struct json *names[] = { json_get(j->trace.record, "id"),
		json_get(p->result, "label") };
	struct redaction redaction = redaction_begin(j->way->redact, j->arena);
	struct str *texts = arena_new_n(j->arena, struct str, 2);

	redaction.uncounted = true;
	for (size_t i = 0; i < 2; i++) {
		texts[i] = json_text(names[i], j->arena);
		if (j->way->redact != NULL && texts[i].s != NULL)
			texts[i] = redact_text(&redaction, texts[i]);
	}
	q->entry = (struct recorder_entry){
		.run = texts[0], .about = &texts[1], .n = 1
	};
}

/* Names the run and the checks of each question from the group on, for its files
 * of --log. */
static void
name_entries(struct judge *j, struct group *from)
{
	struct redaction redaction = redaction_begin(j->way->redact, j->arena);
	struct str run = json_text(json_get(j->trace.record, "id"), j->arena);

	redaction.uncounted = true;
	if (j->way->redact != NULL && run.s != NULL)
		run = redact_text(&redaction, run);
	for (struct group *g = from; g != NULL; g = g->next)
		g->question.entry.run = run;
	for (size_t i = 0; i < j->n; i++) {
		const struct pending *p = &j->list[i];
		struct str label =
		    json_text(json_get(p->result, "label"), j->arena);

		if (j->way->redact != NULL && label.s != NULL)
			label = redact_text(&redaction, label);
		for (size_t v = 0; p->open && v < j->way->votes; v++) {
			struct recorder_entry *e =
			    &p->ballots[p->n_ballots - 1 - v]
				 .group->question.entry;

			*arena_push(j->arena, e->about, e->n) = label;
		}
	}
}

void
judge_ask_next(struct judge *j, struct scheduler *scheduler)
{
	size_t votes = j->way->votes;
	struct group *last = j->last, *from;

	for (size_t vote = 0; vote < votes; vote++) {
		const size_t *order = order_of(j, vote);

		for (size_t i = 0; i < j->n; i++)
			if (j->list[order[i]].open)
				assign(j, &j->list[order[i]],
				    j->asked * votes + vote);
	}
	j->asked++;
	from = last == NULL ? j->groups : last->next;
	if (j->way->recorded)
		name_entries(j, from);
	for (struct group *g = from; g != NULL; g = g->next)
		put_question(j, g, scheduler);
}

/* Returns the texts of a measured check as JSON: the answer, then the texts that the
 * author expects. Returns an absent text if the run records no answer. */
static struct str
texts_of(const struct judge *j, const struct json *judge)
{
	struct redaction redaction = redaction_begin(j->way->redact, j->work);
	const struct json *changed = json_get(judge, "answer"),
			  *answer = changed != NULL
	    ? changed
	    : j->trace.member[TRACE_FINAL_TEXT];
	struct out o;

	if (!json_is(answer, JSON_STRING))
		return (struct str){ 0 };
	out_open_memory(&o);
	out_begin(&o, '[');
	out_json_raw(&o,
	    j->way->redact == NULL ? answer->text
				   : redact_json(&redaction, answer));
	for (json_each(text, json_get(judge, "expected")))
		out_json_raw(&o,
		    j->way->redact == NULL ? text->text
					   : redact_json(&redaction, text));
	out_end(&o, ']');
	return out_keep(&o, j->work);
}

/* Puts the question of a measured check, whose group is its own. */
static void
put_measure(struct judge *j, struct pending *p, struct scheduler *scheduler)
{
	struct group *g = arena_new(j->arena, struct group);
	struct question *q = &g->question;
	struct str texts = texts_of(j, json_get(p->result, "judge"));

	*(j->last == NULL ? &j->groups : &j->last->next) = g;
	j->last = g;
	*arena_push(j->arena, p->ballots, p->n_ballots) =
	    (struct ballot){ .group = g };
	*arena_push(j->arena, g->checks, g->n) = p->ask;
	q->lane = j->way->measures[p->measure] - 1;
	q->arena = j->work;
	q->owner = j;
	if (texts.s == NULL) {
		g->why = STR("the run records no final answer");
		q->done = true;
		return;
	}
	q->prompt = prompt_make(j->work, g->checks, 1, texts);
	q->prompt.measured = true;
	if (j->way->recorded)
		name_measure(j, p, q);
	j->left++;
	scheduler_put(scheduler, q);
}

struct judge *
judge_ask(const struct judge_way *way, struct judge_memory memory,
    const struct trace *t, struct place at, struct scheduler *scheduler)
{
	struct arena *a = memory.arena;
	struct judge *j = arena_new(a, struct judge);

	*j = (struct judge){ .arena = a,
		.work = memory.work,
		.way = way,
		.trace = *t,
		.at = at,
		.lanes = scheduler->lanes,
		.shown.arena = a };
	for (json_each(result, t->member[TRACE_CHECK_RESULTS]))
		if (is_pending(way, result))
			*arena_push(a, j->list, j->n) = pending_of(result, a);
	while (j->asked < way->panel)
		judge_ask_next(j, scheduler);
	for (size_t i = 0; i < j->n; i++)
		if (j->list[i].measure != MEASURE_NONE)
			put_measure(j, &j->list[i], scheduler);
	return j;
}

struct judge *
judge_note(struct question *q)
{
	struct judge *j = q->owner;

	question_keep(q, j->arena);
	j->left--;
	return j;
}

bool
judge_is_done(const struct judge *j)
{
	return j->left == 0;
}
