#include "check/kind/kind.h"

/* Returns whether the tool was called at least `times` times. */
static bool
is_called(struct trace_calls calls, struct str tool, int64_t times)
{
	for (size_t i = 0; i < calls.n && times > 0; i++)
		times -= trace_call_is(&calls.list[i], tool);
	return times <= 0;
}

static struct finding
called_find(const void *want, struct view *v)
{
	const struct called_want *w = want;
	struct trace_calls calls = view_calls(v);
	struct finding f = { .found = FOUND_NO, .seen = w->tools.n };
	struct str only = { 0 }, *decisive = &only;
	size_t n = 0;

	if (!w->one)
		decisive = arena_new_n(v->arena, struct str, w->tools.n);
	for (size_t i = 0; i < w->tools.n; i++) {
		bool called = is_called(calls, w->tools.list[i], w->times);

		f.matched += called;
		if (called == w->any)
			decisive[n++] = w->tools.list[i];
	}
	if ((n != 0) == w->any)
		f.found = FOUND_YES;
	f.graded = !w->any && f.seen != 0;
	f.share = f.graded ? (double)f.matched / (double)f.seen : 0;
	f.open = f.found == FOUND_NO && v->cut & VIEW_CALLS;
	if (!w->one)
		f.decisive = (struct str_list){ decisive, n };
	return f;
}

static void
called_show(const void *want, struct out *o)
{
	const struct called_want *w = want;

	if (w->one) {
		out_member_text(o, "tool", w->tools.list[0]);
		return;
	}
	out_member_strs(o, w->any ? "any" : "all", w->tools);
	if (w->times != 1)
		out_member_int(o, "times", w->times);
}

static struct str_list
tools_of(const void *want, struct arena *a)
{
	(void)a;
	return ((const struct called_want *)want)->tools;
}

static struct check
make(struct arena *a, const struct called_want *want)
{
	static const struct check_kind kind = { .name = "called",
		.find = called_find,
		.show = called_show,
		.tools = tools_of };

	return check_new(a, &kind, want, sizeof *want, VIEW_CALLS);
}

struct check
called_check(struct arena *a, struct str tool)
{
	struct str *list = arena_new(a, struct str);

	*list = tool;
	return make(a,
	    &(struct called_want){
		.tools = { list, 1 }, .times = 1, .one = true });
}

/* ---- by a pattern ---- */

static struct finding
find_like(const void *want, struct view *v)
{
	const struct str *pattern = want;
	struct trace_calls calls = view_calls(v);

	for (size_t i = 0; i < calls.n; i++)
		if (trace_call_like(&calls.list[i], *pattern, v->arena))
			return finding_why(FOUND_YES, calls.list[i].tool);
	return (
	    struct finding){ .found = FOUND_NO, .open = v->cut & VIEW_CALLS };
}

static const struct check_kind called_like_kind = { .name = "called",
	.find = find_like,
	WANTS({ "like", WANT_STR | WANT_GLOBS, 0 }) };

struct check
called_like(struct arena *a, struct str pattern)
{
	return check_new(
	    a, &called_like_kind, &pattern, sizeof pattern, VIEW_CALLS);
}

/* ---- a number of times ---- */

struct times_want {
	struct str tool;
	int64_t times;
};

static struct finding
find_times(const void *want, struct view *v)
{
	const struct times_want *w = want;
	int64_t n = (int64_t)trace_calls_of(view_calls(v), w->tool);
	struct finding f = finding_of(n == w->times);

	f.open = n <= w->times && v->cut & VIEW_CALLS;
	f.why = str_int(v->arena, n);
	return f;
}

static const struct check_kind called_exactly_kind = { .name = "called",
	.find = find_times,
	WANTS(WANT("tool", WANT_STR | WANT_TOOLS, times_want, tool),
	    WANT("exactly", WANT_INT, times_want, times)) };

struct check
called_exactly(struct arena *a, struct str tool, int64_t times)
{
	const struct times_want w = { tool, times };

	return check_new(a, &called_exactly_kind, &w, sizeof w, VIEW_CALLS);
}

static struct finding
find_most(const void *want, struct view *v)
{
	const struct times_want *w = want;
	struct trace_calls calls = view_calls(v);
	struct finding f;
	int64_t n = 0;

	for (size_t i = 0; i < calls.n; i++)
		n += w->tool.s == NULL ||
		    trace_call_like(&calls.list[i], w->tool, v->arena);
	f = finding_of(n <= w->times);
	f.open = f.found == FOUND_YES && v->cut & VIEW_CALLS;
	f.why = str_int(v->arena, n);
	return f;
}

static const struct check_kind called_at_most_kind = { .name = "called",
	.find = find_most,
	WANTS(WANT("tool", WANT_STR | WANT_GLOBS, times_want, tool),
	    WANT("most", WANT_INT, times_want, times)) };

struct check
called_at_most(struct arena *a, struct str pattern, int64_t times)
{
	const struct times_want w = { pattern, times };

	return check_new(a, &called_at_most_kind, &w, sizeof w, VIEW_CALLS);
}

/* ---- several tools ---- */

struct check
called_all(struct arena *a, struct str_list tools, int64_t times)
{
	return make(a, &(struct called_want){ .tools = tools, .times = times });
}

struct check
called_any(struct arena *a, struct str_list tools)
{
	return make(a,
	    &(struct called_want){ .tools = tools, .times = 1, .any = true });
}
