#include "judge/vote.h"

#include "judge/provider/error.h"
#include "judge/provider/rest.h"
#include "text/layout.h"
#include "trace/verdict.h"

/* The result of a check, or of one vote on it. */
struct vote {
	enum status status; /* pending: the judge is unsure, or the check was
			     * not asked about */
	enum verdict_found found; /* pass, fail, unsure or not shown; missing:
				   * there is no verdict */
	struct str reason; /* the judge's reason, or an error in the dialect's
			     * words */
	struct str why;    /* error; absent if there is a verdict */
	/* From the first vote of the majority, or the first that lacks a
	 * verdict: */
	const struct verdict *verdict;   /* NULL: none; with criteria, an array
					  * that begins with the first
					  * criterion's verdict */
	double score;                    /* valid if a score was asked for */
	const struct question *question; /* NULL: it was not asked */
	struct str shown;                /* what the judge saw, JSON */
	/* Over all votes: */
	size_t passed, failed, unsure, lacking;
	bool cached; /* all answers came from the cache */
	/* Usage of the questions in which the check comes first; only of those
	 * that were not cached, if there are any. */
	struct usage usage;
};

/* ---- words ---- */

/* The words with which a dialect's own system reports that its judge
 * failed. */
static const struct words {
	const char *dialect;
	const char *failed;          /* before the reason */
	const char *missing, *after; /* before and after the check's label */
} dialects[] = {
	{ "mcplab", "Agent check failed: ",
	    "Judge did not return a result for \"", "\"" },
	{ "evolve", "judge error: ", "judge error: no verdict for \"", "\"" },
	{ NULL, "judge failed: ", "the judge gave no verdict on \"", "\"" },
};

static const struct words *
words_of(const struct pending *p)
{
	const struct json *dialect = json_get(p->result, "dialect");
	const struct words *w = dialects;

	while (w->dialect != NULL && !json_str_is(dialect, str_of(w->dialect)))
		w++;
	return w;
}

/* Returns why there is no verdict, in the words of the check's dialect. `v` is
 * the result of the only vote; NULL: there is none. */
static struct str
in_words(const struct pending *p, const struct verdict *v, struct str why,
    struct arena *a)
{
	const struct words *w = words_of(p);
	struct str label = json_text(json_get(p->result, "label"), a);

	if (v == NULL || v->found != VERDICT_MISSING || p->criteria.n != 0)
		return str_cat(a, str_of(w->failed), why);
	return str_printf(a, "%s%.*s%s", w->missing, STR_FMT(label), w->after);
}

/* ---- one vote ---- */

/* Returns why no check of the group has a verdict; absent: the judge
 * answered. */
static struct str
trouble_of(const struct group *b)
{
	return b->why.s != NULL ? b->why : b->question.why;
}

/* Returns why the verdict does not count; absent: it counts. */
static struct str
why_unfit(const struct verdict *v)
{
	if (v->found == VERDICT_MISSING)
		return STR("the answer does not name the check");
	return v->found == VERDICT_UNFIT ? v->reason : (struct str){ 0 };
}

/* Returns why the vote has no verdict on the check, which needs one on each of
 * its criteria; absent: it has one. */
static struct str
why_not(const struct pending *p, const struct group *b, const struct verdict *v,
    struct arena *a)
{
	const struct criteria *c = &p->criteria;
	struct str why;

	if (v == NULL)
		return trouble_of(b);
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

static bool
is_met(const struct pending *p, const struct verdict *v)
{
	if (p->criteria.n != 0)
		return criteria_met(&p->criteria, v);
	return !v->refused && v->score >= p->ask.least;
}

/* Returns the verdict that the check's scores come to, or its only verdict. */
static enum verdict_found
found_by(const struct pending *p, const struct verdict *v)
{
	size_t n = p->criteria.n == 0 ? 1 : p->criteria.n;

	for (size_t i = 0; i < n; i++)
		if (v[i].found != VERDICT_SCORE)
			return v[i].found;
	return is_met(p, v) ? VERDICT_PASS : VERDICT_FAIL;
}

/* Sets the status of a vote by its verdict. */
static void
set_status(struct vote *r, const struct pending *p, const struct group *b,
    struct arena *a)
{
	static const enum status status[VERDICT_SCORE] = {
		[VERDICT_PASS] = STATUS_PASSED,
		[VERDICT_FAIL] = STATUS_FAILED,
		[VERDICT_UNSURE] = STATUS_PENDING,
		[VERDICT_NOT_SHOWN] = STATUS_ERROR,
	};

