/* Numbers of calls, in all or with each value of the variables, and of identical calls
 * in a row. */
#include "check/rule/run.h"

#include <math.h>

/* ---- counting ---- */

void **
rule_count_slot(
    struct rule_run *run, struct rule_state *s, const struct rule_match *m)
{
	s->counts.arena = run->arena;
	return hash_put(&s->counts, rule_values_key(m, m->known, run->arena));
}

/* Returns the count of the calls with the values of the match. */
static struct rule_count *
count_of(struct rule_run *run, struct rule_state *s, const struct rule_match *m)
{
	void **slot = rule_count_slot(run, s, m);

	if (*slot == NULL) {
		struct rule_count *count =
		    arena_new(run->arena, struct rule_count);

		count->next = s->values;
		*slot = s->values = count;
	}
	return *slot;
}

/* Tells a guard whether the current call is one too many: the number of those like it is
 * known, or may be more. */
static void
note_excess(struct rule_run *run, const struct rule_claim *c,
    struct rule_state *s, size_t sure, size_t possible)
{
	if (run->guard == NULL || (c->op != RULE_LE && c->op != RULE_EQ))
		return;
	s->decided = (double)sure > c->n;
	s->maybe = !s->decided && (double)(possible + s->wild) > c->n;
	if (!s->decided)
		return;
	s->sure = sure;
	s->call = run->at;
}

/* Notes a new largest number of calls; the first call beyond the limit is the
 * one to show. */
static void
note_count(struct rule_run *run, const struct rule_claim *c,
    struct rule_state *s, size_t sure, size_t possible)
{
	if (possible > s->possible)
		s->possible = possible;
	if (sure <= s->sure)
		return;
	s->sure = sure;
	if ((double)sure <= c->n + 1)
		s->call = run->at;
}

void
rule_step_count(struct rule_run *run, const struct rule_name *name,
    const struct rule_claim *c, struct rule_state *s)
{
	const struct rule_call *call = c->stages[0].list;
	struct rule_match m;
	struct rule_count all = { .sure = s->sure, .possible = s->possible };
	struct rule_count *count = &all;

	if (c->timed) {
		rule_step_window(run, name, c, s);
		return;
	}
	m = rule_match_call(run, name, call);
	if (m.fit == RULE_NO)
		return;
	if (m.fit == RULE_MAYBE || m.wild != 0)
		rule_doubt(s, m.lacking);
	if (m.wild != 0) {
		s->wild++;
		return;
	}
	if (call->binds != 0)
		count = count_of(run, s, &m);
	count->possible++;
	count->sure += m.fit == RULE_YES;
	count->call = run->at;
	note_count(run, c, s, count->sure, count->possible);
	note_excess(run, c, s, count->sure, count->possible);
}

/* A row goes on while the call is identical to the one before it. */
void
rule_step_row(struct rule_run *run, const struct rule_name *name,
    const struct rule_claim *c, struct rule_state *s)
{
	const struct rule_call *call = c->stages[0].list;
	struct rule_match m = rule_match_call(run, name, call);
	enum rule_fit same = RULE_NO;

	run->choices = 0; /* the first of several values is enough */
	if (m.fit == RULE_NO) {
		s->row = s->row_possible = 0;
		return;
	}
	if (s->row_possible != 0)
		same = rule_identical(run, run->at - 1, run->at, &m.lacking);
	s->row_possible = same == RULE_NO ? 1 : s->row_possible + 1;
	s->row = m.fit == RULE_MAYBE ? 0 : same == RULE_YES ? s->row + 1 : 1;
	if (s->row != s->row_possible)
		rule_doubt(s, m.lacking);
	note_count(run, c, s, s->row, s->row_possible);
	note_excess(run, c, s, s->row, s->row_possible);
}

/* ---- findings ---- */

/* Returns why a number of calls is undecided. */
static struct rule_outcome
count_unknown(const struct rule_run *run, const struct rule_claim *c,
    const struct rule_state *s)
{
	return s->lacking != NULL ? rule_unknown(s->lacking)
				  : rule_events_lack(run, c);
}

static struct rule_outcome
count_outcome(const struct rule_run *run, const struct rule_claim *c,
    struct rule_state *s)
{
	size_t most = s->possible + s->wild;
	struct rule_outcome o = rule_interval(c->op, c->n, (double)s->sure,
	    rule_is_open(run, c) ? INFINITY : (double)most, "");

	if (o.truth != RULE_UNKNOWN)
		return o;
	return most == s->sure ? rule_events_lack(run, c)
			       : count_unknown(run, c, s);
}

/* Returns how many calls the values of a count lack to reach n, if those that are
 * surely there each must, which are added up unless `at_once`: a call may have several
 * values. If none is surely there, how many the value that has most lacks. */
static double
missing_calls(const struct rule_state *s, double n, bool at_once)
{
	double all = 0;
	bool any = false;

	for (const struct rule_count *v = s->values; v != NULL; v = v->next) {
		double lack = n - (double)v->possible;

		any |= v->sure != 0;
		if (v->sure != 0 && lack > 0)
			all = at_once ? fmax(all, lack) : all + lack;
	}
	return any ? all : n - (double)s->possible;
}

/* Returns whether each value has n calls (at least n for >=), however the calls
 * turn out of which the log lacks evidence. */
static bool
is_reached(const struct rule_claim *c, const struct rule_state *s)
{
	bool exact = c->op == RULE_EQ;

	for (const struct rule_count *v = s->values; v != NULL; v = v->next) {
		if (exact && (double)v->possible > c->n)
			return false;
		if ((double)v->sure < c->n && (v->sure != 0 || c->n > 1))
			return false;
	}
	return s->sure != 0;
}

/* Shows the value with the fewest calls in place of the one with most. */
static void
show_fewest(struct rule_state *s)
{
	for (const struct rule_count *v = s->values; v != NULL; v = v->next)
		if (v->possible <= s->sure) {
			s->sure = v->possible;
			s->call = v->call;
		}
}

/* Decides >= and = of the calls with each value of the variables. Without such a
 * call the number is 0. */
static struct rule_outcome
values_outcome(const struct rule_run *run, const struct rule_claim *c,
    struct rule_state *s)
{
	bool more = rule_is_open(run, c) || s->wild != 0,
	     exact = c->op == RULE_EQ;

	if (exact && (double)s->sure > c->n)
		return rule_known(false);
	if (c->n == 0)
		return !exact || (!more && s->possible == 0)
		    ? rule_known(true)
		    : count_unknown(run, c, s);
	if (!rule_is_open(run, c) &&
	    missing_calls(s, c->n, c->stages[0].list->chooses) >
		(double)s->wild) {
		show_fewest(s);
		return rule_known(false);
	}
	if (is_reached(c, s) && (!more || (c->n == 1 && !exact)))
		return rule_known(true);
	return count_unknown(run, c, s);
}

struct rule_outcome
rule_decide_count(struct rule_run *run, const struct rule_claim *c)
{
	struct rule_state *s = &run->states[c->machine];

	if (c->timed)
		return rule_decide_window(run, c);
	if (c->form == RULE_COUNT && c->op != RULE_LE &&
	    c->stages[0].list[0].binds != 0)
		return values_outcome(run, c, s);
	return count_outcome(run, c, s);
}
