#include "judge.h"

/* ---- what came of a check ---- */

struct ruling {
	enum status status;
	struct str reason;               /* the judge's, or its dialect's */
	struct str why;                  /* there is no verdict; else absent */
	const struct verdict *verdict;   /* NULL: there is none; of several
					  * criteria the first's */
	double score;                    /* if one was asked for */
	const struct question *question; /* NULL: it was not asked */
};

/* The words in which a dialect's own system says that its judge failed. */
static const struct words {
	const char *dialect;
	const char *failed;          /* before why */
	const char *missing, *after; /* around the check's label */
} dialects[] = {
	{ "mcplab", "Agent check failed: ",
	    "Judge did not return a result for \"", "\"" },
	{ "evolve", "judge error: ", "judge error: no verdict for \"", "\"" },
	{ NULL, "judge failed: ", "the judge gave no verdict on \"", "\"" },
};

static const struct words *
words_of(const struct pending *p)
{
	const struct json *dialect = json_get(p->result, STR("dialect"));
	const struct words *w = dialects;

	while (w->dialect != NULL && !json_str_is(dialect, str_of(w->dialect)))
		w++;
	return w;
}

static struct str
label_of(const struct pending *p, struct arena *a)
{
	return json_text(json_get(p->result, STR("label")), a);
}

/* Why no check of the batch has a verdict; absent: the judge answered. */
static struct str
batch_trouble(const struct batch *b)
{
	return b->why.s != NULL ? b->why : b->question.why;
}

/* Why there is no verdict; absent: there is one. */
static struct str
why_unfit(const struct verdict *v)
{
	if (v->found == VERDICT_MISSING)
		return STR("the answer does not name it");
	return v->found == VERDICT_UNFIT ? v->reason : (struct str){ 0 };
}

/* The same of a check, which needs one on each of its criteria. */
static struct str
why_not(const struct pending *p, const struct verdict *v, struct arena *a)
{
	const struct criteria *c = &p->criteria;
	struct str why;

	if (p->batch == NULL)
		return p->why;
	if (v == NULL)
		return batch_trouble(p->batch);
	if (c->n == 0)
		return why_unfit(v);
	for (size_t i = 0; i < c->n; i++) {
		why = why_unfit(&v[i]);
		if (why.s != NULL)
			return str_printf(a, "%.*s: %.*s",
			    STR_FMT(c->list[i].name), STR_FMT(why));
	}
	return (struct str){ 0 };
}

/* The same as the check's dialect puts it. */
static struct str
in_words(const struct pending *p, const struct verdict *v, struct str why,
    struct arena *a)
{
	const struct words *w = words_of(p);

	if (v == NULL || v->found != VERDICT_MISSING || p->criteria.n != 0)
		return str_cat(a, str_of(w->failed), why);
	return str_printf(
	    a, "%s%.*s%s", w->missing, STR_FMT(label_of(p, a)), w->after);
}

static bool
is_met(const struct pending *p, const struct verdict *v)
{
	if (p->criteria.n != 0)
		return criteria_met(&p->criteria, v);
	if (v->found == VERDICT_SCORE)
		return v->score >= p->min_score - CRITERIA_SLACK;
	return v->found == VERDICT_PASS;
}

static struct ruling
ruling_on(const struct pending *p, struct arena *a)
{
	const struct batch *b = p->batch;
	const struct criteria *c = &p->criteria;
	const struct verdict *v = NULL;
	struct ruling r = { .status = STATUS_ERROR };

	if (b != NULL && b->question.unasked) {
		r.status = STATUS_PENDING;
		r.reason = json_text(json_get(p->result, STR("reason")), a);
		return r;
	}
	if (b != NULL && b->question.verdicts.list != NULL)
		v = &b->question.verdicts.list[p->index];
	if (b != NULL && b->why.s == NULL)
		r.question = &b->question;
	r.why = why_not(p, v, a);
	if (r.why.s != NULL || v == NULL) {
		r.reason = in_words(p, v, r.why, a);
		return r;
	}
	r.verdict = v;
	r.score = c->n == 0 ? v->score : criteria_score(c, v);
	r.reason = c->n == 0 ? v->reason : criteria_reason(c, v, a);
	r.status = is_met(p, v) ? STATUS_PASSED : STATUS_FAILED;
	return r;
}

/* ---- telling ---- */

static struct str
labels_of(const struct judge *j, const struct batch *b)
{
	struct str *labels = NULL;
	size_t n = 0;

	for (size_t i = 0; i < j->n; i++)
		if (j->list[i].batch == b)
			*arena_push(j->arena, labels, n) =
			    label_of(&j->list[i], j->arena);
	return str_join(j->arena, labels, n, STR(", "));
}

static void
tell(const struct judge *j, const struct ruling *said)
{
	struct str id =
	    json_text(json_get(j->trace.record, STR("id")), j->arena);

	for (const struct batch *b = j->batches; b != NULL; b = b->next) {
		struct str why = batch_trouble(b);
		struct str stray = b->question.verdicts.stray;

		if (why.s != NULL && !b->question.told)
			diag_error(j->at, "%.*s: %.*s: not judged: %.*s",
			    STR_FMT(id), STR_FMT(labels_of(j, b)),
			    STR_FMT(why));
		if (stray.s != NULL)
			diag_warn(j->at,
			    "%.*s: the judge names '%.*s', which it was not "
			    "asked about",
			    STR_FMT(id), STR_FMT(stray));
	}
	for (size_t i = 0; i < j->n; i++) {
		const struct pending *p = &j->list[i];

		if (said[i].why.s != NULL &&
		    (p->batch == NULL || batch_trouble(p->batch).s == NULL))
			diag_error(j->at, "%.*s: %.*s: not judged: %.*s",
			    STR_FMT(id), STR_FMT(label_of(p, j->arena)),
			    STR_FMT(said[i].why));
	}
}

