/* mcp-eval's assertions: by kind in scenarios, by evaluator in datasets. */
#include "check/dialect/mcp_eval.h"

/* ---- evaluators ---- */

static const struct form evaluators[] = {
	FORM("ToolWasCalled", mcp_eval_was_called, ROLE(CALLED, "tool_name"),
	    PARAMS(NEED("tool_name", TEXT), KEY_OR("min_times", INT, 1))),
	FORM("ToolCalledWith", mcp_eval_called_with,
	    ROLE(ARGUMENTS, "tool_name"),
	    PARAMS(NEED("tool_name", TEXT),
		NEED_AS("expected_args", OBJECT, "arguments"))),
	FORM("ExactToolCount", mcp_eval_count, ROLE(COUNT, "tool_name"),
	    PARAMS(NEED("tool_name", TEXT), NEED("expected_count", INT))),
	FORM("ToolSuccessRate", mcp_eval_success_rate,
	    ROLE(ERRORS, "tool_name"),
	    PARAMS(KEY_OR("min_rate", NUMBER, 0.9), KEY("tool_name", TEXT))),
	FORM("ToolFailed", mcp_eval_failed, ROLE(ERRORS, "tool_name"),
	    PARAMS(KEY("tool_name", TEXT), IGNORED("min_rate"))),
	FORM("ToolOutputMatches", mcp_eval_output,
	    ROLE(OUTPUT, "expected_output"),
	    PARAMS(NEED("tool_name", TEXT), NEED("expected_output", ANY),
		KEY("field_path", TEXT), KEY("match_type", TEXT),
		KEY_OR("case_sensitive", BOOL, true),
		KEY_OR("call_index", INT, -1),
		KEY_OR("contains_fallback_for_exact", BOOL, true))),
	FORM("ToolSequence", mcp_eval_sequence,
	    ROLE(ORDER, "expected_sequence"),
	    PARAMS(NEED_AS("expected_sequence", LIST, "sequence"),
		KEY_OR("allow_other_calls", BOOL, true))),
	FORM("PathEfficiency", mcp_eval_efficiency,
	    ROLE(AMOUNT, "optimal_steps"),
	    PARAMS(KEY("optimal_steps", INT), KEY("allow_extra_steps", INT),
		KEY("expected_tool_sequence", LIST), KEY("golden_path", LIST),
		KEY_OR("penalize_backtracking", BOOL, true),
		KEY_OR("penalize_repeated_tools", BOOL, true),
		KEY("tool_usage_limits", OBJECT),
		KEY_OR("default_tool_limit", INT, 1))),
	FORM("ResponseContains", mcp_eval_contains_or_matches,
	    ROLE(HAS, "text"),
	    PARAMS(NEED("text", TEXT), KEY("case_sensitive", BOOL),
		KEY("regex", BOOL))),
	FORM("NotContains", mcp_eval_contains_or_matches, .how = true,
	    ROLE(LACKS, "text"),
	    PARAMS(NEED("text", TEXT), KEY("case_sensitive", BOOL),
		KEY("regex", BOOL))),
	FORM("IsInstance", mcp_eval_instance, ROLE(STRUCTURE, "type_name"),
	    PARAMS(NEED("type_name", TEXT))),
	FORM("EqualsExpected", mcp_eval_equals, .role = ROLE_EQUALS,
	    PARAMS(KEY_OR("exact_match", BOOL, true),
		KEY_OR("case_sensitive", BOOL, true))),
	FORM("MaxIterations", mcp_eval_iterations,
	    ROLE(ITERATIONS, "max_iterations"),
	    PARAMS(NEED("max_iterations", INT))),
	FORM("ResponseTimeCheck", mcp_eval_call_time, ROLE(TIME, "max_ms"),
	    PARAMS(NEED_AS("max_ms", NUMBER, "ms"))),
	FORM("LLMJudge", mcp_eval_llm_judge, ROLE(JUDGE, "rubric"),
	    PARAMS(NEED("rubric", TEXT), KEY_OR("min_score", NUMBER, 0.8),
		KEY("include_input", BOOL),
		KEY_OR("include_expected", BOOL, true),
		KEY("require_reasoning", BOOL), IGNORED("model"))),
	FORM("MultiCriteriaJudge", mcp_eval_multi_criteria,
	    ROLE(JUDGE, "criteria"),
	    PARAMS(NEED("criteria", LIST),
		KEY_WORD("aggregate_method", "weighted"),
		KEY("require_all_pass", BOOL),
		KEY_OR("include_confidence", BOOL, true), IGNORED("use_cot"),
		IGNORED("model"))),
};

