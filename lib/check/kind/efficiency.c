#include "check/kind/kind.h"

#include "base/hash.h"
#include "check/kind/order.h"

enum { STEP_BACK = 2 }; /* calls within which a return is a retry */

/* The calls of the same tool before a call: their number, and the index of the
 * last one. */
struct past {
	size_t n, last;
};

/* The calls of a view, prepared once for all checks of the kind. */
struct path {
	struct trace_calls calls;
	struct past *past; /* of each call */
	size_t tools;      /* number of different tools */
};

/* The issues that one check finds. */
struct issues {
	struct arena *arena;
	struct str_list list;
};

static __attribute__((format(printf, 2, 3))) void
add(struct issues *found, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	str_list_add(found->arena, &found->list,
	    str_vprintf(found->arena, format, args));
	va_end(args);
}

/* ---- calls ---- */

/* Returns the tool's name without its server. */
static struct str
tool_of(const struct path *p, size_t call)
{
	const struct trace_call *c = &p->calls.list[call];

	return c->name.s != NULL ? c->name : c->tool;
}

static const struct path *
path_of(struct view *v)
{
	struct path *p = v->memo[VIEW_PATH];
	struct hash_table tools = { .arena = v->arena };

	if (p != NULL)
		return p;
	v->memo[VIEW_PATH] = p = arena_new(v->arena, struct path);
	p->calls = view_calls(v);
	p->past = arena_new_n(v->arena, struct past, p->calls.n);
	for (size_t i = 0; i < p->calls.n; i++) {
		void **slot = hash_put(&tools, tool_of(p, i));
		struct past *past = *slot;

		if (past == NULL) {
			past = *slot = arena_new(v->arena, struct past);
			p->tools++;
		}
		p->past[i] = *past;
		past->n++;
		past->last = i;
	}
	return p;
}

static bool
is_named(const struct trace_call *call, struct str_list tools)
{
	for (size_t i = 0; i < tools.n; i++)
		if (trace_call_is(call, tools.list[i]))
			return true;
	return false;
}

/* ---- issues ---- */

static void
look_for_sequence(
    struct issues *found, const struct path *p, struct str_list wanted)
{
	size_t next = order_calls(p->calls, wanted, false), named = 0;

	for (size_t i = 0; wanted.n != 0 && i < p->calls.n; i++)
		named += is_named(&p->calls.list[i], wanted);
	if (next < wanted.n)
		add(found, "%.*s is missing from the sequence",
		    STR_FMT(wanted.list[next]));
	else if (named > wanted.n)
		add(found, "a tool of the sequence is called once more");
}

static void
look_for_golden(
    struct issues *found, const struct path *p, struct str_list golden)
{
	size_t next = order_calls(p->calls, golden, false);

	if (next < golden.n)
		add(found, "%.*s is missing from the golden path",
		    STR_FMT(golden.list[next]));
	for (size_t i = 0; golden.n != 0 && i < p->calls.n; i++)
		if (p->past[i].n == 0 && !is_named(&p->calls.list[i], golden))
			add(found, "%.*s is not on the golden path",
			    STR_FMT(tool_of(p, i)));
}

static void
look_for_backtracking(struct issues *found, const struct path *p)
{
	size_t times = 0, first = 0;

	for (size_t i = 0; i < p->calls.n; i++)
		if (p->past[i].n != 0 && i - p->past[i].last > STEP_BACK &&
		    times++ == 0)
			first = i;
	if (times != 0)
		add(found, "goes back to %.*s at call %zu (first of %zu)",
		    STR_FMT(tool_of(p, first)), first + 1, times);
}

static int64_t
limit_of(const struct efficiency_want *w, const struct trace_call *call)
{
	int64_t most = w->limit;

	for (size_t i = 0; i < w->nlimits; i++)
		if (trace_call_is(call, w->limits[i].tool))
			most = w->limits[i].most;
	return most > 0 ? most : 0;
}

/* Adds each tool once, at its first call beyond the limit. */
static void
look_for_repeats(
    struct issues *found, const struct path *p, const struct efficiency_want *w)
{
	for (size_t i = 0; i < p->calls.n; i++) {
		int64_t most = limit_of(w, &p->calls.list[i]);

		if ((int64_t)p->past[i].n == most)
			add(found, "more calls of %.*s than %lld",
			    STR_FMT(tool_of(p, i)), (long long)most);
	}
}

static void
look_for_steps(
    struct issues *found, const struct path *p, const struct efficiency_want *w)
{
	int64_t optimal = w->optimal != NULL ? *w->optimal : (int64_t)p->tools;

	if ((double)p->calls.n > (double)optimal + (double)w->extra)
		add(found, "%zu calls where %lld would do", p->calls.n,
		    (long long)optimal);
}

/* ---- the kind ---- */

static struct finding
efficiency_find(const void *want, struct view *v)
{
	const struct efficiency_want *w = want;
	const struct path *p = path_of(v);
	struct issues found = { .arena = v->arena };

	look_for_sequence(&found, p, w->sequence);
	look_for_golden(&found, p, w->golden);
	if (w->backtracking)
		look_for_backtracking(&found, p);
	if (w->repeats)
		look_for_repeats(&found, p, w);
	look_for_steps(&found, p, w);
	return (struct finding){
		.found = found.list.n == 0 ? FOUND_YES : FOUND_NO,
		.open = v->cut & VIEW_CALLS,
		.why = str_join(
		    v->arena, found.list.list, found.list.n, STR("; ")),
	};
}

static void
show_limits(struct out *o, const struct efficiency_want *w)
{
	if (w->nlimits != 0) {
		out_member_begin(o, "limits", '{');
		for (size_t i = 0; i < w->nlimits; i++) {
			out_key_str(o, w->limits[i].tool);
			out_json_int(o, w->limits[i].most);
		}
		out_end(o, '}');
	}
	out_member_int(o, "limit", w->limit);
}

static void
efficiency_show(const void *want, struct out *o)
{
	const struct efficiency_want *w = want;

	if (w->backtracking)
		out_member_bool(o, "backtracking", false);
	if (w->repeats)
		show_limits(o, w);
}

static const struct check_kind efficiency_check_kind = { .name = "efficiency",
	.find = efficiency_find,
	.show = efficiency_show,
	WANTS(WANT("optimal", WANT_INT | WANT_AT, efficiency_want, optimal),
	    WANT("extra", WANT_INT, efficiency_want, extra),
	    WANT("sequence", WANT_STRS | WANT_IF | WANT_TOOLS, efficiency_want,
		sequence),
	    WANT("golden", WANT_STRS | WANT_IF | WANT_TOOLS, efficiency_want,
		golden)) };

struct check
efficiency_check(struct arena *a, const struct efficiency_want *want)
{
	return check_new(
	    a, &efficiency_check_kind, want, sizeof *want, VIEW_CALLS);
}
