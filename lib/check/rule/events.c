/*
 * The events of a run, and their clock: inputs of the user, texts of agents, calls. An
 * event starts at its place in the log. The result of a call is there after all calls
 * of its message and after all events of the sub-agent that the call started; without
 * the number of a message, before the next call.
 */
#include "check/rule/run.h"

#include <math.h>

#include "base/timestamp.h"
#include "text/unicode.h"

/* The steps of one message. */
struct message {
	size_t number;  /* from 1 */
	size_t last;    /* the place of the last call */
	double seconds; /* of the first step whose time is recorded */
};

struct walk {
	struct rule_run *run;
	size_t call; /* the next one */
	size_t *order;
	size_t n;
	struct rule_moment *moments; /* by place, until all are there */
	size_t nmoments;
	struct message **of; /* by place: the message; or NULL */
	size_t nof;
	struct hash_table messages; /* by number */
	struct hash_table agents;   /* by parent and name: to size_t */
	size_t nagents, nmessages, nunlisted, turn;
	struct timestamp_minute minute;
};

/* ---- steps ---- */

static double
seconds_of(struct walk *w, const struct json *v)
{
	int64_t ms;

	if (w->run->group->asks & RULE_ASKS_TIMES && json_is(v, JSON_STRING) &&
	    timestamp_text_near(json_text(v, w->run->arena), &w->minute, &ms))
		return (double)ms / 1000;
	return NAN;
}

static struct message *
new_message(struct walk *w)
{
	struct message *m = arena_new(w->run->arena, struct message);

	m->seconds = NAN;
	m->number = ++w->nmessages;
	return m;
}

/* Returns the message with the number; NULL: there is no number. */
static struct message *
message_numbered(struct walk *w, const struct json *number)
{
	void **slot;

	if (number == NULL)
		return NULL;
	w->messages.arena = w->run->arena;
	slot = hash_put(&w->messages, number->text);
	if (*slot == NULL)
		*slot = new_message(w);
	return *slot;
}

/* Returns the number of the agent of a step among those of a sub-agent that the call at
 * place `parent` (SIZE_MAX: none) started; else the step may name the agent. A result
 * without its call, which is no event, has a place that counts down from SIZE_MAX. */
static size_t
agent_of(struct walk *w, size_t parent, const struct json *step)
{
	struct arena *a = w->run->arena;
	const struct json *name;
	void **slot;

	if (!(w->run->group->asks & RULE_ASKS_AGENTS))
		return 0;
	name = parent == SIZE_MAX ? json_get(step, "agent") : NULL;
	if (parent == SIZE_MAX && name == NULL)
		return 0;
	w->agents.arena = a;
	slot = hash_put(&w->agents,
	    name == NULL ? str_printf(a, "%zu", parent)
			 : str_cat(a, STR("n"), json_text(name, a)));
	if (*slot == NULL) {
		*slot = arena_new(a, size_t);
		*(size_t *)*slot = ++w->nagents;
	}
	return *(size_t *)*slot;
}

/* Adds an event. Returns its place. */
static size_t
add_event(struct walk *w, size_t number, size_t agent, struct message *m,
    double seconds)
{
	struct arena *a = w->run->arena;
	size_t place = w->n;

	*arena_push(a, w->order, w->n) = number;
	*arena_push(a, w->moments, w->nmoments) =
	    (struct rule_moment){ .start = place,
		    .done = place,
		    .agent = agent,
		    .turn = w->turn,
		    .message = m == NULL ? 0 : m->number,
		    .seconds = seconds };
	*arena_push(a, w->of, w->nof) = m;
	if (m != NULL && isnan(m->seconds))
		m->seconds = seconds;
	return place;
}

static void
add_text(struct walk *w, const struct rule_text *text, size_t agent,
    struct message *m, double seconds)
{
	struct rule_run *run = w->run;

	add_event(w, run->calls.n + run->nsaid, agent, m, seconds);
	*arena_push(run->arena, run->said, run->nsaid) = *text;
}

static void walk_steps(struct walk *, const struct json *steps, size_t parent);

static void
walk_step(struct walk *w, const struct json *step, size_t parent)
{
	struct rule_run *run = w->run;
	bool call =
	    w->call < run->calls.n && run->calls.list[w->call].step == step;
	const struct json *text = NULL;
	struct message *m;
	size_t place;

	if (!call && run->group->asks & RULE_ASKS_TEXTS)
		text = json_get(step, "text");
	if (!call && !json_is(text, JSON_STRING)) {
		walk_steps(
		    w, json_get(step, "steps"), SIZE_MAX - ++w->nunlisted);
		return;
	}
	m = message_numbered(w,
	    call ? run->calls.list[w->call].message
		 : json_get(step, "message"));
	if (!call) {
		add_text(w,
		    &(struct rule_text){ .text = text,
			.step = step,
			.turn = w->turn,
			.cut = trace_step_cut(step, STR("text")) ||
			    (run->view->unmarked &&
				str_ends(json_raw(text), "...")) },
		    agent_of(w, parent, step), m,
		    seconds_of(w, json_get(step, "ts")));
		return;
	}
	place = add_event(w, w->call++, agent_of(w, parent, step), m,
	    seconds_of(w, json_get(step, "ts")));
	if (m != NULL)
		m->last = place;
	walk_steps(w, json_get(step, "steps"), place);
	w->moments[place].done = w->n - 1;
}

static void
walk_steps(struct walk *w, const struct json *steps, size_t parent)
{
	for (json_each(step, steps))
		if (!trace_step_is_users(step))
			walk_step(w, step, parent);
}

/* ---- turns ---- */

