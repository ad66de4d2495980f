/*
 * The machines of a group, which one pass over a run's calls drives. A machine
 * decides from two sides: what surely happened, and what may have happened where
 * the log lacks evidence. It is decided if both sides agree.
 */
#include "check/rule/run.h"

#include <string.h>

typedef void machine(struct rule_run *, const struct rule_name *,
    const struct rule_claim *, struct rule_state *);

/* Notes that the call decides, or would decide if evidence were there. */
static void
note(struct rule_run *run, struct rule_state *s, enum rule_fit fit,
    const char *lacking, size_t other)
{
	if (fit == RULE_NO || s->decided)
		return;
	if (fit == RULE_YES) {
		s->decided = true;
		s->call = run->at;
		s->other = other;
		return;
	}
	s->maybe = true;
	if (s->lacking == NULL)
		s->lacking = lacking;
}

/* Counts the current call, once for all values of variables, as one that the claim is
 * about. */
static void
count_applied(const struct rule_run *run, struct rule_state *s)
{
	s->applied += run->choice == 0;
}

/* ---- chains ---- */

/* Returns the variables that stages from this one on name. */
static unsigned
needed_from(const struct rule_claim *c, size_t stage)
{
	unsigned bits = 0;

	for (size_t i = stage; i < c->nstages; i++)
		for (size_t k = 0; k < c->stages[i].n; k++)
			bits |= c->stages[i].list[k].binds |
			    c->stages[i].list[k].uses;
	return bits;
}

/* A stage of a chain, at the current call. */
struct stage {
	struct rule_run *run;
	const struct rule_name *name;
	const struct rule_claim *claim;
	struct rule_state *state;
	size_t number;
};

/* Adds the current call, behind what the entry (NULL: none) has, to the bag of
 * its stage; behind the last stage the chain is complete. */
static void
extend(const struct stage *at, const struct rule_call *call,
    const struct rule_match *m, const struct rule_entry *before)
{
	struct rule_state *s = at->state;
	struct rule_bag *bag = &s->bags[at->number];
	unsigned needed;

	if (at->number + 1 == at->claim->nstages) {
		note(at->run, s, m->fit, m->lacking,
		    before == NULL ? SIZE_MAX : before->call);
		return;
	}
	needed = needed_from(at->claim, at->number + 1);
	if (needed != 0 || !rule_bag_is_settled(bag))
		rule_bag_add(at->run, bag,
		    rule_entry_join(at->run, call, m, before, needed), false);
}

/* Extends each chain that the current call goes with. A call without variables
 * extends all of them alike, and no later such call adds to that, so that a chain
 * which the call surely extends moves to the next bag. */
static void
chain_call(const struct stage *at, const struct rule_call *call)
{
	struct rule_state *s = at->state;
	struct rule_match m;
	struct rule_scan scan;
	struct rule_entry *e;
	bool moves = call->binds == 0 && call->uses == 0;

	if (rule_name_fits(at->name, call) == RULE_NO)
		return;
	m = rule_match_call(at->run, at->name, call);
	if (m.fit == RULE_NO)
		return;
	if (at->number == 0) {
		count_applied(at->run, s);
		extend(at, call, &m, NULL);
		return;
	}
	scan = (struct rule_scan){ .run = at->run,
		.bag = &s->bags[at->number - 1],
		.match = &m,
		.call = call };
	while (!s->decided && (e = rule_scan_next(&scan)) != NULL) {
		struct rule_match joined = m;

		joined.fit =
		    rule_least(m.fit, rule_least(scan.fit, e->bound.fit));
		if (joined.lacking == NULL)
			joined.lacking = scan.lacking;
		extend(at, call, &joined, e);
		if (moves && joined.fit == RULE_YES)
			rule_bag_drop(scan.bag, e, at->run->arena);
	}
}

/* A chain of one stage is complete with its first call. */
static void
step_single(struct rule_run *run, const struct rule_name *name,
    struct rule_calls calls, struct rule_state *s)
{
	for (size_t i = 0; i < calls.n && !s->decided; i++) {
		struct rule_match m =
		    rule_match_call(run, name, &calls.list[i]);

		note(run, s, m.fit, m.lacking, SIZE_MAX);
	}
}

