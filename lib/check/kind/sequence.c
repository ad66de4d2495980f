#include "check/kind/kind.h"
#include "check/kind/order.h"

struct sequence_want {
	const struct str_list *lists; /* one of which is wanted */
	size_t n;
	bool exactly;
};

static struct finding
sequence_find(const void *want, struct view *v)
{
	const struct sequence_want *w = want;
	struct trace_calls calls = view_calls(v);
	struct finding f = { .open = v->cut & VIEW_CALLS };
	size_t next = 0;

	for (size_t i = 0; i < w->n; i++) {
		next = order_calls(calls, w->lists[i], w->exactly);
		if (next == w->lists[i].n && (!w->exactly || next == calls.n))
			return (struct finding){ .found = FOUND_YES,
				.open = w->exactly && f.open };
	}
	if (!w->exactly) {
		f.why = w->lists[0].list[next];
		f.seen = trace_calls_of(calls, f.why);
	}
	return f;
}

static void
sequence_show(const void *want, struct out *o)
{
	const struct sequence_want *w = want;

	out_key(o, w->exactly ? "one_of" : "in_order");
	if (w->exactly)
		out_begin(o, '[');
	for (size_t i = 0; i < w->n; i++)
		out_json_strs(o, w->lists[i]);
	if (w->exactly)
		out_end(o, ']');
}

/* Returns the tools of all lists. */
static struct str_list
tools_of(const void *want, struct arena *a)
{
	const struct sequence_want *w = want;
	struct str_list all = { 0 };

	for (size_t i = 0; i < w->n; i++)
		for (size_t k = 0; k < w->lists[i].n; k++)
			str_list_add(a, &all, w->lists[i].list[k]);
	return all;
}

static struct check
make(struct arena *a, const struct sequence_want *want)
{
	static const struct check_kind kind = {
		.name = "sequence",
		.find = sequence_find,
		.show = sequence_show,
		.tools = tools_of,
		.ordered = true,
	};

	return check_new(a, &kind, want, sizeof *want, VIEW_CALLS);
}

struct check
sequence_check(struct arena *a, struct str_list tools)
{
	struct str_list *list = arena_new(a, struct str_list);

	*list = tools;
	return make(a, &(struct sequence_want){ .lists = list, .n = 1 });
}

struct check
sequence_check_exact(struct arena *a, const struct str_list *lists, size_t n)
{
	return make(a,
	    &(struct sequence_want){ .lists = lists, .n = n, .exactly = true });
}
