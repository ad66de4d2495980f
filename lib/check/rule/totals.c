/*
 * Sums of values and numbers of different values, in all or with each value of the
 * variables; and numbers of events within a time, which are those of a window between
 * two events.
 */
#include "check/rule/guard.h"

#include <math.h>
#include <stdlib.h>

/* An event, or one of its values. */
struct item {
	size_t event;
	double seconds; /* of its start; NaN: not recorded */
	enum rule_fit fit;
	double n;     /* SUM: NaN: the value is no number */
	size_t value; /* DISTINCT: a number that equal values share */
};

/* The items with one value of the variables. */
struct rule_total {
	struct rule_total *next;
	struct item *list;
	size_t n;
	struct hash_table values; /* to numbers from 1 */
};

/* ---- collecting ---- */

static struct rule_total *
total_of(struct rule_run *run, struct rule_state *s, const struct rule_match *m)
{
	void **slot = rule_count_slot(run, s, m);

	if (*slot == NULL) {
		struct rule_total *t = arena_new(run->arena, struct rule_total);

		t->values.arena = run->arena;
		if (s->last_total == NULL)
			s->totals = t;
		else
			s->last_total->next = t;
		*slot = s->last_total = t;
	}
	return *slot;
}

static struct item *
add(struct rule_run *run, struct rule_total *t, enum rule_fit fit)
{
	struct item *item = arena_push(run->arena, t->list, t->n);

	item->event = run->at;
	item->seconds = rule_moment_of(run, run->at).seconds;
	item->fit = fit;
	return item;
}

static void
add_value(struct rule_run *run, struct rule_total *t, const struct json *v)
{
	struct item *item = add(run, t, RULE_YES);
	void **slot = hash_put(&t->values, rule_key(v, run->arena));

	if (*slot == NULL) {
		*slot = arena_new(run->arena, size_t);
		*(size_t *)*slot = t->values.n;
	}
	item->value = *(size_t *)*slot;
	item->n = json_is(v, JSON_NUMBER) ? json_double(v) : NAN;
}

void
rule_step_total(struct rule_run *run, const struct rule_name *name,
    const struct rule_claim *c, struct rule_state *s)
{
	struct rule_match m = rule_match_call(run, name, c->stages[0].list);
	struct rule_subject subject = { .call = run->at };
	const struct json **list;
	const char *why = NULL;
	struct rule_total *t;
	bool any = false;
	size_t n;

	if (m.fit == RULE_NO)
		return;
	if (m.wild != 0) {
		rule_doubt(s, m.lacking);
		return;
	}
	t = total_of(run, s, &m);
	if (!rule_find_subject(run, c->cond, &subject, &why) || subject.cut) {
		rule_doubt(s,
		    subject.cut
			? "cut short in the log: the arguments of a call"
			: why);
		return;
	}
	n = rule_subjects(run, c->cond, run->at, &list);
	for (size_t i = 0; i < n; i++) {
		if (list[i] == NULL)
			continue;
		any = true;
		if (m.fit == RULE_YES)
			add_value(run, t, list[i]);
		else
			rule_doubt(s, m.lacking);
	}
	s->applied += any && run->choice == 0;
}

void
rule_step_window(struct rule_run *run, const struct rule_name *name,
    const struct rule_claim *c, struct rule_state *s)
{
	struct rule_match m = rule_match_call(run, name, c->stages[0].list);

	if (m.fit == RULE_NO)
		return;
	if (m.fit == RULE_MAYBE || m.wild != 0)
		rule_doubt(s, m.lacking);
	if (m.wild == 0) {
		add(run, total_of(run, s, &m), m.fit);
		return;
	}
	if (s->unknown == NULL)
		s->unknown = arena_new(run->arena, struct rule_total);
	add(run, s->unknown, RULE_MAYBE);
}

/* ---- deciding ---- */

/* A decision about the items of one value. */
struct deciding {
	struct rule_run *run;
	const struct rule_claim *claim;
	struct rule_state *state;
	enum rule_op op;
	const struct item *list;
	size_t n;
	const double *least; /* by item: the earliest time from there on */
	size_t *stamps;      /* DISTINCT: by value: the last window with it */
};

/* Prepares a decision about items with values up to this number. */
static void
prepare(struct deciding *d, const struct item *list, size_t n, size_t values)
{
	double *least = arena_new_n(d->run->arena, double, n + 1);
	double earliest = INFINITY;

	for (size_t i = n; i-- > 0;) {
		if (isnan(list[i].seconds))
			earliest = -INFINITY;
		else if (list[i].seconds < earliest)
			earliest = list[i].seconds;
		least[i] = earliest;
	}
	d->list = list;
	d->n = n;
	d->least = least;
	d->stamps = arena_new_n(d->run->arena, size_t, values + 1);
}

/* Returns whether two items are near enough to each other. */
static enum rule_fit
are_near(const struct deciding *d, size_t from, size_t to)
{
	double time = d->list[to].seconds - d->list[from].seconds;

	if (from == to)
		return RULE_YES;
	if (!isnan(time))
		return time <= d->claim->within + 1e-9 ? RULE_YES : RULE_NO;
	if (d->state->lacking == NULL)
		d->state->lacking = "not recorded: the time of a call or text";
	return RULE_MAYBE;
}

