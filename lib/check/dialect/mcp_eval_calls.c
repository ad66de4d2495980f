/* mcp-eval's checks of the calls of tools: which, with what arguments, in what
 * order, with what results, and how many. */
#include "check/dialect/mcp_eval.h"

#include <inttypes.h>

#include "base/suggest.h"
#include "check/kind/kind.h"

/* ---- reasons ---- */

static void
explain_count(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	const struct called_want *w = c->want;
	struct finding counted = *f;

	counted.why = str_int(
	    v->arena, (int64_t)trace_calls_of(view_calls(v), w->tools.list[0]));
	check_explain_found(c, &counted, v, r);
}

static void
explain_others(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	struct finding counted = *f;

	counted.why = f->seen == 0
	    ? STR("no call")
	    : str_printf(v->arena, "%zu with others", f->seen);
	check_explain_found(c, &counted, v, r);
}

static void
explain_calls(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	struct trace_calls calls = view_calls(v);
	struct str *names = arena_new_n(v->arena, struct str, calls.n);
	struct finding named = *f;

	for (size_t i = 0; i < calls.n; i++)
		names[i] = calls.list[i].tool;
	named.why = calls.n == 0
	    ? STR("none")
	    : str_join(v->arena, names, calls.n, STR(", "));
	check_explain_found(c, &named, v, r);
}

/* ---- calls ---- */

static struct check
called(struct fields *e, struct str tool, int64_t least)
{
	struct str *list = arena_new(e->arena, struct str);
	int64_t times = least < 0 ? 0 : least;
	struct check c;

	*list = tool;
	c = called_all(e->arena, (struct str_list){ list, 1 }, times);
	c.detail = str_printf(e->arena,
	    "expected %" PRId64 " or more calls of %.*s", times, STR_FMT(tool));
	c.explain = explain_count;
	return mcp_eval_labelled(e, c, tool);
}

struct check
mcp_eval_was_called(struct fields *e)
{
	struct str tool = scenarios_text(e, "tool_name");

	return called(e, tool, mcp_eval_int(e, "min_times"));
}

/* Without arguments, any call of the tool passes. */
struct check
mcp_eval_called_with(struct fields *e)
{
	const char *key = scenarios_param(e, "arguments")->key;
	struct str tool = scenarios_text(e, "tool_name");
	const struct json *arguments = scenarios_value(e, "arguments");
	struct str shown = mcp_eval_source(e->arena, arguments);
	struct check c, *inner = arena_new(e->arena, struct check);

	if (arguments != NULL && arguments->type != JSON_OBJECT)
		fields_mistake(e, arguments, "%s: expected a mapping, found %s",
		    key, json_type_name(arguments));
	if (json_count(arguments) == 0)
		return called(e, tool, 1);
	*inner = members_check(e->arena, arguments);
	c = args_pass_check(e->arena, tool, inner);
	c.detail = str_printf(e->arena, "expected a call of %.*s with %.*s",
	    STR_FMT(tool), STR_FMT(shown));
	c.explain = explain_others;
	return mcp_eval_labelled(e, c, tool);
}

struct check
mcp_eval_sequence(struct fields *e)
{
	const char *key = scenarios_param(e, "sequence")->key;
	const struct json *list = mcp_eval_list(e, key);
	bool others = mcp_eval_bool(e, "allow_other_calls");
	struct str_list *tools = arena_new(e->arena, struct str_list);
	struct str joined;
	struct check c;

	*tools = fields_strs(e, list, key);
	joined = str_list_text(e->arena, *tools);
	c = others ? sequence_check(e->arena, *tools)
		   : sequence_check_exact(e->arena, tools, 1);
	c.detail = str_printf(e->arena, "expected the calls %.*s%s",
	    STR_FMT(joined), others ? " in this order" : " and no others");
	c.explain = explain_calls;
	return mcp_eval_labelled(e, c, joined);
}

/* ---- how many ---- */