/* Adds the input of a turn. The record may have that of the first turn. */
static void
walk_input(struct walk *w, const struct json *turn)
{
	const struct trace *t = w->run->view->trace;
	const struct json *prompt = json_get(turn, "prompt");

	if (prompt == NULL && w->turn == 0)
		prompt = t->member[TRACE_PROMPT];
	add_text(w,
	    &(struct rule_text){ .text = prompt,
		.turn = w->turn,
		.user = true,
		.cut = trace_cut(t, STR("prompt")) },
	    0, NULL, seconds_of(w, json_get(turn, "ts")));
}

/* Adds the answer of a run whose steps have no text, as a message of its own in the last
 * turn. A log without either may be one that keeps no texts. */
static void
walk_answer(struct walk *w)
{
	struct rule_run *run = w->run;
	const struct json *text = run->view->trace->member[TRACE_FINAL_TEXT];

	for (size_t i = 0; i < run->nsaid; i++)
		if (!run->said[i].user)
			return;
	run->mute = !json_is(text, JSON_STRING);
	if (run->mute)
		return;
	w->turn -= w->turn > 0;
	add_text(w,
	    &(struct rule_text){ .text = text,
		.turn = w->turn,
		.cut = run->view->cut & VIEW_TEXT },
	    0, new_message(w), NAN);
}

/* Turns the walk's moments, by place, into those of the run, by number. */
static void
finish(struct walk *w)
{
	struct rule_run *run = w->run;

	run->order = w->order;
	run->moments = arena_new_n(run->arena, struct rule_moment, w->n);
	for (size_t i = 0; i < w->n; i++) {
		struct rule_moment m = w->moments[i];

		if (w->of[i] != NULL && isnan(m.seconds))
			m.seconds = w->of[i]->seconds;
		if (w->of[i] != NULL && w->of[i]->last > m.done &&
		    w->order[i] < run->calls.n)
			m.done = w->of[i]->last;
		run->moments[w->order[i]] = m;
	}
	run->nagents = w->nagents;
	run->lasts = arena_new_n(run->arena, size_t, w->nagents + 1);
}

/* Returns whether some result may be there later than before the next call. */
static bool
has_clock(const struct rule_run *run)
{
	for (size_t i = 0; i < run->calls.n; i++)
		if (run->calls.list[i].depth > 0 ||
		    run->calls.list[i].message != NULL)
			return true;
	return false;
}

/* Returns the message with this number, which most often is the one before. */
static struct message *
message_after(struct walk *w, struct message *last, const struct json *number,
    const struct json *before)
{
	if (number != NULL && before != NULL &&
	    str_eq(number->text, before->text))
		return last;
	return message_numbered(w, number);
}

/* Finds when the results of calls are there, where no text is an event. */
static void
time_calls(struct rule_run *run)
{
	struct walk w = { .run = run };
	size_t n = run->calls.n;
	struct rule_moment *m = arena_new_n(run->arena, struct rule_moment, n);
	struct message **of = arena_new_n(run->arena, struct message *, n);
	size_t *around = arena_new_n(run->arena, size_t, n), depth = 0;

	for (size_t i = 0; i <= n; i++) {
		const struct trace_call *c = &run->calls.list[i];

		while (depth > 0 &&
		    (i == n ||
			run->calls.list[around[depth - 1]].depth >= c->depth))
			m[around[--depth]].done = i - 1;
		if (i == n)
			break;
		m[i].start = i;
		around[depth++] = i;
		of[i] = message_after(&w, i == 0 ? NULL : of[i - 1], c->message,
		    i == 0 ? NULL : c[-1].message);
		if (of[i] != NULL)
			of[i]->last = i;
	}
	for (size_t i = 0; i < n; i++)
		if (of[i] != NULL && of[i]->last > m[i].done)
			m[i].done = of[i]->last;
	run->moments = m;
}

const struct rule_moment *
rule_moments(struct rule_run *run)
{
	if (run->untimed && has_clock(run))
		time_calls(run);
	run->untimed = false;
	return run->moments;
}

static void
walk(struct rule_run *run)
{
	const struct trace *t = run->view->trace;
	const struct json *turns = t->member[TRACE_TURNS];
	struct walk w = { .run = run };
	bool texts = run->group->asks & RULE_ASKS_TEXTS;

	run->silent = turns == NULL;
	for (json_each(turn, turns)) {
		if (texts)
			walk_input(&w, turn);
		walk_steps(&w, json_get(turn, "steps"), SIZE_MAX);
		w.turn++;
	}
	while (w.call < run->calls.n)
		add_event(&w, w.call++, 0, NULL, NAN);
	if (texts && turns == NULL && t->member[TRACE_PROMPT] != NULL)
		walk_input(&w, NULL);
	if (texts)
		walk_answer(&w);
	finish(&w);
}

void
rule_find_events(struct rule_run *run)
{
	run->untimed = run->group->asks == RULE_ASKS_RESULTS;
	if (run->group->asks != 0 && !run->untimed)
		walk(run);
}

/* ---- events ---- */

size_t
rule_events(const struct rule_run *run)
{
	return run->calls.n + run->nsaid;
}

struct rule_moment
rule_moment_of(struct rule_run *run, size_t number)
{
	const struct rule_moment *moments = rule_moments(run);

	if (moments != NULL)
		return moments[number];
	return (struct rule_moment){
		.start = number, .done = number, .seconds = NAN
	};
}

bool
rule_said_has(struct rule_run *run, size_t number, struct str lower)
{
	struct rule_text *t = rule_text_at(run, number);

	if (t->lower.s == NULL)
		t->lower = unicode_lower_js(
		    run->arena, json_text(t->text, run->arena));
	run->work += t->lower.n / 64;
	return str_contains(t->lower, lower);
}