/* Returns whether no item from this one on is near enough to the first one. */
static bool
is_passed(const struct deciding *d, size_t first, size_t item)
{
	d->run->work++;
	return d->run->work > RULE_WORK_MAX ||
	    d->least[item] - d->list[first].seconds > d->claim->within + 1e-9;
}

static void
totals_show(const struct deciding *d, double total, size_t item)
{
	d->state->total = total;
	d->state->call = d->list[item].event;
}

/* ---- sums, and numbers of values ---- */

/* Returns the total of a window that grows by the item. */
static double
with_item(struct deciding *d, size_t first, double total, size_t item)
{
	const struct item *i = &d->list[item];

	if (d->claim->form == RULE_SUM)
		return total + i->n;
	if (d->stamps[i->value] == first + 1)
		return total;
	d->stamps[i->value] = first + 1;
	return total + 1;
}

/* Returns how the total compares with the claim's number. */
static enum rule_fit
compares(const struct deciding *d, double total)
{
	double n = d->claim->n;

	if (isnan(total)) {
		if (d->state->lacking == NULL)
			d->state->lacking = "no number: a value of the sum";
		return RULE_MAYBE;
	}
	if (fabs(total - n) < 1e-9)
		total = n;
	return rule_is_in_order(d->op, total < n ? -1 : total > n) ? RULE_YES
								   : RULE_NO;
}

static enum rule_fit
of_all(struct deciding *d)
{
	double total = 0;

	for (size_t i = 0; i < d->n; i++) {
		total = with_item(d, 0, total, i);
		totals_show(d, total, i);
	}
	return compares(d, total);
}

/* Decides about windows: for an upper limit, whether all fit, else whether some does. */
static enum rule_fit
of_windows(struct deciding *d)
{
	bool upper = d->op == RULE_LE || d->op == RULE_LT;
	enum rule_fit decisive = upper ? RULE_NO : RULE_YES, best;
	double most = -INFINITY;

	if (d->n == 0)
		return compares(d, 0);
	best = rule_opposite(decisive);
	for (size_t i = 0; i < d->n; i++) {
		double total = 0;

		for (size_t k = i; k < d->n && !is_passed(d, i, k); k++) {
			enum rule_fit fit, in = are_near(d, i, k);

			total = with_item(d, i, total, k);
			if (in == RULE_NO)
				continue;
			if (total > most)
				totals_show(d, most = total, k);
			fit = compares(d, total);
			if (fit != decisive && fit != RULE_MAYBE)
				continue;
			if (fit == decisive && in == RULE_YES) {
				totals_show(d, total, k);
				return decisive;
			}
			best = RULE_MAYBE;
		}
	}
	return best;
}

struct rule_outcome
rule_decide_total(struct rule_run *run, const struct rule_claim *c)
{
	struct rule_state *s = &run->states[c->machine];
	struct deciding d = { .run = run, .claim = c, .state = s, .op = c->op };
	bool unsure = s->maybe || rule_is_open(run, c);
	enum rule_fit worst = RULE_YES;

	/* Different values that are too many stay so, whatever is missing. */
	if (unsure && d.op == RULE_EQ)
		d.op = RULE_LE;
	if (!unsure ||
	    (c->form == RULE_DISTINCT && (d.op == RULE_LE || d.op == RULE_LT)))
		for (const struct rule_total *t = s->totals;
		     t != NULL && worst != RULE_NO; t = t->next) {
			prepare(&d, t->list, t->n, t->values.n);
			worst = rule_least(
			    worst, c->timed ? of_windows(&d) : of_all(&d));
		}
	if (run->work > RULE_WORK_MAX)
		return (struct rule_outcome){ .truth = RULE_LIMIT };
	if (worst == RULE_NO)
		return rule_known(false);
	if (unsure && s->lacking == NULL)
		return rule_events_lack(run, c);
	if (unsure || worst == RULE_MAYBE)
		return rule_unknown(s->lacking);
	return rule_known(s->totals != NULL || compares(&d, 0) == RULE_YES);
}

/* ---- for a guard ---- */

/* Returns whether the last item of the list makes the total of those near it break the
 * limit. */
static enum rule_fit
last_breaks(struct deciding *d, const struct rule_total *t)
{
	const struct rule_claim *c = d->claim;
	enum rule_fit in = RULE_YES, fit;
	size_t last = t->n - 1;
	double total = 0;

	prepare(d, t->list, t->n, t->values.n);
	for (size_t i = 0; i < t->n; i++) {
		enum rule_fit near = c->timed ? are_near(d, i, last) : RULE_YES;

		if (near == RULE_NO)
			continue;
		if (c->form == RULE_DISTINCT && near == RULE_YES &&
		    t->list[i].event != t->list[last].event &&
		    t->list[i].value == t->list[last].value)
			return RULE_NO; /* no new value */
		in = rule_least(in, rule_least(near, t->list[i].fit));
		total = c->form == RULE_COUNT ? total + 1
					      : with_item(d, last, total, i);
	}
	if (c->form == RULE_SUM && t->list[last].n <= 0)
		return RULE_NO;
	totals_show(d, total, last);
	d->state->sure = (size_t)total;
	fit = rule_opposite(compares(d, total));
	return fit == RULE_YES && in != RULE_YES ? RULE_MAYBE : fit;
}