struct check
mcp_eval_count(struct fields *e)
{
	struct str tool = scenarios_text(e, "tool_name");
	int64_t times = mcp_eval_int(e, "expected_count");
	struct check c = called_exactly(e->arena, tool, times);

	c.detail = str_printf(e->arena, "expected the calls of %.*s to be %lld",
	    STR_FMT(tool), (long long)times);
	return mcp_eval_labelled(e, c, tool);
}

/* Returns the tool that is named; absent for an empty name. */
static struct str
some_tool(struct fields *e)
{
	struct str tool = scenarios_text(e, "tool_name");

	if (tool.n == 0)
		tool.s = NULL;
	return tool;
}

/* Returns " of TOOL", or empty text for all tools. */
static struct str
of_tool(struct arena *a, struct str tool)
{
	return tool.n == 0 ? tool : str_cat(a, STR(" of "), tool);
}

struct check
mcp_eval_success_rate(struct fields *e)
{
	struct str tool = some_tool(e), of = of_tool(e->arena, tool);
	double least = mcp_eval_float(e, "min_rate");
	struct check c = success_rate_check(e->arena, tool, least);

	c.detail = str_printf(e->arena,
	    "expected a share of %.15g or more of the calls%.*s to succeed",
	    least, STR_FMT(of));
	return mcp_eval_labelled(e, c, tool);
}

struct check
mcp_eval_failed(struct fields *e)
{
	struct str tool = some_tool(e), of = of_tool(e->arena, tool);
	struct check c = success_rate_none(e->arena, tool);

	c.detail = str_printf(
	    e->arena, "expected no call%.*s to succeed", STR_FMT(of));
	return mcp_eval_labelled(e, c, tool);
}

/* ---- path efficiency ---- */

static struct str_list
tools_if(struct fields *e, const char *key)
{
	return fields_strs(e, fields_list_if(e, key), key);
}

static void
read_limits(struct fields *e, struct efficiency_want *w)
{
	const struct json *limits = fields_object_if(e, "tool_usage_limits");
	struct efficiency_limit *list =
	    arena_new_n(e->arena, struct efficiency_limit, json_count(limits));

	for (json_members(key, limits)) {
		struct efficiency_limit *limit = &list[w->nlimits++];

		limit->tool = json_text(key, e->arena);
		limit->most =
		    mcp_eval_int_of(e, json_value(key), "tool_usage_limits");
	}
	w->limits = list;
}

static void
read_optimum(struct fields *e, struct efficiency_want *w)
{
	const struct json *optimal = fields_get(e, "optimal_steps");
	int64_t *steps = arena_new(e->arena, int64_t);

	if (optimal == NULL)
		return;
	*steps = mcp_eval_int_of(e, optimal, "optimal_steps");
	if (*steps < 0)
		fields_mistake(e, optimal,
		    "optimal_steps: expected 0 or more, found %lld",
		    (long long)*steps);
	w->optimal = steps;
}

static void
explain(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	(void)c;
	if (r->status == STATUS_FAILED)
		r->reason = str_cat(
		    v->arena, STR("the path is not efficient: "), f->why);
}

struct check
mcp_eval_efficiency(struct fields *e)
{
	struct efficiency_want want = {
		.extra = mcp_eval_int(e, "allow_extra_steps"),
		.sequence = tools_if(e, "expected_tool_sequence"),
		.golden = tools_if(e, "golden_path"),
		.backtracking = mcp_eval_bool(e, "penalize_backtracking"),
		.repeats = mcp_eval_bool(e, "penalize_repeated_tools"),
		.limit = mcp_eval_int(e, "default_tool_limit"),
	};
	struct check c;

	read_optimum(e, &want);
	read_limits(e, &want);
	c = efficiency_check(e->arena, &want);
	c.explain = explain;
	return mcp_eval_labelled(e, c, (struct str){ 0 });
}

/* ---- output ---- */

static enum tool_output_how
match_type(struct fields *e)
{
	struct str written = scenarios_text(e, "match_type");
	struct suggest near = suggest_for(written);
	const char *name;

	if (!json_has(e->object, "match_type"))
		return OUTPUT_EXACT;
	fields_str(e, "match_type"); /* null is no text either */
	for (unsigned how = 0; (name = tool_output_how_name(how)) != NULL;
	     how++) {
		if (str_is(written, name))
			return how;
		suggest_try(&near, str_of(name));
	}
	fields_mistake(e, json_get(e->object, "match_type"),
	    "match_type: unknown '%.*s'%s", STR_FMT(written),
	    suggest_text(&near, e->arena));
	return OUTPUT_EXACT;
}

