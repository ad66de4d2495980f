#include "check/kind/kind.h"

struct args_pass_want {
	struct str tool;
	const struct check *inner;
};

static struct finding
args_pass_find(const void *want, struct view *v)
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
		} else if (r.status == STATUS_SKIPPED ||
		    trace_step_cut(calls.list[i].step, STR("args"))) {
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

static const struct check_kind args_pass_check_kind = { .name = "args",
	.find = args_pass_find,
	WANTS(WANT("tool", WANT_STR | WANT_TOOLS, args_pass_want, tool),
	    WANT("args", WANT_CHECK, args_pass_want, inner)) };

struct check
args_pass_check(struct arena *a, struct str tool, const struct check *inner)
{
	const struct args_pass_want w = { .tool = tool, .inner = inner };

	return check_new(a, &args_pass_check_kind, &w, sizeof w, VIEW_CALLS);
}