	r->status = status[r->found];
	if (r->found != VERDICT_NOT_SHOWN)
		return;
	r->why = str_printf(a, "not shown (%s for --context): %.*s",
	    b->shown.gaps ? "parts of the run were left out"
			  : "nothing was left out",
	    STR_FMT(r->reason));
	r->reason = in_words(p, NULL, r->why, a);
}

static struct vote
vote_on(const struct pending *p, const struct ballot *ballot, struct arena *a)
{
	const struct group *b = ballot->group;
	const struct question *q = &b->question;
	const struct criteria *c = &p->criteria;
	const struct verdict *v = NULL;
	struct vote r = { .status = STATUS_ERROR };

	if (b->why.s == NULL)
		r.question = q;
	r.shown = q->exchange.sent & REST_NO_IMAGES ? b->shown.unseen
						    : b->shown.record;
	if (q->unasked) {
		r.status = STATUS_PENDING;
		return r;
	}
	if (q->verdicts.list != NULL)
		v = &q->verdicts.list[ballot->index];
	r.why = why_not(p, b, v, a);
	if (r.why.s != NULL || v == NULL) {
		r.reason = in_words(p, v, r.why, a);
		return r;
	}
	r.verdict = v;
	r.found = found_by(p, v);
	r.score = c->n == 0 ? v->score : criteria_score(c, v);
	r.reason = c->n == 0 ? v->reason : criteria_reason(c, v, a);
	set_status(&r, p, b, a);
	return r;
}

/* ---- all votes ---- */

/* Returns whether a vote will never be asked for. */
static bool
is_unasked(const struct vote *vote)
{
	return vote->status == STATUS_PENDING && vote->verdict == NULL;
}

static size_t
count(const struct vote *votes, size_t n, enum status s)
{
	size_t times = 0;

	for (size_t i = 0; i < n; i++)
		times += votes[i].status == s;
	return times;
}

static const struct vote *
first(const struct vote *votes, size_t n, enum status s)
{
	for (size_t i = 0; i < n; i++)
		if (votes[i].status == s)
			return &votes[i];
	return NULL;
}

/* Returns why no verdict has more than half of the votes. */
static struct str
why_undecided(const struct judge *j, const struct vote *votes)
{
	size_t n = j->way->votes, unsure = count(votes, n, STATUS_PENDING);
	const struct vote *lacking = first(votes, n, STATUS_ERROR);
	struct out o;

	out_open_memory(&o);
	out_printf(&o, "no majority of %zu votes: %zu pass, %zu fail", n,
	    count(votes, n, STATUS_PASSED), count(votes, n, STATUS_FAILED));
	if (unsure != 0)
		out_printf(&o, ", %zu unsure", unsure);
	if (lacking != NULL)
		out_printf(&o, ", %zu error (%.*s)",
		    count(votes, n, STATUS_ERROR), STR_FMT(lacking->why));
	return out_keep(&o, j->arena);
}

static struct vote
majority(
    const struct judge *j, const struct pending *p, const struct vote *votes)
{
	static const enum status sides[] = { STATUS_PASSED, STATUS_FAILED,
		STATUS_PENDING };
	size_t n = j->way->votes;
	struct vote r = votes[0];

	if (n == 1)
		return r;
	for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++)
		if (2 * count(votes, n, sides[i]) > n)
			return *first(votes, n, sides[i]);
	r.status = STATUS_ERROR;
	r.found = VERDICT_MISSING;
	r.verdict = NULL;
	r.why = why_undecided(j, votes);
	r.reason = in_words(p, NULL, r.why, j->arena);
	return r;
}

/* Adds up the usage of the votes. A question's usage is added only for its
 * first check. */
