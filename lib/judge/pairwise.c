#include "judge/pairwise.h"

#include "base/stats.h"
#include "judge/shown.h"
#include "text/layout.h"

enum { FILES = 65536 }; /* bytes */

static const char *const names[PAIRWISE_VERDICTS] = {
	[PAIRWISE_BETTER] = "better",
	[PAIRWISE_WORSE] = "worse",
	[PAIRWISE_TIE] = "tie",
	[PAIRWISE_INCONSISTENT] = "position-inconsistent",
	[PAIRWISE_ERROR] = "error",
	[PAIRWISE_PENDING] = "pending",
};

/* A run of one of the files. */
struct pairwise_run {
	struct str text, key, id, scenario;
	struct place at;
	struct pairwise_run *next;      /* of the file */
	struct pairwise_run *same;      /* of B, with the same key */
	struct pairwise_run *last_same; /* of the first such run: the last */
	bool taken;
};

/* Two runs that are compared. */
struct pair {
	struct pairwise_run *sides[2];
	struct arena arena;
	struct question *questions; /* for each order, each judge's votes */
	struct str why;             /* they cannot be compared */
	bool gaps;                  /* a judge is not shown all of them */
	size_t left;                /* questions that are not done */
	struct pair *next;
};

/* ---- the runs ---- */

void
pairwise_open(struct pairwise *p)
{
	p->partners.arena = &p->arena;
	p->counts = arena_new_n(&p->arena, struct pairwise_counts, p->n);
}

/* Adds a run of B to the runs with its key. */
static void
offer(struct pairwise *p, struct pairwise_run *run)
{
	void **slot = hash_put(&p->partners, run->key);
	struct pairwise_run *first = *slot;

	if (first == NULL)
		*slot = first = run;
	else
		first->last_same->same = run;
	first->last_same = run;
}

/* Returns the next run of B with this key that has no partner yet, or NULL. */
static struct pairwise_run *
partner_of(const struct pairwise *p, struct str key)
{
	struct pairwise_run *run = hash_get(&p->partners, key);

	while (run != NULL && run->taken)
		run = run->same;
	return run;
}

bool
pairwise_add(
    struct pairwise *p, size_t side, const struct json *record, struct place at)
{
	struct arena *a = &p->arena;
	struct pairwise_run *run;
	struct trace t;
	struct str prompt;

	if (!trace_read(&t, record))
		return !trace_warn_version(record, at);
	run = arena_new(a, struct pairwise_run);
	run->text = str_dup(a, record->text);
	run->at = (struct place){ str_c(a, str_of(at.file)), at.line, 0 };
	run->id = str_dup(a, json_text(t.member[TRACE_ID], a));
	run->scenario = str_dup(a, json_text(t.member[TRACE_SCENARIO_ID], a));
	prompt = json_text(t.member[TRACE_PROMPT], a);
	run->key = str_printf(a, "%zu:%.*s%.*s", run->scenario.n,
	    STR_FMT(run->scenario), STR_FMT(prompt));
	*(p->last[side] == NULL ? &p->runs[side] : &p->last[side]->next) = run;
	p->last[side] = run;
	if (side == 1)
		offer(p, run);
	return true;
}

/* ---- the questions ---- */

/* Returns the number of votes for one order. */
static size_t
votes_of(const struct pairwise *p)
{
	return p->way->panel * p->way->votes;
}

/* Returns what the judge of the endpoint is shown of a run: half of its context at
 * most. Sets *why if the run records nothing to judge. */
