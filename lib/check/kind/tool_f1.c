#include "check/kind/kind.h"

#include "check/got.h"

/* Returns the number of tools that were called, each by its logged name. */
static size_t
count_tools(struct trace_calls calls)
{
	size_t n = 0;

	for (size_t i = 0; i < calls.n; i++) {
		size_t j = 0;

		while (j < i && !str_eq(calls.list[j].tool, calls.list[i].tool))
			j++;
		n += j == i;
	}
	return n;
}

static struct finding
tool_f1_find(const void *want, struct view *v)
{
	const struct tool_f1_want *w = want;
	struct trace_calls calls = view_calls(v);
	size_t called = count_tools(calls), both = 0;
	double precision, recall, f1;

	for (size_t i = 0; i < w->tools.n; i++)
		both += trace_calls_of(calls, w->tools.list[i]) != 0;
	precision = called == 0 ? 0 : (double)both / (double)called;
	recall = (double)both / (double)w->tools.n;
	f1 = precision + recall > 0
	    ? 2 * precision * recall / (precision + recall)
	    : 0;
	return (struct finding){
		.found = f1 >= w->least ? FOUND_YES : FOUND_NO,
		.open = v->cut & VIEW_CALLS,
		.graded = true,
		.share = w->negated ? 1 - f1 : f1,
		.why = str_printf(v->arena, "%.3f (%.*s)", f1,
		    STR_FMT(calls.n == 0 ? STR("no calls")
					 : got_tools(calls, v->arena))),
	};
}

static const struct check_kind tool_f1_check_kind = { .name = "tool_f1",
	.find = tool_f1_find,
	WANTS(WANT("tools", WANT_STRS | WANT_TOOLS, tool_f1_want, tools),
	    WANT("least", WANT_DOUBLE, tool_f1_want, least)) };

struct check
tool_f1_check(struct arena *a, const struct tool_f1_want *want)
{
	return check_new(
	    a, &tool_f1_check_kind, want, sizeof *want, VIEW_CALLS);
}