static void
add_usage(const struct judge *j, const struct pending *p, struct vote *r)
{
	r->cached = true;
	for (size_t i = 0; i < j->way->votes; i++)
		r->cached &= p->ballots[i].group->question.cached;
	for (size_t i = 0; i < j->way->votes; i++) {
		const struct ballot *b = &p->ballots[i];

		if (b->index == 0 && b->group->question.cached == r->cached)
			usage_add(&r->usage, &b->group->question.usage);
	}
}

/* Returns the reason of a verdict, and which kinds of evidence the rubric speaks of
 * that the judge was not shown. */
static struct str
with_lacks(const struct pending *p, struct str reason, struct arena *a)
{
	struct str *list = NULL;
	size_t n = 0;

	for (json_each(kind, json_get(json_get(p->result, "judge"), "lacks")))
		*arena_push(a, list, n) = json_text(kind, a);
	if (n == 0)
		return reason;
	return str_trim(str_printf(a, "%.*s (not shown to the judge: %.*s)",
	    STR_FMT(reason), STR_FMT(str_join(a, list, n, STR(", ")))));
}

static struct vote
decide(const struct judge *j, const struct pending *p)
{
	size_t n = j->way->votes;
	struct vote *votes, r = { .status = STATUS_ERROR, .why = p->why };

	if (p->why.s != NULL) {
		r.reason = in_words(p, NULL, p->why, j->arena);
		return r;
	}
	votes = arena_new_n(j->arena, struct vote, n);
	for (size_t i = 0; i < n; i++) {
		votes[i] = vote_on(p, &p->ballots[i], j->arena);
		if (is_unasked(&votes[i]))
			r.status = STATUS_PENDING;
	}
	if (r.status == STATUS_PENDING) {
		r.reason = json_text(json_get(p->result, "reason"), j->arena);
		return r;
	}
	r = majority(j, p, votes);
	if (r.verdict != NULL)
		r.reason = with_lacks(p, r.reason, j->arena);
	r.passed = count(votes, n, STATUS_PASSED);
	r.failed = count(votes, n, STATUS_FAILED);
	r.unsure = count(votes, n, STATUS_PENDING);
	r.lacking = count(votes, n, STATUS_ERROR);
	add_usage(j, p, &r);
	return r;
}

/* ---- telling ---- */

/* Returns the label on one line. */
static struct str
label_of(const struct pending *p, struct arena *a)
{
	struct str label = json_text(json_get(p->result, "label"), a);

	return label.s == NULL ? label
			       : str_trim(layout_clean(a, label, false));
}

/* A reason why checks have no verdict. */
struct vote_reason {
	struct str why;
	size_t again; /* checks for which it is not reported */
	struct vote_reason *next;
};

/* Returns whether the reason is new. If it is not, counts the checks for which
 * it will not be reported. */
static bool
is_new_reason(struct vote_tally *t, struct str why, size_t checks)
{
	void **slot;
	struct vote_reason *r;

	why = str_slice(why, 0, str_find(why, STR(PROVIDER_ERROR_BEGINS)));
	slot = hash_put_copy(&t->reasons, why);
	r = *slot;

	if (r != NULL) {
		r->again += checks;
		return false;
	}
	*slot = r = arena_new(t->reasons.arena, struct vote_reason);
	r->why = str_dup(t->reasons.arena, why);
	if (t->last == NULL)
		t->first = r;
	else
		t->last->next = r;
	t->last = r;
	return true;
}

void
vote_warn_repeated(const struct vote_tally *t)
{
	for (const struct vote_reason *r = t->first; r != NULL; r = r->next)
		if (r->again != 0)
			diag_warn((struct place){ 0 },
			    "not judged: %.*s: further checks with this "
			    "reason: %zu",
			    STR_FMT(r->why), r->again);
}

/* Lists in each group the labels of its checks. */
static void
list_labels(const struct judge *j)
{
	for (size_t i = 0; i < j->n; i++) {
		const struct pending *p = &j->list[i];
		struct str label = label_of(p, j->arena);

		for (size_t v = 0; p->why.s == NULL && v < j->way->votes; v++) {
			struct group *g = p->ballots[v].group;

			*arena_push(j->arena, g->labels, g->n_labels) = label;
		}
	}
}

