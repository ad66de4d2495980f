/*
 * The machines of a group, which one pass over a run's events drives. A machine
 * decides from two sides: what surely happened, and what may have happened where
 * the log lacks evidence. It is decided if both sides agree.
 */
#include "check/rule/guard.h"

#include <string.h>

void
rule_note(struct rule_run *run, struct rule_state *s, enum rule_fit fit,
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
	rule_doubt(s, lacking);
}

/* ---- the first and the last event ---- */

static void
step_end(struct rule_run *run, const struct rule_name *name,
    const struct rule_claim *c, struct rule_state *s)
{
	struct rule_match m = rule_match_call(run, name, c->stages[0].list);

	s->sure = 1;
	s->fit = m.fit;
	s->lacking = m.lacking;
	s->call = run->at;
	s->decided = c->form == RULE_FIRST;
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

		best = rule_most(best, m.fit);
		if (m.fit == RULE_MAYBE)
			lacking = m.lacking;
	}
	rule_note(run, s, rule_opposite(best), lacking, SIZE_MAX);
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
	if (m.fit == RULE_MAYBE)
		rule_doubt(s, m.lacking);
	*arena_push(run->arena, s->calls, s->ncalls) = run->at;
}

/* ---- the pass ---- */

static rule_machine *const machines[] = {
	[RULE_CHAIN] = rule_step_chain,
	[RULE_BEFORE] = rule_step_before,
	[RULE_EVERY] = rule_step_every,
	[RULE_COUNT] = rule_step_count,
	[RULE_ROW] = rule_step_row,
	[RULE_SUM] = rule_step_total,
	[RULE_DISTINCT] = rule_step_total,
	[RULE_FIRST] = step_end,
	[RULE_LAST] = step_end,
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

/* Returns whether events of this name may be one of these, or of a chain that ends with
 * one. */
static bool
may_fit(const struct rule_name *name, struct rule_calls calls)
{
	for (size_t i = 0; i < calls.n; i++)
		for (const struct rule_call *c = &calls.list[i]; c != NULL;
		     c = c->after)
			if (rule_name_fits(name, c) != RULE_NO)
				return true;
	return false;
}

static bool
is_concerned(const struct rule_name *name, const struct rule_claim *c)
{
	if (c->form == RULE_ROW)
		return name->kind == RULE_IS_CALL;
	if (c->form == RULE_FIRST || c->form == RULE_LAST)
		return name->kind == c->stages[0].list->kind;
	if (c->form == RULE_ONLY)
		return name->kind == RULE_IS_CALL &&
		    !always_fits(name, c->stages[0]);
	for (size_t i = 0; i < c->nstages; i++)
		if (may_fit(name, c->stages[i]))
			return true;
	return may_fit(name, c->end);
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

/* Drives a machine by the current event, once for each value that variables are bound
 * to. */
static inline void
step(struct rule_run *run, const struct rule_name *name,
    const struct rule_claim *c, struct rule_state *s)
{
	if (!c->chooses) {
		machines[c->form](run, name, c, s);
		return;
	}
	run->choices = 0;
	do
		machines[c->form](run, name, c, s);
	while (++run->choice < run->choices && !s->decided);
	run->choice = 0;
}

/* Drives a machine. An event is kept, or ends waits, only once it is tested with all its
 * values. */
static void
step_phases(struct rule_run *run, const struct rule_name *name,
    const struct rule_claim *c, struct rule_state *s)
{
	for (unsigned phase = RULE_TESTS; phase <= RULE_KEEPS && !s->decided;
	     phase *= 2) {
		run->phases = phase;
		step(run, name, c, s);
	}
	run->phases = RULE_ALL;
}

/* Returns whether the current event does not matter to a guard's claim. */
static bool
is_passed_over(const struct rule_run *run, const struct rule_claim *c,
    const struct rule_state *s)
{
	return s->idle ||
	    (c->form != RULE_BEFORE && rule_guard_skips(run, c)) ||
	    (c->form == RULE_FIRST && s->ever);
}

/* Drives the machines that the current event, which has the name, matters to. */
static void
drive(struct rule_run *run, struct rule_name *name)
{
	const struct rule_group *g = run->group;
	const struct rule_concerned *list = concerned(run, name);

	for (size_t i = 0; i < list->n; i++) {
		size_t m = list->machines[i];
		struct rule_state *s = &run->states[m];
		const struct rule_claim *c = g->machines[m];

		if (s->decided ||
		    (run->guard != NULL && is_passed_over(run, c, s)))
			continue;
		if (run->work > RULE_WORK_MAX)
			s->limit = s->decided = true;
		else if (c->nbags != 0 && (c->windowed || c->chooses))
			step_phases(run, name, c, s);
		else
			step(run, name, c, s);
	}
}

struct rule_name *
rule_event_name(const struct rule_run *run)
{
	const struct rule_text *text = rule_text_at(run, run->at);

	return text == NULL ? rule_name_of(run->group->program, run->view,
				  &run->calls.list[run->at])
			    : rule_name_of_kind(run->group->program, run->view,
				  text->user ? RULE_IS_USER : RULE_IS_SAID);
}

/* Drives the machines by the current event. */
static void
drive_all(struct rule_run *run)
{
	struct rule_name *name = rule_event_name(run);
	bool is_call = run->at < run->calls.n;

	if (is_call && name->keys->wanted != 0)
		rule_keys_note(run, name->keys);
	drive(run, name);
	if (is_call && run->lasts != NULL)
		run->lasts[rule_moment_of(run, run->at).agent] = run->place + 1;
}

static void
pass(struct rule_run *run)
{
	size_t n = rule_events(run);

	if (run->view->guard != NULL && !rule_guard_aim(run))
		return;
	run->phases = RULE_ALL;
	for (size_t i = 0; i < n; i++) {
		run->at = run->order == NULL ? i : run->order[i];
		run->place =
		    run->moments == NULL ? i : run->moments[run->at].start;
		if (run->later != NULL)
			rule_add_later(run);
		if (run->guard != NULL)
			rule_guard_step(run);
		drive_all(run);
		if (run->guard != NULL && rule_guard_asks(run))
			return;
	}
	run->place = SIZE_MAX;
	rule_add_later(run);
	rule_names_note_applied(run);
}

static void
init_states(struct rule_run *run)
{
	const struct rule_group *g = run->group;
	size_t size = g->n * sizeof *run->states;

	run->states = arena_room(run->arena, size);
	if (size != 0)
		memcpy(run->states, g->fresh, size);
}

/* Makes the passes over the parts of the run. */
static void
pass_parts(struct rule_run *run)
{
	rule_part_run(run);
	for (size_t i = 0; i < run->nparts; i++) {
		init_states(&run->parts[i]);
		pass(&run->parts[i]);
	}
}

struct rule_run *
rule_run_new(const struct rule_group *g, struct view *v)
{
	struct rule_run *run = arena_new(v->arena, struct rule_run), **runs;

	if (v->memo[VIEW_RULES] == NULL)
		v->memo[VIEW_RULES] = arena_new_n(
		    v->arena, struct rule_run *, g->program->ngroups);
	runs = v->memo[VIEW_RULES];
	runs[g->number] = run;
	run->group = g;
	run->view = run->spoken = v;
	run->arena = v->arena;
	run->calls = view_calls(v);
	run->holes = v->holes;
	run->recorded = v->holes || v->have & VIEW_CALLS;
	run->cut = v->cut & VIEW_CALLS;
	run->steps_cut = v->trace->member[TRACE_CUT] != NULL;
	if (run->recorded && !run->holes && v->guard == NULL)
		rule_names_count_run(g->program, g, v);
	rule_find_events(run);
	run->sound = run->recorded && !run->holes && !run->cut &&
	    !run->silent && !run->mute;
	rule_guard_begin(run);
	if (g->per != RULE_PER_RUN) {
		pass_parts(run);
		return run;
	}
	init_states(run);
	pass(run);
	return run;
}

/* ---- findings ---- */

struct rule_outcome
rule_calls_lack(const struct rule_run *run)
{
	return rule_unknown(run->holes ? "not recorded: tool_sequence"
				       : "cut short in the log: tool_sequence");
}

struct rule_outcome
rule_events_lack(const struct rule_run *run, const struct rule_claim *c)
{
	if (c->texts && run->silent && !(c->calls && run->holes))
		return rule_unknown("not recorded: turns");
	if (c->says && run->mute && !(c->calls && run->holes))
		return rule_unknown("not recorded: final_text");
	return c->calls || run->cut ? rule_calls_lack(run)
				    : rule_unknown("not recorded: turns");
}

/* Finds a claim that one call, or a chain of calls, decides: it then is
 * `holds`. */
static inline struct rule_outcome
decided_by_call(const struct rule_run *run, const struct rule_claim *c,
    bool open, bool holds)
{
	const struct rule_state *s = &run->states[c->machine];

	if (s->decided)
		return rule_known(holds);
	if (s->maybe)
		return rule_unknown(s->lacking);
	return open ? rule_events_lack(run, c) : rule_known(!holds);
}

/* Decides a claim about the first or the last event of a kind. */
static struct rule_outcome
end_outcome(const struct rule_state *s)
{
	return s->fit == RULE_MAYBE ? rule_unknown(s->lacking)
				    : rule_known(s->fit == RULE_YES);
}

/* Returns whether events that the log lacks could undo a violation of such a claim,
 * also if they were between others. */
static bool
is_of_neighbours(const struct rule_claim *c)
{
	return c->form == RULE_BEFORE || c->form == RULE_EVERY ||
	    c->form == RULE_ROW || c->form == RULE_FIRST ||
	    c->form == RULE_LAST || c->adjoins || c->end.n > 0;
}

bool
rule_holds_surely(const struct rule_run *run, const struct rule_claim *c)
{
	const struct rule_state *s = &run->states[c->machine];

	if (!run->sound || s->limit)
		return false;
	switch (c->form) {
	case RULE_CHAIN:
		return s->decided ? !c->absent : c->absent && !s->maybe;
	case RULE_BEFORE:
	case RULE_ONLY:
		return !s->decided && !s->maybe;
	case RULE_COUNT:
	case RULE_ROW:
		return c->op == RULE_LE && !c->timed &&
		    (double)(s->possible + s->wild) <= c->n;
	default:
		return false;
	}
}

struct rule_outcome
rule_decide_calls(struct rule_run *run, const struct rule_claim *c)
{
	struct rule_state *s = &run->states[c->machine];
	bool open = rule_is_open(run, c);

	/* Calls that are lacking do not undo what texts alone decide. */
	if (c->calls && !run->recorded &&
	    !(c->form == RULE_CHAIN && s->decided && !c->windowed))
		return rule_unknown("not recorded: tool_sequence");
	if (open && is_of_neighbours(c))
		return rule_events_lack(run, c);
	if (s->limit)
		return (struct rule_outcome){ .truth = RULE_LIMIT };
	switch (c->form) {
	case RULE_CHAIN:
		return decided_by_call(run, c, open, !c->absent);
	case RULE_BEFORE:
		return decided_by_call(run, c, open, false);
	case RULE_EVERY:
		return rule_decide_every(run, c);
	case RULE_COUNT:
	case RULE_ROW:
		return rule_decide_count(run, c);
	case RULE_SUM:
	case RULE_DISTINCT:
		return rule_decide_total(run, c);
	case RULE_ONLY:
		return decided_by_call(run, c, open, false);
	case RULE_FIRST:
	case RULE_LAST:
		return end_outcome(s);
	default:
		return rule_decide_same(run, c);
	}
}
