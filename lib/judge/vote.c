#include "judge/vote.h"

#include <string.h>

#include "judge/provider/rest.h"

static const struct {
	enum status status;
	const char *word;
	bool wins; /* as the majority of several votes */
} sides[VOTE_SIDES] = {
	[VOTE_PASS] = { STATUS_PASSED, "pass", true },
	[VOTE_FAIL] = { STATUS_FAILED, "fail", true },
	[VOTE_UNSURE] = { STATUS_PENDING, "unsure", true },
	[VOTE_ERROR] = { STATUS_ERROR, "error", false },
	[VOTE_UNASKED] = { STATUS_PENDING, NULL, false },
};

const char *
vote_word(enum vote_side side)
{
	return sides[side].word;
}

enum status
vote_status(const struct vote *v)
{
	return sides[v->side].status;
}

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
vote_trouble(const struct group *g)
{
	return g->why.s != NULL ? g->why : g->question.why;
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

/* Sets the side of a vote by its verdict. */
static void
set_side(struct vote *r, const struct pending *p, const struct group *b,
    struct arena *a)
{
	static const enum vote_side side[VERDICT_SCORE] = {
		[VERDICT_PASS] = VOTE_PASS,
		[VERDICT_FAIL] = VOTE_FAIL,
		[VERDICT_UNSURE] = VOTE_UNSURE,
		[VERDICT_NOT_SHOWN] = VOTE_ERROR,
	};

	r->side = side[r->found];
	if (r->found != VERDICT_NOT_SHOWN)
		return;
	r->why = str_printf(a, "not shown (%s for --context): %.*s",
	    b->shown.gaps ? "parts of the run were left out"
			  : "nothing was left out",
	    STR_FMT(r->reason));
	r->reason = in_words(p, NULL, r->why, a);
}

struct vote
vote_on(const struct pending *p, const struct ballot *ballot, struct arena *a)
{
	const struct group *b = ballot->group;
	const struct question *q = &b->question;
	const struct criteria *c = &p->criteria;
	const struct verdict *v = NULL;
	struct vote r = { .side = q->unasked ? VOTE_UNASKED : VOTE_ERROR };

	if (b->why.s == NULL)
		r.question = q;
	r.shown = q->exchange.sent & REST_NO_IMAGES ? b->shown.unseen
						    : b->shown.record;
	if (q->unasked)
		return r;
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
	set_side(&r, p, b, a);
	return r;
}

/* ---- all votes ---- */

/* Returns why no side has more than half of the votes. */
static struct str
why_undecided(const struct vote *r, const struct vote *lacking, struct arena *a)
{
	size_t n = 0;
	struct out o;

	for (size_t i = 0; i < VOTE_SIDES; i++)
		n += r->n[i];
	out_open_memory(&o);
	out_printf(&o, "no majority of %zu votes: %zu pass, %zu fail", n,
	    r->n[VOTE_PASS], r->n[VOTE_FAIL]);
	if (r->n[VOTE_UNSURE] != 0)
		out_printf(&o, ", %zu unsure", r->n[VOTE_UNSURE]);
	if (lacking != NULL)
		out_printf(&o, ", %zu error (%.*s)", r->n[VOTE_ERROR],
		    STR_FMT(lacking->why));
	return out_keep(&o, a);
}

/* Makes an error of a vote, because no side has a majority. */
static void
leave_undecided(const struct judge *j, const struct pending *p,
    const struct vote *lacking, struct vote *r)
{
	r->side = VOTE_ERROR;
	r->verdict = NULL;
	r->found = VERDICT_MISSING;
	r->why = why_undecided(r, lacking, j->arena);
	r->reason = in_words(p, NULL, r->why, j->arena);
}

struct vote
vote_majority(
    const struct judge *j, const struct pending *p, size_t first, size_t n)
{
	struct vote list[VOTE_SIDES], r, v; /* the first vote of each side */
	size_t counts[VOTE_SIDES] = { 0 };
	enum vote_side winner = VOTE_SIDES;

	for (size_t i = 0; i < n; i++) {
		v = vote_on(p, &p->ballots[first + i], j->arena);
		if (counts[v.side]++ == 0)
			list[v.side] = v;
		if (i == 0)
			r = v;
		if (2 * counts[v.side] > n && (n == 1 || sides[v.side].wins))
			winner = v.side;
	}
	if (winner != VOTE_SIDES)
		r = list[winner];
	memcpy(r.n, counts, sizeof counts);
	if (winner == VOTE_SIDES && counts[VOTE_UNASKED] != 0)
		r.side = VOTE_UNASKED;
	else if (winner == VOTE_SIDES)
		leave_undecided(j, p,
		    counts[VOTE_ERROR] == 0 ? NULL : &list[VOTE_ERROR], &r);
	return r;
}

/* Adds up the usage of the votes. A question's usage is added only for its
 * first check. */
static void
add_usage(const struct pending *p, struct vote *r)
{
	r->cached = true;
	for (size_t i = 0; i < p->n_ballots; i++)
		r->cached &= p->ballots[i].group->question.cached;
	for (size_t i = 0; i < p->n_ballots; i++) {
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

struct vote
vote_decide(const struct judge *j, const struct pending *p)
{
	struct vote r = { .side = VOTE_ERROR, .why = p->why };

	if (p->why.s != NULL) {
		r.reason = in_words(p, NULL, p->why, j->arena);
		return r;
	}
	r = vote_majority(j, p, p->first, p->n_ballots - p->first);
	if (r.side == VOTE_UNASKED) {
		r.reason = json_text(json_get(p->result, "reason"), j->arena);
		return r;
	}
	if (r.verdict != NULL)
		r.reason = with_lacks(p, r.reason, j->arena);
	add_usage(p, &r);
	return r;
}

/* ---- the next judge ---- */

/* Returns whether the judges answered, but do not decide the check: they are
 * unsure, or no verdict of those that more than half of them gave has more than
 * half of the votes. */
static bool
is_open(const struct judge *j, const struct pending *p)
{
	size_t n = p->n_ballots - p->first;
	struct vote v;

	if (n == 0)
		return false;
	v = vote_majority(j, p, p->first, n);
	return v.side == VOTE_UNSURE ||
	    (v.side == VOTE_ERROR &&
		2 * (v.n[VOTE_PASS] + v.n[VOTE_FAIL] + v.n[VOTE_UNSURE]) > n);
}

void
vote_escalate(struct judge *j, struct scheduler *s)
{
	bool any = true;

	while (any && judge_is_done(j) && j->asked < j->way->judges) {
		any = false;
		for (size_t i = 0; i < j->n; i++) {
			struct pending *p = &j->list[i];

			p->open = is_open(j, p);
			if (p->open)
				p->first = p->n_ballots;
			any |= p->open;
		}
		if (any)
			judge_ask_next(j, s);
	}
}