static bool
is_name(const struct json *name)
{
	for (size_t i = 0; i < sizeof evaluators / sizeof evaluators[0]; i++)
		if (json_str_is(name, evaluators[i].name))
			return true;
	return false;
}

bool
mcp_eval_is_evaluator(const struct json *v)
{
	if (is_name(json_get(v, "type")))
		return true;
	for (json_members(key, v))
		if (is_name(key))
			return true;
	return false;
}

static const struct forms evaluator_forms = {
	.key = "evaluator",
	.what = "evaluators",
	FORMS(evaluators),
	.ignored = "requires_final_metrics",
	.strict = true,
};

static void
add_evaluator(struct scenarios *r, const struct json *name,
    const struct json *config, const struct mcp_eval_scenario *s)
{
	struct forms forms = evaluator_forms;

	forms.part_of = s;
	if (json_get(config, "type") == name)
		forms.ignored = "requires_final_metrics type";
	scenarios_read_named(r, name, config, &forms);
}

static void
note_evaluators(const struct scenarios *r, const struct json *v)
{
	scenarios_note_forms(r, v, &evaluator_forms, true);
}

/* Reports the keys beside args, which mcp-eval does not read. Returns false if
 * there is a mistake, and adds an error in the evaluator's stead. */
static bool
has_only_args(struct scenarios *r, const struct json *v)
{
	struct fields e = fields_open(
	    r->arena, r->doc, v, json_text(json_get(v, "type"), r->arena));
	struct str why;

	e.is_assertion = e.strict = true;
	fields_ignore(&e, "type args requires_final_metrics");
	if (fields_close(&e, &why))
		return true;
	scenarios_add_check(r, check_broken(r->arena, e.where, why), v);
	return false;
}

void
mcp_eval_evaluators(struct scenarios *r, const struct json *v,
    const struct mcp_eval_scenario *s)
{
	const struct json *type = json_get(v, "type"),
			  *args = json_get(v, "args");

	note_evaluators(r, v);
	if (!json_is(v, JSON_OBJECT)) {
		struct fields e = scenarios_open(r, v, "evaluators");

		scenarios_end_object(r, &e);
	} else if (json_is(type, JSON_STRING)) {
		if (args == NULL || has_only_args(r, v))
			add_evaluator(r, type, args != NULL ? args : v, s);
	} else {
		for (json_members(key, v))
			add_evaluator(r, key, json_value(key), s);
	}
}

void
mcp_eval_expected(struct scenarios *r, const struct json *at,
    const struct mcp_eval_scenario *s)
{
	const struct assertion assertion = {
		form_find(mcp_eval_types, STR("EqualsExpected")), s
	};
	struct fields e = {
		.arena = r->arena,
		.doc = r->doc,
		.where = STR("EqualsExpected"),
		.context = &assertion,
	};
	struct check c = mcp_eval_equals(&e);

	c.type = e.where;
	scenarios_add_check(r, c, at);
}

/* ---- kinds ---- */

