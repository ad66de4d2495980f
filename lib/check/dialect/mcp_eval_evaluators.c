/* mcp-eval's evaluators by name, as its datasets have them. */
#include "check/dialect/mcp_eval_checks.h"

static struct check
called_with(struct fields *e)
{
	return mcp_eval_called_with(e, "expected_args");
}

static struct check
sequence(struct fields *e)
{
	return mcp_eval_sequence(e, "expected_sequence", true);
}

static struct check
in_answer(struct fields *e, bool negate)
{
	return mcp_eval_bool_or(e, "regex", false)
	    ? mcp_eval_pattern(e, negate)
	    : mcp_eval_contains(e, negate);
}

static struct check
response_contains(struct fields *e)
{
	return in_answer(e, false);
}

static struct check
not_contains(struct fields *e)
{
	return in_answer(e, true);
}

static struct check
response_time(struct fields *e)
{
	return mcp_eval_call_time(e, "max_ms");
}

static const struct form evaluators[] = {
	{ "ToolWasCalled", mcp_eval_was_called },
	{ "ToolCalledWith", called_with },
	{ "ExactToolCount", mcp_eval_count },
	{ "ToolSuccessRate", mcp_eval_success_rate },
	{ "ToolFailed", mcp_eval_failed },
	{ "ToolOutputMatches", mcp_eval_output },
	{ "ToolSequence", sequence },
	{ "PathEfficiency", mcp_eval_efficiency },
	{ "ResponseContains", response_contains },
	{ "NotContains", not_contains },
	{ "IsInstance", mcp_eval_instance },
	{ "EqualsExpected", mcp_eval_equals },
	{ "MaxIterations", mcp_eval_iterations },
	{ "ResponseTimeCheck", response_time },
	{ "LLMJudge", mcp_eval_llm_judge },
	{ "MultiCriteriaJudge", mcp_eval_multi_criteria },
};

static const char *const ignored[] = { "requires_final_metrics", NULL };

static bool
is_name(const struct json *key)
{
	for (size_t i = 0; i < sizeof evaluators / sizeof evaluators[0]; i++)
		if (json_str_is(key, str_of(evaluators[i].name)))
			return true;
	return false;
}

bool
mcp_eval_is_evaluator(const struct json *v)
{
	for (json_members(key, v))
		if (is_name(key))
			return true;
	return false;
}

void
mcp_eval_evaluator(struct scenarios *r, const struct json *key,
    const struct mcp_eval_scenario *s)
{
	const struct forms forms = {
		.key = "evaluator",
		.what = "evaluators",
		.list = evaluators,
		.n = sizeof evaluators / sizeof evaluators[0],
		.context = s,
		.ignored = ignored,
	};

	scenarios_read_member(r, key, &forms);
}

void
mcp_eval_evaluators(struct scenarios *r, const struct json *v,
    const struct mcp_eval_scenario *s)
{
	struct fields e = fields_open(r->arena, r->doc, v, STR("evaluators"));

	for (json_members(key, v))
		mcp_eval_evaluator(r, key, s);
	e.any_key = true;
	scenarios_end_entry(r, &e);
}

void
mcp_eval_expected(struct scenarios *r, const struct json *at,
    const struct mcp_eval_scenario *s)
{
	struct fields e = {
		.arena = r->arena,
		.doc = r->doc,
		.where = STR("EqualsExpected"),
		.context = s,
	};
	struct check c = mcp_eval_equals(&e);

	c.type = e.where;
	scenarios_add_check(r, c, at);
}
