#include "check/kind/kind.h"
#include "check/kind/order.h"

/* The state of a search for expected calls. */
struct search {
	const struct expected_calls_want *want;
	struct trace_calls calls;
	struct arena *arena;
	/* A call whose arguments are needed, and were not recorded; or NULL. */
	const struct trace_call *unknown;
	struct str why; /* what speaks against a YES */
};

/* Unless the arguments are searched for as well, the next call of the tool must have
 * them. */
static enum order_fit
fit(void *arg, size_t wanted, size_t made)
{
	struct search *s = arg;
	const struct expected_calls_want *w = s->want;
	const struct trace_call *call = &s->calls.list[made];
	struct finding f;

	if (!trace_call_is(call, w->list[wanted].tool))
		return ORDER_OTHER;
	f = call_match_fit(&w->list[wanted], call, s->arena);
	if (f.found == FOUND_YES)
		return ORDER_FITS;
	if (f.found == FOUND_CANNOT)
		s->unknown = call;
	return w->mode == EXPECTED_IN_ORDER && !w->whole ? ORDER_BREAKS
							 : ORDER_OTHER;
}

static bool
decide(struct search *s)
{
	const struct expected_calls_want *w = s->want;
	struct order o = {
		.wanted = w->n, .made = s->calls.n, .fit = fit, .arg = s
	};
	size_t n = 0;

	switch (w->mode) {
	case EXPECTED_IN_ORDER:
		n = order_within(&o);
		break;
	case EXPECTED_EXACTLY:
		s->why = str_printf(s->arena, "%zu calls", o.made);
		if (o.made != w->n)
			return false;
		n = order_exactly(&o);
		break;
	case EXPECTED_ALL:
		n = order_each(&o, s->arena);
		break;
	case EXPECTED_NO_OTHERS:
		n = order_among(&o);
		if (n < o.made)
			s->why = str_printf(s->arena, "a call of %.*s",
			    STR_FMT(s->calls.list[n].tool));
		return n == o.made;
	}
	if (n < w->n)
		s->why = str_printf(
		    s->arena, "no such call of %.*s", STR_FMT(w->list[n].tool));
	return n == w->n;
}

/* Leaves the calls that load a skill, as calls of its name. Returns whether a name may
 * not be recorded. */
static bool
keep_skills(struct trace_calls *calls, struct arena *a)
{
	struct trace_call *list = arena_new_n(a, struct trace_call, calls->n);
	bool unknown = false;
	size_t n = 0;

	for (size_t i = 0; i < calls->n; i++) {
		struct str skill = trigger_skill(&calls->list[i], a);

		unknown |= calls->list[i].args == NULL;
		if (skill.s == NULL)
			continue;
		list[n] = calls->list[i];
		list[n].server.s = list[n].name.s = NULL;
		list[n++].tool = skill;
	}
	*calls = (struct trace_calls){ .list = list, .n = n };
	return unknown;
}

static struct finding
expected_calls_find(const void *want, struct view *v)
{
	struct search s = {
		.want = want, .calls = view_calls(v), .arena = v->arena
	};
	bool unknown = s.want->skills && keep_skills(&s.calls, v->arena);
	bool yes = decide(&s);
	bool more = yes ? s.want->mode == EXPECTED_EXACTLY ||
		s.want->mode == EXPECTED_NO_OTHERS ||
		(s.want->mode == EXPECTED_IN_ORDER && v->holes)
			: s.want->mode != EXPECTED_NO_OTHERS;

	if (unknown && more)
		return finding_skip("not recorded: the arguments of a call");
	if (!yes && s.unknown != NULL)
		return finding_skip(str_printf(v->arena,
		    "not recorded: the arguments of a call of %.*s",
		    STR_FMT(s.unknown->tool)));
	return (struct finding){
		.found = yes ? FOUND_YES : FOUND_NO,
		.open = more ? v->cut & VIEW_CALLS : 0,
		.why = yes ? STR("these calls") : s.why,
	};
}

static void
expected_calls_show(const void *want, struct out *o)
{
	static const char *const modes[] = {
		[EXPECTED_IN_ORDER] = "in_order",
		[EXPECTED_EXACTLY] = "exactly",
		[EXPECTED_ALL] = "all",
		[EXPECTED_NO_OTHERS] = "no_others",
	};
	const struct expected_calls_want *w = want;

	out_member_begin(o, modes[w->mode], '[');
	for (size_t i = 0; i < w->n; i++)
		call_match_show(&w->list[i], o);
	out_end(o, ']');
}

struct check
expected_calls_check(struct arena *a, const struct expected_calls_want *want)
{
	static const struct check_kind kind = { .name = "expected-calls",
		.find = expected_calls_find,
		.show = expected_calls_show };

	return check_new(a, &kind, want, sizeof *want, VIEW_CALLS);
}