static const struct form kinds[] = {
	FORM("tool_was_called", mcp_eval_was_called, ROLE(CALLED, "tool_name"),
	    PARAMS(NEED("tool_name", TEXT), KEY_OR("min_times", INT, 1))),
	FORM("tool_called_with", mcp_eval_called_with,
	    ROLE(ARGUMENTS, "tool_name"),
	    PARAMS(NEED("tool_name", TEXT), NEED("arguments", OBJECT))),
	FORM("response_contains", mcp_eval_contains, ROLE(HAS, "text"),
	    PARAMS(NEED("text", TEXT), KEY("case_sensitive", BOOL))),
	FORM("not_contains", mcp_eval_contains, .how = true,
	    ROLE(LACKS, "text"),
	    PARAMS(NEED("text", TEXT), KEY("case_sensitive", BOOL))),
	FORM("tool_output_matches", mcp_eval_output,
	    ROLE(OUTPUT, "expected_output"),
	    PARAMS(NEED("tool_name", TEXT), NEED("expected_output", ANY),
		KEY("field_path", TEXT), KEY("match_type", TEXT),
		KEY_OR("case_sensitive", BOOL, true),
		KEY_OR("call_index", INT, -1))),
	FORM("max_iterations", mcp_eval_iterations,
	    ROLE(ITERATIONS, "max_iterations"),
	    PARAMS(NEED("max_iterations", INT))),
	FORM("response_time_under", mcp_eval_call_time, ROLE(TIME, "ms"),
	    PARAMS(NEED("ms", NUMBER))),
	FORM("llm_judge", mcp_eval_llm_judge, ROLE(JUDGE, "rubric"),
	    PARAMS(NEED("rubric", TEXT), KEY_OR("min_score", NUMBER, 0.8),
		KEY("require_reasoning", BOOL), IGNORED("include_input"),
		IGNORED("model"))),
	FORM("tool_sequence", mcp_eval_sequence, ROLE(ORDER, "sequence"),
	    PARAMS(NEED("sequence", LIST), KEY("allow_other_calls", BOOL))),
};

static bool
has_key(size_t kind, const struct json *key)
{
	for (const struct param *p = kinds[kind].params; p->key != NULL; p++)
		if (json_str_is(key, p->key))
			return true;
	return false;
}

static bool
has_keys(size_t kind, const struct json *object)
{
	for (json_members(key, object))
		if (!has_key(kind, key))
			return false;
	return true;
}

/* Returns the only kind that has all of the object's keys; absent text if there
 * is none, or several. */
static struct str
guess(const struct json *object)
{
	struct str found = { 0 };

	if (json_count(object) == 0 || !json_is(object, JSON_OBJECT))
		return found;
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		if (!has_keys(i, object))
			continue;
		if (found.s != NULL)
			return (struct str){ 0 };
		found = str_of(kinds[i].name);
	}
	return found;
}

static const struct forms kind_forms = {
	.key = "kind",
	.what = "assertions",
	FORMS(kinds),
	.guess = guess,
	.strict = true,
};

const struct form_list mcp_eval_types[] = { FORM_LIST(kinds),
	FORM_LIST(evaluators), { 0 } };

/* A manifest of PromptKit's also has a kind, which is no assertion. */
bool
mcp_eval_is_assertion(const struct json *v)
{
	if (json_get(v, "apiVersion") != NULL || json_get(v, "spec") != NULL)
		return false;
	return json_is(json_get(v, "kind"), JSON_STRING) || guess(v).s != NULL;
}

/* Lets a schema know by which keys the kind of an assertion can be guessed. */
static void
note_keys(const struct scenarios *r, const struct json *v)
{
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		for (const struct param *p = kinds[i].params; p->key != NULL;
		     p++)
			fields_note(r->doc, v, p->key, IS(ANY));
}

void
mcp_eval_assertion(struct scenarios *r, const struct json *v,
    const struct mcp_eval_scenario *s)
{
	struct forms forms = kind_forms;
	struct mcp_eval_scenario *strict;

	forms.part_of = s;
	note_evaluators(r, v);
	note_keys(r, v);
	if (!mcp_eval_is_evaluator(v)) {
		scenarios_read_assertion(r, v, &forms);
		return;
	}
	strict = arena_new(r->arena, struct mcp_eval_scenario);
	*strict = *s;
	strict->strict = true;
	mcp_eval_evaluators(r, v, strict);
}