static struct str
show(const struct pairwise *p, struct pair *pair, size_t side,
    const struct endpoint *endpoint, struct redaction *redaction)
{
	struct context context = { .text = CONTEXT_TRANSCRIPT,
		.context = CONTEXT_PROMPT };
	size_t most = shown_limit(endpoint, p->way->context);
	struct media media = { .arena = &pair->arena };
	struct json_reader reader = { 0 };
	struct json_error error;
	struct trace t;
	struct shown shown = { 0 };
	struct context_source from = { .arena = &pair->arena,
		.trace = &t,
		.redaction = redaction,
		.media = &media,
		.files = FILES };
	struct shown_source fit = { .endpoint = endpoint,
		.context = most == SIZE_MAX ? 0 : most / 2,
		.media = &media };

	trace_read(
	    &t, json_read(&reader, pair->sides[side]->text, NULL, &error));
	if (t.member[TRACE_TURNS] == NULL)
		context.text = CONTEXT_FINAL;
	fit.whole = context_write(&context, &from, &pair->why);
	if (pair->why.s == NULL)
		shown_fit(&shown, &pair->arena, &fit, &pair->why);
	if (shown.data.s != NULL)
		shown.data = str_dup(&pair->arena, shown.data);
	pair->gaps |= shown.gaps;
	json_reader_free(&reader);
	return shown.data;
}

/* Returns the checks, which have the rubrics with what is redacted. */
static struct prompt_check *
checks_of(
    const struct pairwise *p, struct arena *a, struct redaction *redaction)
{
	struct prompt_check *checks = arena_new_n(a, struct prompt_check, p->n);
	struct json_reader reader = { 0 };
	struct json_error error;

	for (size_t i = 0; i < p->n; i++) {
		checks[i].compare = true;
		checks[i].rubric = redaction == NULL
		    ? p->rubrics[i]
		    : redact_json(redaction,
			  json_read(&reader, p->rubrics[i], NULL, &error));
	}
	json_reader_free(&reader);
	return checks;
}

/* Puts the questions of one judge about the pair, in both orders. */
static void
ask_judge(struct pairwise *p, struct pair *pair, size_t lane)
{
	const struct endpoint *endpoint = &p->scheduler->lanes[lane].endpoint;
	struct arena *a = &pair->arena;
	struct redaction all = redaction_begin(p->way->redact, a);
	struct redaction *redaction = p->way->redact == NULL ? NULL : &all;
	struct str data[2];
	struct prompt_check *checks;

	pair->gaps = false;
	for (size_t side = 0; side < 2 && pair->why.s == NULL; side++)
		data[side] = show(p, pair, side, endpoint, redaction);
	if (pair->why.s != NULL)
		return;
	checks = checks_of(p, a, redaction);
	for (size_t i = 0; i < 2 * p->way->votes; i++) {
		size_t order = i / p->way->votes, vote = i % p->way->votes;
		struct question *q = &pair->questions[order * votes_of(p) +
		    lane * p->way->votes + vote];

		q->lane = lane;
		q->vote = vote;
		q->arena = a;
		q->owner = pair;
		q->prompt = prompt_make(a, checks, p->n,
		    str_printf(a, "{\"first\":%.*s,\"second\":%.*s}",
			STR_FMT(data[order]), STR_FMT(data[1 - order])));
		q->prompt.redacted = redaction != NULL && redaction->marks != 0;
		q->prompt.gaps = pair->gaps;
		pair->left++;
		scheduler_put(p->scheduler, q);
	}
}

static void
ask(struct pairwise *p, struct pairwise_run *one, struct pairwise_run *other)
{
	struct pair *pair = arena_new(&p->arena, struct pair);

	*pair = (struct pair){ .sides = { one, other } };
	pair->questions =
	    arena_new_n(&pair->arena, struct question, 2 * votes_of(p));
	*(p->newest == NULL ? &p->first : &p->newest->next) = pair;
	p->newest = pair;
	p->pairs++;
	one->taken = other->taken = true;
	for (size_t i = 0; i < p->way->panel && pair->why.s == NULL; i++)
		ask_judge(p, pair, i);
}

/* ---- the answers ---- */

/* The result of one order. */
struct finding {
	enum verdict_found found;        /* VERDICT_MISSING: none */
	const struct question *question; /* of the first vote for it */
	struct str reason, why;
	bool unasked;
};

/* Returns why the vote has no verdict; absent: it has one. */
static struct str
why_none(const struct question *q, size_t rubric)
{
	const struct verdict *v;

	if (q->verdicts.list == NULL)
		return q->why;
	v = &q->verdicts.list[rubric];
	if (v->found == VERDICT_MISSING)
		return STR("the answer does not name the check");
	if (v->found == VERDICT_NOT_SHOWN)
		return STR("what decides was not shown");
	return v->found == VERDICT_UNFIT ? v->reason : (struct str){ 0 };
}

