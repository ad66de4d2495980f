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

/* Returns the value at a path of keys with dots between them. */
static const struct json *
at_path(const struct json *v, struct str path)
{
	while (path.s != NULL && v != NULL)
		v = json_get(v, str_cut(&path, '.'));
	return v;
}

static bool
equal(const struct json *expected, const struct json *actual)
{
	return actual != NULL && json_equal(expected, actual);
}

/* Returns whether the object has all members of the part with their values. */
static bool
has_all(const struct json *object, const struct json *part, struct arena *a)
{
	for (json_members(key, part))
		if (!equal(
			json_value(key), json_get(object, json_text(key, a))))
			return false;
	return true;
}

static bool
fields_fit(const struct expected_call *c, const struct json *args)
{
	for (size_t i = 0; i < c->fields.n; i++) {
		const struct json *v = at_path(c->args, c->fields.list[i]);

		if (v != NULL && !equal(v, at_path(args, c->fields.list[i])))
			return false;
	}
	return true;
}

/* A path that leads nowhere is the same as one that leads to null. */
static bool
paths_fit(const struct expected_call *c, const struct json *args)
{
	for (size_t i = 0; i < c->fields.n; i++) {
		const struct json *v = at_path(c->args, c->fields.list[i]),
				  *w = at_path(args, c->fields.list[i]);
		bool none = v == NULL || json_is(v, JSON_NULL);

		if (none ? w != NULL && !json_is(w, JSON_NULL) : !equal(v, w))
			return false;
	}
	return true;
}

bool
expected_args_fit(
    const struct expected_call *c, const struct json *args, struct arena *a)
{
	if (c->how == EXPECTED_FIELDS)
		return fields_fit(c, args);
	if (c->how == EXPECTED_PATHS)
		return paths_fit(c, args);
	if (!json_is(args, JSON_OBJECT))
		return false;
	if (c->how == EXPECTED_SUPERSET)
		return has_all(args, c->args, a);
	if (c->how == EXPECTED_SUBSET)
		return has_all(c->args, args, a);
	return json_equal(c->args, args);
}

static bool
args_fit(struct search *s, const struct expected_call *c,
    const struct trace_call *call)
{
	if (c->how == EXPECTED_ANY)
		return true;
	if (call->args == NULL) {
		s->unknown = call;
		return false;
	}
	return expected_args_fit(c, call->args, s->arena);
}

/* Unless the arguments are searched for as well, the next call of the tool must have
 * them. */
static enum order_fit
fit(void *arg, size_t wanted, size_t made)
{
	struct search *s = arg;
	const struct expected_calls_want *w = s->want;
	const struct trace_call *call = &s->calls.list[made];

	if (!trace_call_is(call, w->list[wanted].tool))
		return ORDER_OTHER;
	if (args_fit(s, &w->list[wanted], call))
		return ORDER_FITS;
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
find(const void *want, struct view *v)
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
		return (struct finding){ .found = FOUND_SKIP,
			.why = STR("not recorded: the arguments of a call") };
	if (!yes && s.unknown != NULL)
		return (struct finding){ .found = FOUND_SKIP,
			.why = str_printf(v->arena,
			    "not recorded: the arguments of a call of %.*s",
			    STR_FMT(s.unknown->tool)) };
	return (struct finding){
		.found = yes ? FOUND_YES : FOUND_NO,
		.open = more ? v->cut & VIEW_CALLS : 0,
		.why = yes ? STR("these calls") : s.why,
	};
}

void
expected_call_show(const struct expected_call *c, struct out *o)
{
	static const char *const hows[] = {
		[EXPECTED_EQUAL] = "equal",
		[EXPECTED_SUPERSET] = "superset",
		[EXPECTED_SUBSET] = "subset",
		[EXPECTED_FIELDS] = "fields",
		[EXPECTED_PATHS] = "paths",
	};

	out_begin(o, '{');
	out_member_str(o, "tool", c->tool);
	if (c->how != EXPECTED_ANY) {
		out_key(o, "args");
		out_json_raw(o, c->args->text);
		out_member_str(o, "match", str_of(hows[c->how]));
	}
	if (c->fields.n != 0) {
		out_key(o, "fields");
		out_json_strs(o, c->fields);
	}
	out_end(o, '}');
}

static void
show(const void *want, struct out *o)
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
		expected_call_show(&w->list[i], o);
	out_end(o, ']');
}

struct check
expected_calls_check(struct arena *a, const struct expected_calls_want *want)
{
	static const struct check_kind kind = {
		.name = "expected-calls", .find = find, .show = show
	};

	return check_new(a, &kind, want, sizeof *want, VIEW_CALLS);
}
