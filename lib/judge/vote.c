#include "judge/vote.h"

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

struct str
vote_trouble(const struct group *b)
{
	return b->why.s != NULL ? b->why : b->question.why;
}

/* Returns why the verdict does not count; absent: it counts. */
static struct str
why_unfit(const struct verdict *v)
{
	if (v->found == VERDICT_MISSING)
		return STR("the answer does not name it");
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
		return vote_trouble(b);
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
	if (v->found == VERDICT_SCORE)
		return !v->refused && v->score >= p->min_score - CRITERIA_SLACK;
	return v->found == VERDICT_PASS;
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
	r.score = c->n == 0 ? v->score : criteria_score(c, v);
	r.reason = c->n == 0 ? v->reason : criteria_reason(c, v, a);
	r.status = is_met(p, v) ? STATUS_PASSED : STATUS_FAILED;
	return r;
}

/* ---- all votes ---- */

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

/* Returns why neither side has more than half of the votes. */
static struct str
why_undecided(const struct judge *j, const struct vote *votes)
{
	size_t n = j->way->votes;
	const struct vote *lacking = first(votes, n, STATUS_ERROR);

	if (n == 1)
		return lacking->why;
	if (lacking == NULL)
		return str_printf(j->arena,
		    "no majority of %zu votes: %zu pass, %zu fail", n,
		    count(votes, n, STATUS_PASSED),
		    count(votes, n, STATUS_FAILED));
	return str_printf(j->arena,
	    "no majority of %zu votes: %zu pass, %zu fail, %zu error (%.*s)", n,
	    count(votes, n, STATUS_PASSED), count(votes, n, STATUS_FAILED),
	    count(votes, n, STATUS_ERROR), STR_FMT(lacking->why));
}

static struct vote
majority(
    const struct judge *j, const struct pending *p, const struct vote *votes)
{
	static const enum status sides[] = { STATUS_PASSED, STATUS_FAILED };
	size_t n = j->way->votes;
	struct vote r = votes[0];

	if (n == 1)
		return r;
	for (size_t i = 0; i < 2; i++)
		if (2 * count(votes, n, sides[i]) > n)
			return *first(votes, n, sides[i]);
	r.status = STATUS_ERROR;
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

struct vote
vote_decide(const struct judge *j, const struct pending *p)
{
	size_t n = j->way->votes;
	struct vote *votes, r = { .status = STATUS_ERROR, .why = p->why };

	if (p->why.s != NULL) {
		r.reason = in_words(p, NULL, p->why, j->arena);
		return r;
	}
	votes = arena_new_n(j->arena, struct vote, n);
	for (size_t i = 0; i < n; i++)
		votes[i] = vote_on(p, &p->ballots[i], j->arena);
	if (first(votes, n, STATUS_PENDING) != NULL) {
		r.status = STATUS_PENDING;
		r.reason = json_text(json_get(p->result, "reason"), j->arena);
		return r;
	}
	r = majority(j, p, votes);
	r.passed = count(votes, n, STATUS_PASSED);
	r.failed = count(votes, n, STATUS_FAILED);
	r.lacking = count(votes, n, STATUS_ERROR);
	add_usage(j, p, &r);
	return r;
}
