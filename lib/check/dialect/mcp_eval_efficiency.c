/* mcp-eval's path efficiency. */
#include "check/dialect/mcp_eval_checks.h"
#include "check/kind/kind.h"

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

	if (optimal == NULL)
		return;
	w->counted = true;
	w->optimal = mcp_eval_int_of(e, optimal, "optimal_steps");
	if (w->optimal < 0)
		fields_wrong(e, optimal,
		    "optimal_steps: expected 0 or more, found %lld",
		    (long long)w->optimal);
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
		.extra = mcp_eval_int_or(e, "allow_extra_steps", 0),
		.sequence = tools_if(e, "expected_tool_sequence"),
		.golden = tools_if(e, "golden_path"),
		.backtracking =
		    mcp_eval_bool_or(e, "penalize_backtracking", true),
		.repeats = mcp_eval_bool_or(e, "penalize_repeated_tools", true),
		.limit = mcp_eval_int_or(e, "default_tool_limit", 1),
	};
	struct check c;

	read_optimum(e, &want);
	read_limits(e, &want);
	c = efficiency_check(e->arena, &want);
	c.explain = explain;
	return mcp_eval_labelled(e, c, (struct str){ 0 });
}
