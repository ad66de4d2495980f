/* mcp-eval's checks of which tools were called, and how. */
#include <inttypes.h>

#include "check/dialect/mcp_eval_checks.h"
#include "check/kind/kind.h"

/* ---- reasons ---- */

static void
explain_number(const struct check *c, struct str tool, struct view *v,
    struct check_result *r)
{
	struct finding counted = { .why = str_printf(v->arena, "%zu",
				       trace_calls_of(view_calls(v), tool)) };

	check_explain_found(c, &counted, v, r);
}

static void
explain_count(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	const struct called_want *w = c->want;

	(void)f;
	explain_number(c, w->tools.list[0], v, r);
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
	struct str tool = fields_str(e, "tool_name");

	return called(e, tool, mcp_eval_int_or(e, "min_times", 1));
}

/* Without arguments any call will do. */
struct check
mcp_eval_called_with(struct fields *e, const char *key)
{
	struct str tool = fields_str(e, "tool_name");
	const struct json *arguments = fields_need(e, key);
	struct str shown = mcp_eval_source(e->arena, arguments);
	struct check c, *inner = arena_new(e->arena, struct check);

	if (arguments != NULL && arguments->type != JSON_OBJECT)
		fields_wrong(e, arguments, "%s: expected a mapping, found %s",
		    key, json_type_name(arguments));
	if (json_count(arguments) == 0)
		return called(e, tool, 1);
	*inner = members_check(arguments);
	c = args_pass_check(e->arena, tool, inner);
	c.detail = str_printf(e->arena, "expected a call of %.*s with %.*s",
	    STR_FMT(tool), STR_FMT(shown));
	c.explain = explain_others;
	return mcp_eval_labelled(e, c, tool);
}

struct check
mcp_eval_sequence(struct fields *e, const char *key, bool other_calls)
{
	const struct json *list = mcp_eval_list(e, key);
	bool others = mcp_eval_bool_or(e, "allow_other_calls", other_calls);
	struct str_list *tools = arena_new(e->arena, struct str_list);
	struct str joined;
	struct check c;

	*tools = fields_strs(e, list, key);
	joined = str_join(e->arena, tools->list, tools->n, STR(", "));
	c = others ? sequence_check(e->arena, *tools)
		   : sequence_check_exact(e->arena, tools, 1);
	c.detail = str_printf(e->arena, "expected the calls %.*s%s",
	    STR_FMT(joined), others ? " in this order" : " and no others");
	c.explain = explain_calls;
	return mcp_eval_labelled(e, c, joined);
}

/* ---- how many ---- */

static void
explain_times(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	const struct times_want *w = c->want;

	(void)f;
	explain_number(c, w->tool, v, r);
}

struct check
mcp_eval_count(struct fields *e)
{
	struct str tool = fields_str(e, "tool_name");
	int64_t times = mcp_eval_int(e, "expected_count");
	struct check c = called_exactly(e->arena, tool, times);

	c.detail = str_printf(e->arena, "expected the calls of %.*s to be %lld",
	    STR_FMT(tool), (long long)times);
	c.explain = explain_times;
	return mcp_eval_labelled(e, c, tool);
}

/* Of which calls; an empty name is none. */
static struct str
some_tool(struct fields *e)
{
	struct str tool = fields_str_if(e, "tool_name");

	if (tool.n == 0)
		tool.s = NULL;
	return tool;
}

/* "of fetch", or "" of all tools. */
static struct str
of_tool(struct arena *a, struct str tool)
{
	return tool.n == 0 ? tool : str_cat(a, STR(" of "), tool);
}

struct check
mcp_eval_success_rate(struct fields *e)
{
	struct str tool = some_tool(e), of = of_tool(e->arena, tool);
	double least = mcp_eval_float_or(e, "min_rate", 0.9);
	struct check c = success_rate_check(e->arena, tool, least);

	c.detail = str_printf(e->arena,
	    "expected a share of %.15g or more of the calls%.*s to succeed",
	    least, STR_FMT(of));
	c.explain = check_explain_found;
	return mcp_eval_labelled(e, c, tool);
}

struct check
mcp_eval_failed(struct fields *e)
{
	static const char *const ignored[] = { "min_rate", NULL };
	struct str tool = some_tool(e), of = of_tool(e->arena, tool);
	struct check c = success_rate_none(e->arena, tool);

	fields_ignore(e, ignored);
	c.detail = str_printf(
	    e->arena, "expected no call%.*s to succeed", STR_FMT(of));
	c.explain = check_explain_found;
	return mcp_eval_labelled(e, c, tool);
}
