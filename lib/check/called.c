#include "called.h"

struct called_want {
	struct str tool;
};

static struct finding
find(const void *want, struct view *v)
{
	const struct called_want *w = want;
	struct trace_calls calls = view_calls(v);

	for (size_t i = 0; i < calls.n; i++)
		if (trace_call_is(&calls.list[i], w->tool))
			return (struct finding){ .found = FOUND_YES };
	return (struct finding){ .open = v->cut & VIEW_CALLS };
}

static void
show(const void *want, struct out *o)
{
	const struct called_want *w = want;

	out_key(o, "tool");
	out_json_str(o, w->tool);
}

struct check
called_check(struct arena *a, struct str tool)
{
	static const struct check_kind kind = {
		.name = "called", .find = find, .show = show
	};
	struct called_want *w = arena_new(a, struct called_want);

	w->tool = tool;
	return (struct check){ .kind = &kind, .want = w, .needs = VIEW_CALLS };
}
