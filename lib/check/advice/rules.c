/* Rules of the dialect `rules` that decide nothing more. */
#include "check/advice/runs.h"
#include "check/advice/set.h"

static const struct rule_claim *
claim_of(const struct check *c)
{
	const struct rule_want *w = c->want;

	return check_is_broken(c) || w->condition != NULL ||
		w->group->per != RULE_PER_RUN
	    ? NULL
	    : w->claim;
}

static bool
same_call(const struct rule_calls *x, const struct rule_calls *y)
{
	return x->n == 1 && y->n == 1 &&
	    str_eq(x->list[0].written, y->list[0].written);
}

/* Returns whether the call has the condition, word for word. */
static bool
has_condition(const struct rule_call *call, const struct rule_cond *c)
{
	for (size_t i = 0; i < call->nconds; i++)
		if (call->conds[i].written.n != 0 &&
		    str_eq(call->conds[i].written, c->written))
			return true;
	return false;
}

/* Returns whether each call that x describes is one that y describes: of tools among
 * those of y, and with its conditions among others. */
static bool
is_part(const struct rule_calls *x, const struct rule_calls *y)
{
	const struct rule_call *a = x->list, *b = y->list;
	bool same;

	if (same_call(x, y))
		return true;
	if (x->n != 1 || y->n != 1 || a->negated || b->negated || a->just ||
	    b->just)
		return false;
	for (size_t i = 0; i < b->nconds; i++)
		if (b->conds[i].written.n != 0 &&
		    (b->conds[i].variable >= 0 ||
			!has_condition(a, &b->conds[i])))
			return false;
	same = str_eq(a->names, b->names);
	if (b->by_role || b->runs || a->by_role || a->runs)
		return same;
	for (size_t i = 0; i < a->nglobs && !same; i++)
		if (!rule_call_fits(b, a->globs[i]))
			return false;
	return true;
}

/* Returns whether the claim forbids all calls of its first stage. */
static bool
is_none(const struct rule_claim *c)
{
	return (c->form == RULE_COUNT && c->op == RULE_EQ && c->n == 0) ||
	    (c->form == RULE_CHAIN && c->absent && c->nstages == 1);
}

static bool
is_at_most(const struct rule_claim *c)
{
	return c->op == RULE_LE || c->op == RULE_LT;
}

/* Returns whether the claim is a limit that the other one, of the same amount,
 * implies. */
static bool
is_looser(const struct rule_claim *c, const struct rule_claim *other)
{
	if (c->form != other->form || c->op != other->op)
		return false;
	return is_at_most(c)
	    ? c->n > other->n
	    : (c->op == RULE_GE || c->op == RULE_GT) && c->n < other->n;
}

/* Returns whether the calls of a chain's stage are required by another chain or
 * number. */
static bool
is_required(const struct rule_claim *c, const struct rule_claim *by)
{
	if (c->form != RULE_CHAIN || c->absent || c->nstages != 1)
		return false;
	if (by->form == RULE_COUNT && by->op == RULE_GE && by->n >= 1)
		return is_part(&by->stages[0], &c->stages[0]);
	if (by->form != RULE_CHAIN || by->absent || by->nstages < 2)
		return false;
	for (size_t i = 0; i < by->nstages; i++)
		if (is_part(&by->stages[i], &c->stages[0]))
			return true;
	return false;
}

/* Returns whether the claim holds where there is none of these calls. */
static bool
forbids_part(const struct rule_claim *c, const struct rule_calls *none)
{
	const struct rule_calls *about = c->stages;

	if (c->form == RULE_CHAIN && c->absent)
		about = &c->stages[c->nstages - 1];
	else if (!(c->form == RULE_COUNT && (is_at_most(c) || is_none(c))) &&
	    c->form != RULE_EVERY && c->form != RULE_BEFORE)
		return false;
	return is_part(about, none);
}

/* Returns whether a claim, which is not written like the other one, always holds
 * if the other one does. */
static bool
is_implied(const struct rule_claim *c, const struct rule_claim *by)
{
	if (c->form >= RULE_CALLS && c->form <= RULE_TIME)
		return is_looser(c, by);
	if (is_required(c, by))
		return true;
	if (is_none(by))
		return forbids_part(c, &by->stages[0]);
	if (c->form == RULE_BEFORE && by->form == RULE_BEFORE && !c->windowed &&
	    !by->windowed)
		return is_part(&c->stages[0], &by->stages[0]) &&
		    is_part(&by->stages[1], &c->stages[1]) &&
		    c->stages[0].list->binds == 0;
	return c->form == RULE_COUNT && by->form == RULE_COUNT &&
	    is_looser(c, by) && same_call(&c->stages[0], &by->stages[0]);
}

static bool
is_stronger(const struct check *a, const struct check *b)
{
	return b->severity == NULL || a->severity == b->severity;
}

static void
compare(struct advice_notes *notes, const struct check *c,
    const struct check *by, bool before)
{
	const struct rule_claim *x = claim_of(c), *y = claim_of(by);
	struct str written;

	if (x == NULL || y == NULL || !is_stronger(c, by))
		return;
	written = ((const struct rule_want *)by->want)->written;
	if (str_eq(((const struct rule_want *)c->want)->written, written)) {
		if (before)
			advice_add(notes, DUPLICATE, c->source.place,
			    "the rule of line %zu again",
			    by->source.place.line);
	} else if (is_implied(x, y)) {
		advice_add(notes, IMPLIED_RULE, c->source.place,
		    "'%.*s' (line %zu) implies this rule", STR_FMT(written),
		    by->source.place.line);
	}
}

enum { RULES_MAX = 1000 }; /* rules of a section that are compared */

void
advise_rules(struct advice_notes *notes, const struct scenario *s,
    const struct advice_runs *runs)
{
	size_t n = s->n < RULES_MAX ? s->n : RULES_MAX;

	for (size_t i = 0; i < n; i++) {
		const struct check *c = &s->checks[i];

		if (!check_is_broken(c))
			advise_calls(notes, c);
		if (runs != NULL && !check_is_broken(c) &&
		    advice_runs_idle(runs, s, i))
			advice_add(notes, NEVER_APPLIED, c->source.place,
			    "'%.*s' applied to nothing in any run",
			    STR_FMT(
				((const struct rule_want *)c->want)->written));
		for (size_t k = 0; k < n; k++)
			if (i != k)
				compare(notes, c, &s->checks[k], k < i);
	}
}
