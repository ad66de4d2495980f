#include "check/kind/kind.h"

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

bool
state_transition_made(const struct view *v, const struct json *transition)
{
	int64_t turn;

	return v->turn == NULL ||
	    !json_int(json_get(transition, "turn"), &turn) ||
	    turn <= (int64_t)v->turn_index;
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

/* Returns whether the workflow is complete. A workflow that is complete at the
 * end was complete after each turn that ended in the same state. */
static bool
is_complete(const struct view *v)
{
	return json_is(json_get(workflow(v), "complete"), JSON_TRUE) &&
	    (v->turn == NULL ||
		json_str_is(json_get(workflow(v), "state"), state_of(v)));
}

static struct finding
find(const void *want, struct view *v)
{
	const struct state_want *w = want;
	struct finding f = { .found = FOUND_NO };
	bool found;

	switch (w->how) {
	case STATE_IS:
		f.why = state_of(v);
		found = str_eq(f.why, w->state);
		break;
	case STATE_REACHED:
		found = was_reached(v, w->state);
		break;
	default:
		found = is_complete(v);
		break;
	}
	if (found)
		f.found = FOUND_YES;
	return f;
}

static void
show(const void *want, struct out *o)
{
	static const char *const names[] = {
		[STATE_IS] = "is",
		[STATE_REACHED] = "reached",
		[STATE_COMPLETE] = "complete",
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
		.name = "state", .find = find, .show = show
	};
	const struct state_want w = { .how = how, .state = state };

	return check_new(a, &kind, &w, sizeof w,
	    how == STATE_IS ? VIEW_STATE : VIEW_WORKFLOW);
}
