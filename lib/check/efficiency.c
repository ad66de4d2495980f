#include "efficiency.h"

#include "../hash.h"

enum { STEP_BACK = 2 }; /* a tool that comes back so soon is tried again */

/* Of a call: how many of the same tool came before it, and where the last of
 * them stands. */
struct past {
	size_t n, last;
};

struct path {
	struct arena *arena;
	struct trace_calls calls;
	struct past *past; /* of each call */
	size_t tools;      /* different ones */
	struct str *issues;
	size_t n; /* issues */
};

static void
add(struct path *p, struct str issue)
{
	*arena_push(p->arena, p->issues, p->n) = issue;
}

/* ---- calls ---- */

/* The tool by itself, whichever server has it. */
static struct str
tool_of(const struct path *p, size_t call)
{
	const struct trace_call *c = &p->calls.list[call];

	return c->name.s != NULL ? c->name : c->tool;
}

static struct path
path_of(struct view *v)
{
	struct path p = { .arena = v->arena, .calls = view_calls(v) };
	struct hash_table tools = { .arena = v->arena };

	p.past = arena_new_n(p.arena, struct past, p.calls.n);
	for (size_t i = 0; i < p.calls.n; i++) {
		void **slot = hash_put(&tools, tool_of(&p, i));
		struct past *past = *slot;

		if (past == NULL) {
			past = *slot = arena_new(p.arena, struct past);
			p.tools++;
		}
		p.past[i] = *past;
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

/* ---- what is looked for ---- */

static void
look_for_sequence(struct path *p, struct str_list wanted)
{
	size_t next = trace_calls_in_order(p->calls, wanted), named = 0;

	for (size_t i = 0; i < p->calls.n; i++)
		named += is_named(&p->calls.list[i], wanted);
	if (next < wanted.n)
		add(p,
		    str_printf(p->arena, "%.*s is missing from the sequence",
			STR_FMT(wanted.list[next])));
	else if (named > wanted.n)
		add(p, STR("a tool of the sequence is called once more"));
}

static void
look_for_golden(struct path *p, struct str_list golden)
{
	size_t next = trace_calls_in_order(p->calls, golden);

	if (next < golden.n)
		add(p,
		    str_printf(p->arena, "%.*s is missing from the golden path",
			STR_FMT(golden.list[next])));
	for (size_t i = 0; golden.n != 0 && i < p->calls.n; i++)
		if (p->past[i].n == 0 && !is_named(&p->calls.list[i], golden))
			add(p,
			    str_printf(p->arena,
				"%.*s is not on the golden path",
				STR_FMT(tool_of(p, i))));
}

static void
look_for_backtracking(struct path *p)
{
	size_t times = 0, first = 0;

	for (size_t i = 0; i < p->calls.n; i++)
		if (p->past[i].n != 0 && i - p->past[i].last > STEP_BACK &&
		    times++ == 0)
			first = i;
	if (times != 0)
		add(p,
		    str_printf(p->arena,
			"goes back to %.*s at call %zu (first of %zu)",
			STR_FMT(tool_of(p, first)), first + 1, times));
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

/* Each tool once, at the first call that is one too many. */
static void
look_for_repeats(struct path *p, const struct efficiency_want *w)
{
	for (size_t i = 0; i < p->calls.n; i++) {
		int64_t most = limit_of(w, &p->calls.list[i]);

		if ((int64_t)p->past[i].n == most)
			add(p,
			    str_printf(p->arena, "more calls of %.*s than %lld",
				STR_FMT(tool_of(p, i)), (long long)most));
	}
}

static void
look_for_steps(struct path *p, const struct efficiency_want *w)
{
	int64_t optimal = w->counted ? w->optimal : (int64_t)p->tools;

	if ((double)p->calls.n > (double)optimal + (double)w->extra)
		add(p,
		    str_printf(p->arena, "%zu calls where %lld would do",
			p->calls.n, (long long)optimal));
}

/* ---- the kind ---- */

static struct finding
find(const void *want, struct view *v)
{
	const struct efficiency_want *w = want;
	struct path p = path_of(v);

	look_for_sequence(&p, w->sequence);
	look_for_golden(&p, w->golden);
	if (w->backtracking)
		look_for_backtracking(&p);
	if (w->repeats)
		look_for_repeats(&p, w);
	look_for_steps(&p, w);
	return (struct finding){
		.found = p.n == 0 ? FOUND_YES : FOUND_NO,
		.open = v->cut & VIEW_CALLS,
		.why = str_join(v->arena, p.issues, p.n, STR("; ")),
	};
}

static void
show_tools(struct out *o, const char *key, struct str_list tools)
{
	if (tools.n == 0)
		return;
	out_key(o, key);
	out_json_strs(o, tools);
}

static void
show_limits(struct out *o, const struct efficiency_want *w)
{
	if (w->nlimits != 0) {
		out_key(o, "limits");
		out_begin(o, '{');
		for (size_t i = 0; i < w->nlimits; i++) {
			out_key_str(o, w->limits[i].tool);
			out_json_int(o, w->limits[i].most);
		}
		out_end(o, '}');
	}
	out_member_int(o, "limit", w->limit);
}

static void
show(const void *want, struct out *o)
{
	const struct efficiency_want *w = want;

	if (w->counted)
		out_member_int(o, "optimal", w->optimal);
	out_member_int(o, "extra", w->extra);
	show_tools(o, "sequence", w->sequence);
	show_tools(o, "golden", w->golden);
	if (w->backtracking)
		out_member_bool(o, "backtracking", false);
	if (w->repeats)
		show_limits(o, w);
}

struct check
efficiency_check(struct arena *a, const struct efficiency_want *want)
{
	static const struct check_kind kind = {
		.name = "efficiency", .find = find, .show = show
	};
	struct efficiency_want *w = arena_new(a, struct efficiency_want);

	*w = *want;
	return (struct check){ .kind = &kind, .want = w, .needs = VIEW_CALLS };
}
