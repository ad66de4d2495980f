/* The parts of a run that are runs of their own for a rule: its turns, its agents, the
 * messages of its model. */
#include "check/rule/run.h"

/* ---- which parts there are ---- */

/* Returns the number of the part that the event is in; SIZE_MAX: in none. */
static size_t
part_of(struct rule_run *run, size_t number)
{
	const struct rule_text *text = rule_text_at(run, number);
	struct rule_moment m = rule_moment_of(run, number);

	switch (run->group->per) {
	case RULE_PER_TURN:
		return m.turn;
	case RULE_PER_AGENT:
		return m.agent;
	case RULE_PER_MESSAGE:
		return text != NULL && text->user ? SIZE_MAX : m.message - 1;
	case RULE_PER_RUN:
	case RULE_PERS:
		break;
	}
	return 0;
}

/* Returns the number of parts. Sets run->unparted if the log does not tell them. */
static size_t
count_parts(struct rule_run *run)
{
	const struct json *turns = run->view->trace->member[TRACE_TURNS];
	enum rule_per per = run->group->per;
	size_t n = rule_events(run), most = 0;

	if (turns == NULL)
		run->unparted = "not recorded: turns";
	if (per == RULE_PER_TURN)
		return json_count(turns);
	if (per == RULE_PER_AGENT)
		return run->nagents + 1;
	for (size_t i = 0; i < n; i++) {
		const struct rule_text *text = rule_text_at(run, i);
		size_t message = rule_moment_of(run, i).message;

		if (message == 0 &&
		    (text == NULL || (run->group->texts && !text->user)))
			run->unparted =
			    "not recorded: the message of a call or text";
		most = message > most ? message : most;
	}
	return most;
}

/* ---- parts as runs ---- */

/* Makes the part a run without events. */
static void
init_part(struct rule_run *part, struct rule_run *run, size_t i)
{
	const struct trace *t = run->view->trace;

	*part = *run;
	part->whole = run;
	part->spoken = NULL;
	if (run->group->per == RULE_PER_TURN) {
		part->turn = json_at(t->member[TRACE_TURNS], i);
		part->spoken = view_turn(run->view, i);
		/* A record that was not read may be of any turn. */
		part->cut = run->cut &&
		    (i + 1 == run->nparts || t->member[TRACE_UNREAD] != NULL);
	} else if (run->group->per == RULE_PER_AGENT && i == 0) {
		part->spoken = run->view;
	}
}

/* The events of a part, with their numbers in the run. */
struct lists {
	struct trace_call *calls;
	struct rule_text *said;
	size_t *called, *texts;
	size_t ncalls, nsaid, ncalled, ntexts;
};

static void
add_event(struct lists *l, const struct rule_run *run, size_t number)
{
	const struct rule_text *text = rule_text_at(run, number);

	if (text != NULL) {
		*arena_push(run->arena, l->said, l->nsaid) = *text;
		*arena_push(run->arena, l->texts, l->ntexts) = number;
	} else {
		*arena_push(run->arena, l->calls, l->ncalls) =
		    run->calls.list[number];
		*arena_push(run->arena, l->called, l->ncalled) = number;
	}
}

/* Gives the part its events: calls come first, and texts behind them. */
static void
finish_part(struct rule_run *part, const struct lists *l)
{
	struct rule_run *run = part->whole;
	size_t n = l->ncalls + l->nsaid, call = 0, text = l->ncalls;
	size_t *order = arena_new_n(run->arena, size_t, n);

	part->calls = (struct trace_calls){ l->calls, l->ncalls };
	part->said = l->said;
	part->nsaid = l->nsaid;
	part->numbers = arena_new_n(run->arena, size_t, n);
	part->moments = arena_new_n(run->arena, struct rule_moment, n);
	for (size_t i = 0; i < n; i++) {
		part->numbers[i] =
		    i < l->ncalls ? l->called[i] : l->texts[i - l->ncalls];
		part->moments[i] = rule_moment_of(run, part->numbers[i]);
	}
	for (size_t i = 0; i < n; i++)
		order[i] = call < l->ncalls &&
			(text == n ||
			    part->moments[call].start <
				part->moments[text].start)
		    ? call++
		    : text++;
	part->order = order;
	/* Each part has a list of its own, since the agents of parts may be the
	 * same. */
	if (run->group->per != RULE_PER_AGENT)
		part->lasts = arena_new_n(run->arena, size_t, run->nagents + 1);
}

void
rule_part_run(struct rule_run *run)
{
	size_t n = rule_events(run);
	struct lists *lists;

	run->nparts = count_parts(run);
	if (run->unparted != NULL)
		run->nparts = 0;
	run->parts = arena_new_n(run->arena, struct rule_run, run->nparts);
	lists = arena_new_n(run->arena, struct lists, run->nparts);
	for (size_t i = 0; i < n && run->nparts > 0; i++) {
		size_t number = run->order == NULL ? i : run->order[i];
		size_t part = part_of(run, number);

		if (part < run->nparts)
			add_event(&lists[part], run, number);
	}
	for (size_t i = 0; i < run->nparts; i++) {
		init_part(&run->parts[i], run, i);
		finish_part(&run->parts[i], &lists[i]);
	}
}