/* Returns the end of a message, which names the file of the question's last try;
 * an empty text without --log. */
static const char *
file_of(const struct question *q, struct arena *a)
{
	if (q == NULL || q->entry.path == NULL)
		return "";
	return str_c(a, str_printf(a, " (%s)", q->entry.path));
}

/* Reports what went wrong with a question. It is only a warning with several
 * votes, because the others may suffice. */
static void
warn_question(const struct judge *j, const struct group *g, struct str id,
    struct vote_tally *tally)
{
	struct str why = trouble_of(g);
	struct str labels =
	    str_join(j->arena, g->labels, g->n_labels, STR(", "));

	bool silent = why.s == NULL || g->question.reported ||
	    !is_new_reason(tally, why, g->n_labels);

	if (!silent && j->way->votes == 1)
		diag_error(j->at, "%.*s: %.*s: not judged: %.*s%s", STR_FMT(id),
		    STR_FMT(labels), STR_FMT(why),
		    file_of(&g->question, j->arena));
	else if (!silent)
		diag_warn(j->at, "%.*s: %.*s: vote %zu: not judged: %.*s%s",
		    STR_FMT(id), STR_FMT(labels), g->vote + 1, STR_FMT(why),
		    file_of(&g->question, j->arena));
}

/* Returns whether the reason why a check has no verdict was reported with its
 * question. */
static bool
was_reported(const struct judge *j, const struct pending *p)
{
	return p->why.s == NULL && j->way->votes == 1 &&
	    trouble_of(p->ballots[0].group).s != NULL;
}

static void
warn_unjudged(
    const struct judge *j, const struct vote *votes, struct vote_tally *tally)
{
	struct str id = json_text(json_get(j->trace.record, "id"), j->arena);

	list_labels(j);
	for (const struct group *g = j->groups; g != NULL; g = g->next)
		warn_question(j, g, id, tally);
	for (size_t i = 0; i < j->n; i++)
		if (votes[i].why.s != NULL && !was_reported(j, &j->list[i]) &&
		    is_new_reason(tally, votes[i].why, 1))
			diag_error(j->at, "%.*s: %.*s: not judged: %.*s%s",
			    STR_FMT(id),
			    STR_FMT(label_of(&j->list[i], j->arena)),
			    STR_FMT(votes[i].why),
			    file_of(votes[i].question, j->arena));
}

/* ---- writing ---- */

static void
put_votes(struct out *o, const struct vote *vote)
{
	out_member_begin(o, "votes", '{');
	out_member_size(o, "pass", vote->passed);
	out_member_size(o, "fail", vote->failed);
	if (vote->unsure != 0)
		out_member_size(o, "unsure", vote->unsure);
	if (vote->lacking != 0)
		out_member_size(o, "error", vote->lacking);
	out_end(o, '}');
}

static void
put_judge(struct out *o, const struct pending *p, const struct vote *vote,
    const struct endpoint *endpoint)
{
	const struct question *q = vote->question;

	bool decided =
	    vote->status == STATUS_PASSED || vote->status == STATUS_FAILED;

	if (vote->found != VERDICT_MISSING)
		out_member_str(o, "verdict", str_of(verdict_word(vote->found)));
	if (decided && vote->verdict->found == VERDICT_SCORE)
		out_member_double(o, "score", vote->score);
	if (decided && p->criteria.n != 0) {
		out_key(o, "scores");
		criteria_write(o, &p->criteria, vote->verdict);
	}
	if (vote->passed + vote->failed + vote->unsure + vote->lacking > 1)
		put_votes(o, vote);
	out_member_str(o, "provider", str_of(endpoint->provider->name));
	out_key(o, "model");
	out_json_str(o, q->model.n != 0 ? q->model : str_of(endpoint->model));
	out_member_bool(o, "cached", vote->cached);
	out_key(o, "shown");
	out_json_raw(o, vote->shown);
	/* Only one check of the question has its usage, so that sums are
	 * right. */
	if (vote->usage.known != 0) {
		out_key(o, "usage");
		usage_write(o, &vote->usage);
	}
}