static void
read_field(struct fields *e, struct field_path *field)
{
	struct str path = scenarios_text(e, "field_path"), why;

	if (!field_path_read(field, e->arena, path, &why))
		fields_mistake(e, json_get(e->object, "field_path"),
		    "field_path: %.*s", STR_FMT(why));
}

static void
compile(struct fields *e, struct tool_output_want *w)
{
	struct regex_error error;

	if (w->how != OUTPUT_REGEX || !json_is(w->expected, JSON_STRING))
		return;
	w->regex = regex_compile(e->arena, REGEX_PYTHON,
	    json_text(w->expected, e->arena), w->caseless ? REGEX_CASELESS : 0,
	    &error);
	if (w->regex == NULL)
		fields_mistake(e, w->expected, "expected_output: %.*s",
		    STR_FMT(regex_error_text(e->arena, &error)));
}

static const char *
verb(const struct tool_output_want *w)
{
	switch (w->how) {
	case OUTPUT_EXACT:
		return json_is(w->expected, JSON_STRING) ? "contain" : "be";
	case OUTPUT_CONTAINS:
		return "contain";
	case OUTPUT_REGEX:
		return "match";
	case OUTPUT_PARTIAL:
		return "include";
	default:
		return "be";
	}
}

static struct str
expectation(struct arena *a, const struct tool_output_want *w)
{
	struct str tool = w->tool, field = w->field.written,
		   expected = mcp_eval_source(a, w->expected);

	return str_printf(a, "expected the output of %.*s%s%.*s to %s %.*s",
	    STR_FMT(tool), field.n == 0 ? "" : " at ", STR_FMT(field), verb(w),
	    STR_FMT(expected));
}

/* Without the fallback, an exact match must be equal, also in letter case. */
static void
read_fallback(struct fields *e, struct tool_output_want *w)
{
	if (mcp_eval_bool(e, "contains_fallback_for_exact") ||
	    w->how != OUTPUT_EXACT)
		return;
	w->how = OUTPUT_EQUALS;
	w->caseless = false;
}

struct check
mcp_eval_output(struct fields *e)
{
	struct tool_output_want want = {
		.tool = scenarios_text(e, "tool_name"),
		.call = mcp_eval_int(e, "call_index"),
		.how = match_type(e),
		.expected = scenarios_value(e, "expected_output"),
		.caseless = !mcp_eval_bool(e, "case_sensitive"),
	};
	bool strict = mcp_eval_scenario_of(e)->strict;
	struct check c;

	read_field(e, &want.field);
	if (strict)
		read_fallback(e, &want);
	else if (json_is(want.expected, JSON_NULL))
		fields_mistake(e, want.expected,
		    "expected_output: expected a value, found null");
	if (!fields_ok(e))
		return (struct check){ .label = e->where };
	compile(e, &want);
	c = tool_output_check(e->arena, &want);
	c.detail = expectation(e->arena, &want);
	return mcp_eval_labelled(e, c, want.tool);
}

/* ---- limits ---- */

struct check
mcp_eval_iterations(struct fields *e)
{
	int64_t most = mcp_eval_int(e, "max_iterations");
	struct check c = limits_check(e->arena, LIMIT_LLM_CALLS, (double)most);

	c.detail = str_printf(e->arena,
	    "expected %lld or fewer calls of the model", (long long)most);
	return mcp_eval_labelled(
	    e, c, str_printf(e->arena, "%lld", (long long)most));
}

struct check
mcp_eval_call_time(struct fields *e)
{
	double most = mcp_eval_float(e, "ms");
	struct check c = limits_call_time(e->arena, most);

	c.detail = str_printf(
	    e->arena, "expected calls that take %.15g ms or less", most);
	return mcp_eval_labelled(e, c, str_printf(e->arena, "%.15g ms", most));
}
