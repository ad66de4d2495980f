/* What the log cut short. */
#include "trace/trace.h"

bool
trace_cut(const struct trace *t, struct str name)
{
	for (json_each(cut, t->member[TRACE_CUT]))
		if (json_str_is(cut, name))
			return true;
	return false;
}

bool
trace_step_cut(const struct json *step, struct str what)
{
	for (json_each(cut, json_get(step, "cut")))
		if (json_str_is(cut, what))
			return true;
	return false;
}

/* Whether a step says what of it is cut. */
static bool
has_marks(const struct json *steps)
{
	for (json_each(step, steps))
		if (json_has(step, "cut") || has_marks(json_get(step, "steps")))
			return true;
	return false;
}

bool
trace_cut_unmarked(const struct trace *t)
{
	if (!trace_cut(t, STR("turns")))
		return false;
	for (json_each(turn, t->member[TRACE_TURNS]))
		if (has_marks(json_get(turn, "steps")))
			return false;
	return true;
}