/* Returns the majority of the votes on the rubric in one order. */
static struct finding
find(const struct pairwise *p, const struct pair *pair, size_t order,
    size_t rubric)
{
	size_t votes = votes_of(p), counts[VERDICT_SCORE] = { 0 };
	struct finding f = { .why = pair->why };

	for (size_t i = 0; i < votes && pair->why.s == NULL; i++) {
		const struct question *q = &pair->questions[order * votes + i];
		struct str why = why_none(q, rubric);
		const struct verdict *v;

		f.unasked |= q->unasked;
		if (q->unasked || why.s != NULL) {
			if (f.why.s == NULL)
				f.why = why;
			continue;
		}
		v = &q->verdicts.list[rubric];
		if (2 * ++counts[v->found] > votes)
			f.found = v->found;
	}
	for (size_t i = votes; i-- != 0 && f.found != VERDICT_MISSING;) {
		const struct question *q = &pair->questions[order * votes + i];

		if (!q->unasked && why_none(q, rubric).s == NULL &&
		    q->verdicts.list[rubric].found == f.found) {
			f.question = q;
			f.reason = q->verdicts.list[rubric].reason;
		}
	}
	if (f.found == VERDICT_MISSING && f.why.s == NULL)
		f.why = STR("no majority of the votes");
	return f;
}

/* Returns what the findings of both orders come to: A is first in the first
 * one. */
static enum pairwise_verdict
verdict_of_both(const struct finding f[2])
{
	static const enum pairwise_verdict same[] = {
		PAIRWISE_WORSE, /* the first, then the second */
		PAIRWISE_BETTER, PAIRWISE_TIE
	};
	static const enum verdict_found turned[] = { VERDICT_SECOND,
		VERDICT_FIRST, VERDICT_TIE };
	size_t i;

	if (f[0].found == VERDICT_MISSING || f[1].found == VERDICT_MISSING)
		return f[0].unasked || f[1].unasked ? PAIRWISE_PENDING
						    : PAIRWISE_ERROR;
	i = f[0].found - VERDICT_FIRST;
	return f[1].found == turned[i] ? same[i] : PAIRWISE_INCONSISTENT;
}

static void
put_run(struct out *o, const char *name, const struct pairwise_run *run)
{
	out_member_begin(o, name, '{');
	if (run->id.n != 0) {
		out_key(o, "id");
		out_json_str(o, run->id);
	}
	out_member_str(o, "file", str_of(run->at.file));
	out_member_size(o, "line", run->at.line);
	out_end(o, '}');
}

static void
put_order(const struct pairwise *p, const char *first, const struct finding *f)
{
	struct out *o = p->out;

	out_begin(o, '{');
	out_member_str(o, "first", str_of(first));
	if (f->found != VERDICT_MISSING) {
		const struct question *q = f->question;
		const struct endpoint *e =
		    &p->scheduler->lanes[q->lane].endpoint;

		out_member_str(o, "verdict", str_of(verdict_word(f->found)));
		out_key(o, "reason");
		out_json_str(o, f->reason);
		out_member_str(o, "provider", str_of(e->provider->name));
		out_key(o, "model");
		out_json_str(o, q->model.n != 0 ? q->model : str_of(e->model));
		out_member_bool(o, "cached", q->cached);
	} else if (f->why.s != NULL && !f->unasked) {
		out_key(o, "error");
		out_json_str(o, f->why);
	}
	out_end(o, '}');
}