static void
put_result(struct out *o, const struct judge *j, const struct pending *p,
    const struct vote *vote, const struct endpoint *endpoint)
{
	static const char *const renewed[] = { "status", "reason", "judge",
		NULL };
	static const char *const answer[] = { "verdict", "score", "scores",
		"votes", "provider", "model", "cached", "shown", "usage",
		NULL };
	struct out members, judge;

	out_open_memory(&judge);
	if (vote->question != NULL)
		put_judge(&judge, p, vote, endpoint);
	out_open_memory(&members);
	out_member_str(&members, "status", str_of(status_name(vote->status)));
	out_key(&members, "reason");
	out_json_str(&members, vote->reason);
	out_key(&members, "judge");
	trace_splice(&members, json_get(p->result, "judge"), answer,
	    out_keep(&judge, j->arena));
	trace_splice(o, p->result, renewed, out_keep(&members, j->arena));
}

static void
put_results(struct out *o, const struct judge *j, const struct vote *votes,
    const struct endpoint *endpoint)
{
	size_t i = 0;

	out_member_begin(o, "check_results", '[');
	for (json_each(result, j->trace.member[TRACE_CHECK_RESULTS])) {
		const struct vote *r = NULL;

		if (i < j->n && result == j->list[i].result)
			r = &votes[i++];
		if (r == NULL || is_unasked(r)) {
			out_json_raw(o, result->text);
			continue;
		}
		if (o->comma)
			out_char(o, ',');
		put_result(o, j, &j->list[r - votes], r, endpoint);
	}
	out_end(o, ']');
}

/* Returns the new status of a result, and sets *reason to the judge's reason,
 * which is absent if the result was not judged. Results must be passed in their
 * order; *next counts those that were judged. */
static enum status
status_now(const struct judge *j, const struct vote *votes, size_t *next,
    const struct json *result, struct str *reason)
{
	if (*next < j->n && result == j->list[*next].result) {
		const struct vote *vote = &votes[(*next)++];

		*reason = vote->reason;
		if (vote->status != STATUS_PENDING)
			return vote->status;
	}
	*reason = (struct str){ 0 };
	return verdict_status(json_get(result, "status"));
}

static enum status
run_status(const struct judge *j, const struct vote *votes)
{
	size_t counts[STATUS_COUNT] = { 0 }, next = 0;
	struct str reason;

	for (json_each(result, j->trace.member[TRACE_CHECK_RESULTS])) {
		enum status s = status_now(j, votes, &next, result, &reason);

		counts[s] += verdict_counts(result);
	}
	return trace_status(counts, j->trace.member[TRACE_ERROR] != NULL);
}

/* Writes the failures as mcpl-check lists them: the run's error, then the
 * reasons of its failed checks. */
static void
put_failures(struct out *o, const struct judge *j, const struct vote *votes)
{
	struct str error = trace_error(&j->trace, j->arena);
	struct str reason;
	size_t next = 0;

	out_member_begin(o, "failures", '[');
	if (error.s != NULL)
		out_json_str(
		    o, str_cat(j->arena, STR("Scenario error: "), error));
	for (json_each(result, j->trace.member[TRACE_CHECK_RESULTS])) {
		enum status s = status_now(j, votes, &next, result, &reason);

		verdict_put_failure(o, result, s, reason, j->arena);
	}
	out_end(o, ']');
}

enum status
vote_write(const struct judge *j, const struct endpoint *endpoint,
    struct vote_tally *tally, struct out *o)
{
	static const char *const renewed[] = { "status", "pass", "failures",
		"check_results", NULL };
	struct vote *votes = arena_new_n(j->arena, struct vote, j->n);
	enum status status;
	struct out members;

	for (size_t i = 0; i < j->n; i++) {
		votes[i] = decide(j, &j->list[i]);
		tally->checks[votes[i].status]++;
		tally->unsure += votes[i].found == VERDICT_UNSURE;
	}
	warn_unjudged(j, votes, tally);
	status = run_status(j, votes);
	out_open_memory(&members);
	trace_put_status(&members, status);
	put_failures(&members, j, votes);
	put_results(&members, j, votes, endpoint);
	trace_splice(o, j->trace.record, renewed, out_keep(&members, j->arena));
	return status;
}