/* The last stage comes first, so that a call is not used twice. */
static void
step_chain(struct rule_run *run, const struct rule_name *name,
    const struct rule_claim *c, struct rule_state *s)
{
	struct stage at = { .run = run, .name = name, .claim = c, .state = s };

	if (c->nstages == 1) {
		step_single(run, name, c->stages[0], s);
		return;
	}
	if (s->bags == NULL)
		s->bags = arena_new_n(run->arena, struct rule_bag, c->nstages);
	for (size_t i = c->nstages; i-- > 0 && !s->decided;) {
		if (i > 0 && s->bags[i - 1].n == 0)
			continue;
		at.number = i;
		for (size_t k = 0; k < c->stages[i].n && !s->decided; k++)
			chain_call(&at, &c->stages[i].list[k]);
	}
}

/* ---- precedence ---- */

/* Notes a call that has no earlier call of the kind it needs. */
static void
require_earlier(struct rule_run *run, const struct rule_name *name,
    const struct rule_claim *c, struct rule_state *s)
{
	const struct rule_call *call = c->stages[0].list;
	struct rule_match m = rule_match_call(run, name, call);
	struct rule_scan scan = {
		.run = run, .bag = s->bags, .match = &m, .call = call
	};
	enum rule_fit best = RULE_NO;
	const char *lacking = m.lacking;
	const struct rule_entry *e;

	if (m.fit == RULE_NO)
		return;
	count_applied(run, s);
	while (best != RULE_YES && (e = rule_scan_next(&scan)) != NULL) {
		enum rule_fit fit = rule_least(scan.fit, e->bound.fit);

		if (fit > best)
			best = fit;
		if (fit == RULE_MAYBE && lacking == NULL)
			lacking = scan.lacking;
	}
	note(run, s, rule_least(m.fit, rule_opposite(best)), lacking, SIZE_MAX);
}

/* Adds the current call to the bag if it is one of the claim's stage: for BEFORE
 * what others need, for EVERY what waits, of which the latest is kept. */
static void
add_calls(struct rule_run *run, const struct rule_name *name,
    const struct rule_claim *c, struct rule_state *s)
{
	bool waits = c->form == RULE_EVERY;
	struct rule_calls calls = c->stages[waits ? 0 : 1];

	for (size_t i = 0; i < calls.n; i++) {
		struct rule_match m;

		if (rule_name_fits(name, &calls.list[i]) == RULE_NO)
			continue;
		m = rule_match_call(run, name, &calls.list[i]);
		if (m.fit == RULE_NO)
			continue;
		if (waits)
			count_applied(run, s);
		rule_bag_add(run, s->bags,
		    rule_entry_join(
			run, &calls.list[i], &m, NULL, needed_from(c, 0)),
		    waits);
	}
}

static void
step_before(struct rule_run *run, const struct rule_name *name,
    const struct rule_claim *c, struct rule_state *s)
{
	if (s->bags == NULL)
		s->bags = arena_new(run->arena, struct rule_bag);
	if (rule_name_fits(name, c->stages[0].list) != RULE_NO)
		require_earlier(run, name, c, s);
	if (!s->decided && !rule_bag_is_settled(s->bags))
		add_calls(run, name, c, s);
}

/* ---- response ---- */

/* Lets the current call be the response to the calls that wait for it. */
static void
respond(struct rule_run *run, const struct rule_name *name,
    const struct rule_call *call, struct rule_state *s)
{
	struct rule_match m = rule_match_call(run, name, call);
	struct rule_scan scan = {
		.run = run, .bag = s->bags, .match = &m, .call = call
	};
	struct rule_entry *e;

	if (m.fit == RULE_NO)
		return;
	while ((e = rule_scan_next(&scan)) != NULL) {
		if (rule_least(m.fit, scan.fit) == RULE_YES) {
			rule_bag_drop(s->bags, e, run->arena);
			continue;
		}
		e->bound.fit = RULE_MAYBE;
		if (e->bound.lacking == NULL)
			e->bound.lacking =
			    m.lacking != NULL ? m.lacking : scan.lacking;
	}
}