enum rule_fit
rule_guard_total(
    struct rule_run *run, const struct rule_claim *c, struct rule_state *s)
{
	struct deciding d = { .run = run, .claim = c, .state = s, .op = c->op };
	enum rule_fit worst = s->maybe ? RULE_MAYBE : RULE_NO;

	if (d.op == RULE_EQ)
		d.op = RULE_LE;
	for (const struct rule_total *t = s->totals; t != NULL; t = t->next) {
		enum rule_fit fit = RULE_NO;

		if (t->n != 0 && t->list[t->n - 1].event == run->at)
			fit = last_breaks(&d, t);
		/* Parts of a sum that are not known may be less than nothing. */
		if (fit == RULE_YES && s->doubted && c->form == RULE_SUM)
			fit = RULE_MAYBE;
		worst = rule_most(worst, fit);
	}
	s->decided = worst == RULE_YES;
	return worst;
}

/* ---- numbers of events within a time ---- */

/* Returns whether some window has so many items. */
static enum rule_fit
has_window(struct deciding *d, size_t need, bool open)
{
	enum rule_fit best = open ? RULE_MAYBE : need == 0 ? RULE_YES : RULE_NO;

	for (size_t i = 0; i < d->n; i++) {
		size_t sure = 0;

		for (size_t k = i; k < d->n && !is_passed(d, i, k); k++) {
			enum rule_fit in = are_near(d, i, k);
			enum rule_fit ends = rule_least(
			    in, rule_least(d->list[i].fit, d->list[k].fit));

			sure += d->list[k].fit == RULE_YES;
			if (ends == RULE_YES && sure > d->state->sure) {
				d->state->sure = sure;
				totals_show(d, 0, k);
			}
			if (ends == RULE_YES && sure >= need)
				return RULE_YES;
			if (k + 1 - i >= need && in != RULE_NO &&
			    best == RULE_NO)
				best = RULE_MAYBE;
		}
	}
	return best;
}

static int
by_event(const void *one, const void *other)
{
	const struct item *a = one, *b = other;

	return a->event < b->event ? -1 : a->event > b->event;
}

/* Decides about the items of a value, and those whose value is not known (or NULL). */
static enum rule_fit
decide_value(struct deciding *d, const struct rule_total *t,
    const struct rule_total *unknown, bool open)
{
	size_t need = (size_t)d->claim->n + (d->op == RULE_LE);
	size_t n = (t == NULL ? 0 : t->n) + (unknown == NULL ? 0 : unknown->n);
	struct item *list = arena_new_n(d->run->arena, struct item, n + 1);
	enum rule_fit fit;

	n = 0;
	for (size_t i = 0; t != NULL && i < t->n; i++)
		list[n++] = t->list[i];
	for (size_t i = 0; unknown != NULL && i < unknown->n; i++)
		list[n++] = unknown->list[i];
	qsort(list, n, sizeof *list, by_event);
	prepare(d, list, n, 0);
	fit = has_window(d, need, open);
	return d->op == RULE_LE ? rule_opposite(fit) : fit;
}

struct rule_outcome
rule_decide_window(struct rule_run *run, const struct rule_claim *c)
{
	struct rule_state *s = &run->states[c->machine];
	struct deciding d = { .run = run, .claim = c, .state = s, .op = c->op };
	bool open = rule_is_open(run, c), upper = c->op == RULE_LE;
	bool by_value = c->stages[0].list->binds != 0;
	enum rule_fit worst = RULE_YES, rest;

	for (const struct rule_total *t = s->totals;
	     t != NULL && worst != RULE_NO; t = t->next)
		worst =
		    rule_least(worst, decide_value(&d, t, s->unknown, open));
	/* Other values may be there, or none. */
	if (worst != RULE_NO &&
	    (s->totals == NULL || (by_value && (open || s->unknown != NULL)))) {
		rest = decide_value(&d, NULL, s->unknown, open);
		if (s->unknown != NULL && rest != RULE_YES &&
		    !(s->totals != NULL && upper))
			rest = RULE_MAYBE;
		if (rest == RULE_NO && !upper && s->totals != NULL)
			rest = RULE_MAYBE;
		worst = rule_least(worst, rest);
	}
	if (run->work > RULE_WORK_MAX)
		return (struct rule_outcome){ .truth = RULE_LIMIT };
	if (worst != RULE_MAYBE)
		return rule_known(worst == RULE_YES);
	return s->lacking != NULL ? rule_unknown(s->lacking)
				  : rule_events_lack(run, c);
}
