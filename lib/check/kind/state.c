#include "check/kind/kind.h"

#include "emulate/lang/go.h"

static const struct json *
workflow(const struct view *v)
{
	return v->trace->member[TRACE_WORKFLOW];
}

static struct str
state_of(const struct view *v)
{
	const struct json *where = v->turn != NULL ? v->turn : workflow(v);

	return json_text(json_get(where, "state"), v->arena);
}

/* Returns whether nothing follows in the run. */
static bool
is_at_end(const struct view *v)
{
	const struct json *turns = v->trace->member[TRACE_TURNS];

	return v->turn == NULL ||
	    v->turn + v->turn->span >= turns + turns->span;
}

bool
state_transition_made(const struct view *v, const struct json *transition)
{
	int64_t turn;

	return is_at_end(v) ||
	    (json_int(json_get(transition, "turn"), &turn) &&
		turn <= (int64_t)v->turn_index);
}

bool
state_transitions_known(const struct view *v)
{
	int64_t turn;

	for (json_each(t, json_get(workflow(v), "transitions")))
		if (!is_at_end(v) && !json_int(json_get(t, "turn"), &turn))
			return false;
	return true;
}

static bool
was_reached(const struct view *v, struct str state)
{
	for (json_each(t, json_get(workflow(v), "transitions")))
		if (json_str_is(json_get(t, "to"), state) &&
		    state_transition_made(v, t))
			return true;
	return false;
}

/* Decides whether the workflow is complete. A workflow that is complete at the
 * end was complete after each turn that ended in the same state. */
static struct finding
find_complete(const struct view *v)
{
	struct finding f = { .found = FOUND_NO };

	if (!json_is(json_get(workflow(v), "complete"), JSON_TRUE))
		return f;
	if (is_at_end(v) ||
	    json_str_is(json_get(workflow(v), "state"), state_of(v)))
		f.found = FOUND_YES;
	else if (!(v->have & VIEW_STATE))
		f = finding_skip("not recorded: state");
	return f;
}

static struct finding
find_reached(const struct view *v, struct str state)
{
	if (was_reached(v, state))
		return finding_of(true);
	if (!state_transitions_known(v))
		return finding_skip("not recorded: the turn of a transition");
	return finding_of(false);
}

/* Returns whether the assistant said more than white space in the turn. */
static bool
has_speech(const struct view *v, const struct json *turn)
{
	for (json_each(step, json_get(turn, "steps"))) {
		struct str text = json_text(json_get(step, "text"), v->arena);

		if (go_trim(text).n != 0)
			return true;
	}
	return false;
}

static struct finding
find_spoken(const struct view *v, struct str state)
{
	bool stamped = false;

	for (json_each(turn, v->trace->member[TRACE_TURNS])) {
		const struct json *now = json_get(turn, "state");

		stamped |= now != NULL;
		if (view_shows_turn(v, turn) && json_str_is(now, state) &&
		    has_speech(v, turn))
			return finding_of(true);
	}
	if (!stamped)
		return finding_skip("not recorded: state");
	return finding_of(false);
}

static struct finding
state_find(const void *want, struct view *v)
{
	const struct state_want *w = want;
	struct str now;

	switch (w->how) {
	case STATE_IS:
		now = state_of(v);
		return (struct finding){
			.found = str_eq(now, w->state) ? FOUND_YES : FOUND_NO,
			.why = now
		};
	case STATE_REACHED:
		return find_reached(v, w->state);
	case STATE_SPOKEN:
		return find_spoken(v, w->state);
	default:
		return find_complete(v);
	}
}

static void
state_show(const void *want, struct out *o)
{
	static const char *const names[] = {
		[STATE_IS] = "is",
		[STATE_REACHED] = "reached",
		[STATE_COMPLETE] = "complete",
		[STATE_SPOKEN] = "spoken",
	};
	const struct state_want *w = want;

	out_key(o, names[w->how]);
	if (w->state.s == NULL)
		out_json_bool(o, true);
	else
		out_json_str(o, w->state);
}

struct check
state_check(struct arena *a, enum state_how how, struct str state)
{
	static const struct check_kind kind = {
		.name = "state", .find = state_find, .show = state_show
	};
	const struct state_want w = { .how = how, .state = state };

	return check_new(a, &kind, &w, sizeof w,
	    how == STATE_IS           ? VIEW_STATE
		: how == STATE_SPOKEN ? 0
				      : VIEW_WORKFLOW);
}
