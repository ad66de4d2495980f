#include "check/kind/kind.h"

struct success_rate_want {
	struct str tool;
	enum { RATE_LEAST, RATE_NONE } how;
	double limit;
};

struct tally {
	size_t calls, good, unknown;
};

/* Counts a call. Whether a call without a result failed is unknown, unless the
 * log says. */
static void
count(struct tally *t, const struct trace_call *call)
{
	const struct json *failed = call->is_error;

	if (failed == NULL)
		failed = json_get(call->result, "isError");
	t->calls++;
	if (failed == NULL && call->result == NULL)
		t->unknown++;
	else
		t->good += !json_is(failed, JSON_TRUE);
}

static struct tally
count_all(const struct success_rate_want *w, struct view *v)
{
	struct trace_calls calls = view_calls(v);
	struct tally t = { 0 };

	for (size_t i = 0; i < calls.n; i++)
		if (w->tool.n == 0 || trace_call_is(&calls.list[i], w->tool))
			count(&t, &calls.list[i]);
	return t;
}

/* Returns YES or NO if the worst and the best case agree, else SKIP. */
static struct finding
decide(const struct tally *t, bool worst, bool best, struct view *v)
{
	struct finding f = { .found = worst ? FOUND_YES : FOUND_NO,
		.open = v->cut & VIEW_CALLS };

	if (worst == best) {
		f.why = str_printf(v->arena, "%zu of %zu", t->good, t->calls);
	} else {
		f.found = FOUND_SKIP;
		f.why = STR("not recorded: whether a call failed");
	}
	return f;
}

static struct finding
success_rate_find(const void *want, struct view *v)
{
	const struct success_rate_want *w = want;
	struct tally t = count_all(w, v);
	double good = (double)t.good, may = (double)t.good + (double)t.unknown,
	       all = (double)t.calls;

	if (w->how == RATE_NONE)
		return decide(
		    &t, t.good == 0 && t.unknown == 0, t.good == 0, v);
	return decide(&t, t.calls != 0 && good / all >= w->limit,
	    t.calls != 0 && may / all >= w->limit, v);
}

static const struct check_kind success_rate_kind = { .name = "rate",
	.find = success_rate_find,
	WANTS(WANT("tool", WANT_STR | WANT_TOOLS | WANT_IF, success_rate_want,
		  tool),
	    WANT("least most", WANT_KEY, success_rate_want, how),
	    WANT(NULL, WANT_DOUBLE, success_rate_want, limit)) };

struct check
success_rate_check(struct arena *a, struct str tool, double least)
{
	const struct success_rate_want w = { tool, RATE_LEAST, least };

	return check_new(a, &success_rate_kind, &w, sizeof w, VIEW_CALLS);
}

struct check
success_rate_none(struct arena *a, struct str tool)
{
	const struct success_rate_want w = { tool, RATE_NONE, 0 };

	return check_new(a, &success_rate_kind, &w, sizeof w, VIEW_CALLS);
}