/* Writes and counts the result of the pair for a rubric. */
static void
put_rubric(struct pairwise *p, const struct pair *pair, size_t rubric)
{
	struct finding f[2] = { find(p, pair, 0, rubric),
		find(p, pair, 1, rubric) };
	enum pairwise_verdict verdict = verdict_of_both(f);
	const struct pairwise_run *a = pair->sides[0], *b = pair->sides[1];
	struct out *o = p->out;
	struct str why = f[0].why.s != NULL ? f[0].why : f[1].why;

	p->counts[rubric].n[verdict]++;
	if (verdict == PAIRWISE_ERROR)
		diag_error(a->at, "%.*s and %.*s: not compared: %.*s",
		    STR_FMT(a->id), STR_FMT(b->id), STR_FMT(why));
	out_begin(o, '{');
	out_member_str(o, "type", STR("comparison"));
	out_member_int(o, "v", 1);
	if (a->scenario.n != 0) {
		out_key(o, "scenario_id");
		out_json_str(o, a->scenario);
	}
	put_run(o, "a", a);
	put_run(o, "b", b);
	out_key(o, "rubric");
	out_json_raw(o, p->rubrics[rubric]);
	out_member_str(o, "verdict", str_of(names[verdict]));
	out_member_begin(o, "orders", '[');
	put_order(p, "a", &f[0]);
	put_order(p, "b", &f[1]);
	out_end(o, ']');
	out_end(o, '}');
	out_line(o);
}

/* Writes the pairs that are done, up to the first that is not. */
static void
write_finished(struct pairwise *p)
{
	while (p->first != NULL && p->first->left == 0) {
		struct pair *pair = p->first;

		for (size_t i = 0;
		     i < p->n && !scheduler_only_looks(p->scheduler); i++)
			put_rubric(p, pair, i);
		arena_free(&pair->arena);
		p->first = pair->next;
		if (p->first == NULL)
			p->newest = NULL;
	}
}

static void
work(struct pairwise *p)
{
	struct question *q;

	out_flush(p->out);
	if (p->out->error != 0)
		scheduler_stop(
		    p->scheduler, STR("the output cannot be written"));
	scheduler_wait(p->scheduler, -1);
	while ((q = scheduler_next(p->scheduler)) != NULL)
		((struct pair *)q->owner)->left--;
	write_finished(p);
}

void
pairwise_compare(struct pairwise *p)
{
	for (struct pairwise_run *a = p->runs[0]; a != NULL; a = a->next) {
		struct pairwise_run *b = partner_of(p, a->key);

		if (b != NULL)
			ask(p, a, b);
		write_finished(p);
		while (p->first != NULL && scheduler_is_full(p->scheduler))
			work(p);
	}
	while (p->first != NULL)
		work(p);
	for (size_t side = 0; side < 2; side++)
		for (const struct pairwise_run *run = p->runs[side];
		     run != NULL; run = run->next)
			if (!run->taken)
				diag_warn(run->at,
				    "%.*s: the other file has no run of its "
				    "scenario and prompt to compare with",
				    STR_FMT(run->id));
}

void
pairwise_warn(const struct pairwise *p)
{
	struct arena arena = { 0 };

	for (size_t i = 0; i < p->n; i++) {
		const size_t *n = p->counts[i].n;
		size_t decided = n[PAIRWISE_BETTER] + n[PAIRWISE_WORSE];
		struct stats_interval at =
		    stats_wilson(n[PAIRWISE_BETTER], decided);
		struct str rate = STR("");

		if (decided != 0)
			rate = str_printf(&arena,
			    "; B wins %.0f %% of those with a winner (%.0f to "
			    "%.0f; sign test: p = %.3f)",
			    100.0 * (double)n[PAIRWISE_BETTER] /
				(double)decided,
			    100 * at.low, 100 * at.high,
			    stats_mcnemar(
				n[PAIRWISE_WORSE], n[PAIRWISE_BETTER]));
		diag_warn((struct place){ 0 },
		    "rubric %zu: pairs: %zu; better: %zu; worse: %zu; tie: "
		    "%zu; position-inconsistent: %zu; error: %zu; pending: "
		    "%zu%.*s",
		    i + 1, p->pairs, n[PAIRWISE_BETTER], n[PAIRWISE_WORSE],
		    n[PAIRWISE_TIE], n[PAIRWISE_INCONSISTENT],
		    n[PAIRWISE_ERROR], n[PAIRWISE_PENDING], STR_FMT(rate));
	}
	arena_free(&arena);
}

void
pairwise_close(struct pairwise *p)
{
	arena_free(&p->arena);
}
