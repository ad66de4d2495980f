#include "check/kind/kind.h"
#include "check/kind/order.h"

struct sequence_want {
	const struct str_list *lists;
	size_t n;
};

static struct finding
find(const void *want, struct view *v)
{
	const struct sequence_want *w = want;
	struct trace_calls calls = view_calls(v);
	struct str_list tools = w->lists[0];
	size_t next = order_calls(calls, tools, false);

	if (next == tools.n)
		return (struct finding){ .found = FOUND_YES };
	return (struct finding){
		.found = FOUND_NO,
		.open = v->cut & VIEW_CALLS,
		.why = tools.list[next],
		.seen = trace_calls_of(calls, tools.list[next]),
	};
}

static struct finding
find_exact(const void *want, struct view *v)
{
	const struct sequence_want *w = want;
	struct trace_calls calls = view_calls(v);
	struct finding f = { .open = v->cut & VIEW_CALLS };

	for (size_t i = 0; i < w->n; i++)
		if (calls.n == w->lists[i].n &&
		    order_calls(calls, w->lists[i], true) == calls.n)
			f.found = FOUND_YES;
	return f;
}

static void
show(const void *want, struct out *o)
{
	const struct sequence_want *w = want;

	out_key(o, "in_order");
	out_json_strs(o, w->lists[0]);
}

static void
show_exact(const void *want, struct out *o)
{
	const struct sequence_want *w = want;

	out_member_begin(o, "one_of", '[');
	for (size_t i = 0; i < w->n; i++)
		out_json_strs(o, w->lists[i]);
	out_end(o, ']');
}

/* Returns the tools of all lists. */
static struct str_list
tools_of(const void *want, struct arena *a)
{
	const struct sequence_want *w = want;
	struct str *all = NULL;
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++)
		for (size_t k = 0; k < w->lists[i].n; k++)
			*arena_push(a, all, n) = w->lists[i].list[k];
	return (struct str_list){ all, n };
}

struct check
sequence_check(struct arena *a, struct str_list tools)
{
	static const struct check_kind kind = { .name = "sequence",
		.find = find,
		.show = show,
		.tools = tools_of,
		.ordered = true };
	struct str_list *list = arena_new(a, struct str_list);
	const struct sequence_want w = { list, 1 };

	*list = tools;
	return check_new(a, &kind, &w, sizeof w, VIEW_CALLS);
}

struct check
sequence_check_exact(struct arena *a, const struct str_list *lists, size_t n)
{
	static const struct check_kind kind = {
		.name = "sequence",
		.find = find_exact,
		.show = show_exact,
		.tools = tools_of,
		.ordered = true,
	};
	const struct sequence_want w = { lists, n };

	return check_new(a, &kind, &w, sizeof w, VIEW_CALLS);
}