static void
step_every(struct rule_run *run, const struct rule_name *name,
    const struct rule_claim *c, struct rule_state *s)
{
	const struct rule_call *call = c->stages[1].list;

	if (s->bags == NULL)
		s->bags = arena_new(run->arena, struct rule_bag);
	if (s->bags->n != 0 && rule_name_fits(name, call) != RULE_NO)
		respond(run, name, call, s);
	add_calls(run, name, c, s);
}

/* ---- nothing else ---- */

static void
step_only(struct rule_run *run, const struct rule_name *name,
    const struct rule_claim *c, struct rule_state *s)
{
	const char *lacking = NULL;
	enum rule_fit best = rule_runs_only(run, c->stages[0], &lacking);

	for (size_t i = 0; i < c->stages[0].n && best != RULE_YES; i++) {
		if (c->stages[0].list[i].runs)
			continue;

		struct rule_match m =
		    rule_match_call(run, name, &c->stages[0].list[i]);

		if (m.fit > best)
			best = m.fit;
		if (m.fit == RULE_MAYBE)
			lacking = m.lacking;
	}
	note(run, s, rule_opposite(best), lacking, SIZE_MAX);
}

/* ---- the same calls ---- */

static void
step_same(struct rule_run *run, const struct rule_name *name,
    const struct rule_claim *c, struct rule_state *s)
{
	struct rule_match m = rule_match_call(run, name, c->stages[0].list);

	if (m.fit == RULE_NO)
		return;
	if (m.fit == RULE_YES)
		m.fit = rule_identical(run, run->at, run->at, &m.lacking);
	if (m.fit == RULE_MAYBE) {
		s->maybe = true;
		if (s->lacking == NULL)
			s->lacking = m.lacking;
	}
	*arena_push(run->arena, s->calls, s->ncalls) = run->at;
}

/* ---- the pass ---- */

static machine *const machines[] = {
	[RULE_CHAIN] = step_chain,
	[RULE_BEFORE] = step_before,
	[RULE_EVERY] = step_every,
	[RULE_COUNT] = rule_step_count,
	[RULE_ROW] = rule_step_row,
	[RULE_ONLY] = step_only,
	[RULE_SAME] = step_same,
};

/* Returns whether all calls of this name fit one of these descriptions. */
static bool
always_fits(const struct rule_name *name, struct rule_calls calls)
{
	for (size_t i = 0; i < calls.n; i++)
		if (calls.list[i].nconds == 0 &&
		    rule_name_fits(name, &calls.list[i]) == RULE_YES)
			return true;
	return false;
}

static bool
is_concerned(const struct rule_name *name, const struct rule_claim *c)
{
	if (c->form == RULE_ROW)
		return true;
	if (c->form == RULE_ONLY)
		return !always_fits(name, c->stages[0]);
	for (size_t i = 0; i < c->nstages; i++)
		for (size_t k = 0; k < c->stages[i].n; k++)
			if (rule_name_fits(name, &c->stages[i].list[k]) !=
			    RULE_NO)
				return true;
	return false;
}

/* Returns the machines that a call of this name matters to. The list is kept as
 * long as the name. */
static const struct rule_concerned *
concerned(struct rule_run *run, struct rule_name *name)
{
	const struct rule_group *g = run->group;
	struct rule_concerned *found = &name->groups[g->number];
	struct arena *a = name->arena;
	size_t *list;

	if (found->known)
		return found;
	list = arena_new_n(a, size_t, g->n);
	for (size_t i = 0; i < g->n; i++)
		if (is_concerned(name, g->machines[i]))
			list[found->n++] = i;
	found->machines = list;
	found->known = true;
	return found;
}

/* Drives a machine by the current call, once for each value that variables are bound
 * to. */
static void
step(struct rule_run *run, const struct rule_name *name,
    const struct rule_claim *c, struct rule_state *s)
{
	run->choice = run->choices = 0;
	do
		machines[c->form](run, name, c, s);
	while (++run->choice < run->choices && !s->decided);
	run->choice = 0;
}

