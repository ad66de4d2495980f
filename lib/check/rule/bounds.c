/* Finds what can never hold in a rule: bounds that exclude each other. */
#include <math.h>

#include "check/rule/parse.h"
#include "check/rule/run.h"

/* The numbers that a comparison lets through. */
struct interval {
	double low, high;
	bool low_open, high_open; /* the bound itself is none of them */
};

/* Returns an interval of all numbers for an operator that has none. */
static struct interval
interval_of(enum rule_op op, double n)
{
	struct interval all = { .low = -INFINITY, .high = INFINITY };

	if (op == RULE_EQ || op == RULE_GT || op == RULE_GE)
		all.low = n;
	if (op == RULE_EQ || op == RULE_LT || op == RULE_LE)
		all.high = n;
	all.low_open = op == RULE_GT;
	all.high_open = op == RULE_LT;
	return all;
}

/* Returns whether no number is in both. */
static bool
are_apart(struct interval a, struct interval b)
{
	return a.high < b.low || b.high < a.low ||
	    (a.high == b.low && (a.high_open || b.low_open)) ||
	    (b.high == a.low && (b.high_open || a.low_open));
}

/* Returns whether the conditions are about the same one value of a call. */
static bool
is_same_value(const struct rule_cond *a, const struct rule_cond *b)
{
	bool same = a->of == b->of && a->nsteps == b->nsteps && !a->several &&
	    !b->several && a->arguments.n <= 1 && a->variable < 0 &&
	    b->variable < 0;

	for (size_t i = 0; same && i < a->nsteps; i++)
		same = str_eq(a->path[i].name, b->path[i].name) &&
		    a->path[i].index == b->path[i].index;
	return same;
}

/* Returns whether a missing value fits the condition. */
static bool
may_be_absent(const struct rule_cond *c)
{
	return c->test == RULE_ABSENT || c->negate ||
	    ((c->test == RULE_COMPARE || c->test == RULE_LENGTH) &&
		c->op == RULE_NE);
}

/* Returns whether no call meets both conditions. */
static bool
exclude(const struct rule_cond *a, const struct rule_cond *b, struct arena *m)
{
	if (a->test == RULE_FAILED || b->test == RULE_FAILED)
		return a->test == b->test && a->negate != b->negate;
	if (a->written.n == 0 || b->written.n == 0 || !is_same_value(a, b))
		return false;
	if (a->test == RULE_ABSENT || b->test == RULE_ABSENT)
		return !may_be_absent(a) || !may_be_absent(b);
	if (a->test != b->test ||
	    (a->test != RULE_COMPARE && a->test != RULE_LENGTH))
		return false;
	if (a->number == a->number && b->number == b->number)
		return a->op != RULE_NE && b->op != RULE_NE
		    ? are_apart(interval_of(a->op, a->number),
			  interval_of(b->op, b->number))
		    : a->op != b->op &&
			(a->op == RULE_EQ || b->op == RULE_EQ) &&
			a->number == b->number;
	return a->test == RULE_COMPARE && a->op == RULE_EQ &&
	    b->op == RULE_EQ && !rule_compare(RULE_EQ, a->value, b->value, m);
}

void
rules_check_condition(struct rules_parser *p, const struct rule_cond *list,
    size_t n, const struct rule_cond *last)
{
	size_t at = (size_t)(last->written.s - p->line.s);

	for (size_t i = 0; i < n && rules_ok(p); i++)
		if (exclude(&list[i], last, p->arena))
			rules_mistake(p, at,
			    "'%.*s' and '%.*s' never hold together (write a "
			    "call "
			    "for each of them)",
			    STR_FMT(list[i].written), STR_FMT(last->written));
}

/* Returns whether the claims are limits of the same number. */
static bool
is_same_number(const struct rule_claim *a, const struct rule_claim *b)
{
	if (a->form != b->form)
		return false;
	if (a->form == RULE_COUNT)
		return str_eq(
		    a->stages[0].list->written, b->stages[0].list->written);
	return rule_about(a->form) == RULE_ABOUT_AMOUNTS;
}

void
rules_check_limits(
    struct rules_parser *p, const struct rule_claim *const *parts, size_t n)
{
	for (size_t i = 1; i < n && rules_ok(p); i++)
		for (size_t k = 0; k < i && rules_ok(p); k++)
			if (is_same_number(parts[k], parts[i]) &&
			    are_apart(interval_of(parts[k]->op, parts[k]->n),
				interval_of(parts[i]->op, parts[i]->n)))
				rules_mistake(p,
				    (size_t)(parts[i]->written.s - p->line.s),
				    "'%.*s' and '%.*s' never hold together "
				    "(write or if one of them suffices)",
				    STR_FMT(parts[k]->written),
				    STR_FMT(parts[i]->written));
}
