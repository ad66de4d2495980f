#include "check/kind/kind.h"

struct args_pass_want {
	struct str tool;
	const struct check *inner;
};

static struct finding
find(const void *want, struct view *v)
{
	const struct args_pass_want *w = want;
	struct trace_calls calls = view_calls(v);
	struct finding f = { .found = FOUND_NO };

	for (size_t i = 0; i < calls.n; i++) {
		struct check_result r;

		if (!trace_call_is(&calls.list[i], w->tool))
			continue;
		f.seen++;
		r = check_run(w->inner, view_arguments(v, i));
		if (r.status == STATUS_PASSED) {
			f.matched++;
		} else if (r.status == STATUS_SKIPPED) {
			f.found = FOUND_SKIP;
			f.why = STR("not recorded: the arguments of a call");
		} else if (r.status == STATUS_ERROR && f.found == FOUND_NO) {
			f.found = FOUND_ERROR;
			f.why = r.reason;
		}
	}
	if (f.matched != 0)
		f.found = FOUND_YES;
	else if (f.seen == 0)
		f.found = FOUND_CANNOT;
	f.open = f.matched == 0 && v->cut & VIEW_CALLS;
	return f;
}

static void
show(const void *want, struct out *o)
{
	const struct args_pass_want *w = want;

	out_key(o, "tool");
	out_json_str(o, w->tool);
	out_member_begin(o, "args", '{');
	w->inner->kind->show(w->inner->want, o);
	out_end(o, '}');
}

static const struct check *
inner_of(const void *want)
{
	const struct args_pass_want *w = want;

	return w->inner;
}

static struct str_list
tools_of(const void *want, struct arena *a)
{
	return check_one_tool(((const struct args_pass_want *)want)->tool, a);
}

struct check
args_pass_check(struct arena *a, struct str tool, const struct check *inner)
{
	static const struct check_kind kind = { .name = "args",
		.find = find,
		.show = show,
		.tools = tools_of,
		.inner = inner_of };
	const struct args_pass_want w = { .tool = tool, .inner = inner };

	return check_new(a, &kind, &w, sizeof w, VIEW_CALLS);
}