static void
pass(struct rule_run *run)
{
	const struct rule_group *g = run->group;

	for (run->at = 0; run->at < run->calls.n; run->at++) {
		struct rule_name *name = rule_name_of(
		    g->program, run->view, &run->calls.list[run->at]);
		const struct rule_concerned *list = concerned(run, name);

		if (name->keys->wanted != 0)
			rule_keys_note(run, name->keys);
		for (size_t i = 0; i < list->n; i++) {
			size_t m = list->machines[i];
			struct rule_state *s = &run->states[m];
			const struct rule_claim *c = g->machines[m];

			if (s->decided)
				continue;
			if (run->work > RULE_WORK_MAX)
				s->limit = s->decided = true;
			else
				step(run, name, c, s);
		}
	}
}

/* Makes the pass. It is not inlined, so that the other rules of a run, which find
 * the pass made, take few instructions. */
static __attribute__((noinline)) struct rule_run *
new_run(const struct rule_group *g, struct view *v)
{
	struct rule_run *run = arena_new(v->arena, struct rule_run);
	size_t size = g->n * sizeof *run->states;

	run->group = g;
	run->view = v;
	run->arena = v->arena;
	run->calls = view_calls(v);
	run->holes = v->holes;
	run->recorded = v->holes || v->have & VIEW_CALLS;
	run->cut = v->cut & VIEW_CALLS;
	run->steps_cut = v->trace->member[TRACE_CUT] != NULL;
	run->states = arena_room(v->arena, size);
	if (size != 0)
		memcpy(run->states, g->fresh, size);
	if (run->recorded && !run->holes)
		rule_names_count_run(g->program, g, v);
	pass(run);
	rule_names_note_applied(run);
	return run;
}

struct rule_run *
rule_run_of(const struct rule_group *g, struct view *v)
{
	struct rule_run **runs = v->memo[VIEW_RULES];

	if (runs == NULL)
		v->memo[VIEW_RULES] = runs = arena_new_n(
		    v->arena, struct rule_run *, g->program->ngroups);
	if (runs[g->number] == NULL)
		runs[g->number] = new_run(g, v);
	return runs[g->number];
}

/* ---- findings ---- */

struct rule_outcome
rule_calls_lack(const struct rule_run *run)
{
	return rule_unknown(run->holes ? "not recorded: tool_sequence"
				       : "cut short in the log: tool_sequence");
}

/* Finds a claim that one call, or a chain of calls, decides: it then is
 * `holds`. */
static struct rule_outcome
decided_by_call(
    const struct rule_run *run, const struct rule_state *s, bool holds)
{
	if (s->decided)
		return rule_known(holds);
	if (s->maybe)
		return rule_unknown(s->lacking);
	return rule_may_lack(run) ? rule_calls_lack(run) : rule_known(!holds);
}

static struct rule_outcome
every_outcome(const struct rule_run *run, struct rule_state *s)
{
	const struct rule_entry *e =
	    s->bags == NULL ? NULL : rule_bag_best(s->bags);

	if (rule_may_lack(run))
		return rule_calls_lack(run);
	if (e == NULL)
		return rule_known(true);
	s->call = e->call;
	return e->bound.fit == RULE_YES ? rule_known(false)
					: rule_unknown(e->bound.lacking);
}

/* Returns whether calls that the log lacks between others could undo a violation of
 * such a claim. */
static bool
is_of_neighbours(enum rule_form form)
{
	return form == RULE_BEFORE || form == RULE_EVERY || form == RULE_ROW;
}

struct rule_outcome
rule_decide_calls(struct rule_run *run, const struct rule_claim *c)
{
	struct rule_state *s = &run->states[c->machine];

	if (!run->recorded || (run->holes && is_of_neighbours(c->form)))
		return rule_unknown("not recorded: tool_sequence");
	if (s->limit)
		return (struct rule_outcome){ .truth = RULE_LIMIT };
	switch (c->form) {
	case RULE_CHAIN:
		return decided_by_call(run, s, !c->absent);
	case RULE_BEFORE:
		if (run->cut && !s->decided && !s->maybe &&
		    rule_bag_is_settled(s->bags))
			return rule_known(true);
		return decided_by_call(run, s, false);
	case RULE_EVERY:
		return every_outcome(run, s);
	case RULE_COUNT:
	case RULE_ROW:
		return rule_decide_count(run, c);
	case RULE_ONLY:
		return decided_by_call(run, s, false);
	default:
		return rule_decide_same(run, c);
	}
}