/* ---- writing ---- */

static void
put_answer(struct out *o, const struct pending *p, const struct ruling *said,
    const struct peer *peer)
{
	const struct question *q = said->question;

	if (said->verdict != NULL) {
		out_key(o, "verdict");
		out_json_str(o,
		    said->status == STATUS_PASSED ? STR("pass") : STR("fail"));
	}
	if (said->verdict != NULL && said->verdict->found == VERDICT_SCORE) {
		out_key(o, "score");
		out_json_double(o, said->score);
	}
	if (said->verdict != NULL && p->criteria.n != 0) {
		out_key(o, "scores");
		criteria_write(o, &p->criteria, said->verdict);
	}
	out_key(o, "provider");
	out_json_str(o, str_of(peer->provider->name));
	out_key(o, "model");
	out_json_str(o, q->model.n != 0 ? q->model : str_of(peer->model));
	out_key(o, "cached");
	out_json_bool(o, q->cached);
	/* Once for all checks of the question, so that sums are right. */
	if (p->index == 0 && q->usage.known != 0) {
		out_key(o, "usage");
		usage_write(o, &q->usage);
	}
}

static void
put_result(struct out *o, const struct judge *j, const struct pending *p,
    const struct ruling *said, const struct peer *peer)
{
	static const char *const renewed[] = { "status", "reason", "judge",
		NULL };
	static const char *const answer[] = { "verdict", "score", "scores",
		"provider", "model", "cached", "usage", NULL };
	struct out members, judge;

	out_open_memory(&judge);
	if (said->question != NULL)
		put_answer(&judge, p, said, peer);
	out_open_memory(&members);
	out_key(&members, "status");
	out_json_str(&members, str_of(status_name(said->status)));
	out_key(&members, "reason");
	out_json_str(&members, said->reason);
	out_key(&members, "judge");
	trace_splice(&members, json_get(p->result, STR("judge")), answer,
	    out_keep(&judge, j->arena));
	trace_splice(o, p->result, renewed, out_keep(&members, j->arena));
}

static void
put_results(struct out *o, const struct judge *j, const struct ruling *said,
    const struct peer *peer)
{
	size_t i = 0;

	out_key(o, "check_results");
	out_begin(o, '[');
	for (json_each(result, j->trace.member[TRACE_CHECK_RESULTS])) {
		const struct ruling *r = NULL;

		if (i < j->n && result == j->list[i].result)
			r = &said[i++];
		if (r == NULL || r->status == STATUS_PENDING) {
			out_json_raw(o, result->text);
			continue;
		}
		if (o->comma)
			out_char(o, ',');
		put_result(o, j, &j->list[r - said], r, peer);
	}
	out_end(o, ']');
}

/* What a result tells now: the judge's word, or what it told before. */
static enum status
status_now(const struct judge *j, const struct ruling *said,
    const struct json *result, struct str *reason)
{
	enum status s = STATUS_UNCHECKED;

	for (size_t i = 0; i < j->n; i++) {
		if (result == j->list[i].result) {
			*reason = said[i].reason;
			return said[i].status;
		}
	}
	*reason = json_text(json_get(result, STR("reason")), j->arena);
	status_of(json_text(json_get(result, STR("status")), j->arena), &s);
	return s;
}

static enum status
run_status(const struct judge *j, const struct ruling *said)
{
	size_t counts[STATUS_COUNT] = { 0 };
	struct str reason;

	for (json_each(result, j->trace.member[TRACE_CHECK_RESULTS]))
		counts[status_now(j, said, result, &reason)]++;
	return trace_status(counts, j->trace.member[TRACE_ERROR] != NULL);
}

/* As mcpl-check lists them: why the run failed, then why its checks did. */
static void
put_failures(struct out *o, const struct judge *j, const struct ruling *said)
{
	struct str error = json_text(j->trace.member[TRACE_ERROR], j->arena);
	struct str reason;

	out_key(o, "failures");
	out_begin(o, '[');
	if (error.s != NULL)
		out_json_str(
		    o, str_cat(j->arena, STR("Scenario error: "), error));
	for (json_each(result, j->trace.member[TRACE_CHECK_RESULTS])) {
		enum status s = status_now(j, said, result, &reason);

		if (reason.s == NULL)
			reason =
			    json_text(json_get(result, STR("label")), j->arena);
		if (s == STATUS_FAILED || s == STATUS_ERROR)
			out_json_str(o, reason);
	}
	out_end(o, ']');
}

enum status
judge_write(const struct judge *j, const struct peer *peer,
    struct judge_tally *tally, struct out *o)
{
	static const char *const renewed[] = { "status", "pass", "failures",
		"check_results", NULL };
	struct ruling *said = arena_new_n(j->arena, struct ruling, j->n);
	enum status status;
	struct out members;

	for (size_t i = 0; i < j->n; i++) {
		said[i] = ruling_on(&j->list[i], j->arena);
		tally->checks[said[i].status]++;
	}
	tell(j, said);
	status = run_status(j, said);
	out_open_memory(&members);
	trace_put_status(&members, status);
	put_failures(&members, j, said);
	put_results(&members, j, said, peer);
	trace_splice(o, j->trace.record, renewed, out_keep(&members, j->arena));
	return status;
}
