/* The shapes of the files of each dialect, in the order in which its reader looks
 * for them. */
#include "check/schema/node.h"

static const struct shape mcp_eval[] = {
	{ false, "cases", "[]", NULL },
	{ false, "inputs", "\"x\"", NULL },
	{ false, "evaluators", "[{\"type\":\"ToolWasCalled\"}]", NULL },
	{ false, "scenarios", "[]", NULL },
	{ false, "tests", "[]", NULL },
	{ false, "assertions", "[]", NULL },
	{ true, "inputs", "\"x\"", NULL },
	{ true, "assertions", "[]", NULL },
	{ true, "scenarios", "[]", NULL },
	{ true, "", NULL, NULL },
	{ false, "", NULL, NULL },
	{ false, NULL, NULL, NULL },
};

static const struct shape mcplab[] = {
	{ false, "scenarios scenario_refs agents run_defaults", "[]", NULL },
	{ false, "eval extract", "{}", NULL },
	{ false,
	    "tool_constraints tool_sequence tool_input_assertions "
	    "response_assertions agent_assertions",
	    "{}", NULL },
	{ false, "id prompt", "\"x\"", NULL },
	{ false, NULL, NULL, NULL },
};

static const struct shape evolve[] = {
	{ false, "evals skill_name", "[]", NULL },
	{ false, "assertions expectations prompt id eval_id", "[]", NULL },
	{ true, "", NULL, NULL },
	{ false, "", NULL, NULL },
	{ false, NULL, NULL, NULL },
};

static const struct shape promptkit[] = {
	{ false, "apiVersion spec", "\"x\"", NULL },
	{ false, "role", "\"user\"", NULL },
	{ false, "turns steps conversation_assertions", "[]", NULL },
	{ true, "apiVersion spec", "\"x\"", NULL },
	{ true, "role", "\"user\"", NULL },
	{ true, "turns steps conversation_assertions", "[]", NULL },
	{ true, "assertions", "[]", NULL },
	{ true, "pattern", "\"x\"", NULL },
	{ true, "", NULL, NULL },
	{ false, "assertions", "[]", NULL },
	{ false, "pattern", "\"x\"", NULL },
	{ false, "", NULL, NULL },
	{ false, NULL, NULL, NULL },
};

/* AgentV's files come first: they allow more than promptfoo's. */
static const struct shape promptfoo[] = {
	{ false,
	    "evalcases default_test evaluate_options environment execution "
	    "suite target assert assertions input requires "
	    "version tests[].id tests[].input tests[].criteria "
	    "tests[].assertions",
	    "[{}]", NULL },
	{ false, "tests scenarios defaultTest prompts providers", "[{}]",
	    NULL },
	{ true, "$ref type", "\"#/a\"", NULL },
	{ true, "criteria id input assertions", "\"x\"", NULL },
	{ true, "", NULL, NULL },
	{ false, "", NULL, NULL },
	{ false, NULL, NULL, NULL },
};

static const struct shape claude_settings[] = {
	{ false, "permissions", "{}", NULL },
	{ false, "", NULL, NULL },
	{ false, NULL, NULL, NULL },
};

static const struct shape waza[] = {
	{ false, "stimuli", "[]", NULL },
	{ false, "tasks", "[]", NULL },
	{ false, "scenarios", "[]", NULL },
	{ false, "graders", "[]", NULL },
	{ true, "", NULL, NULL },
	{ false, "", NULL, NULL },
	{ false, NULL, NULL, NULL },
};

static const struct shape github_models[] = {
	{ false, "", NULL, NULL },
	{ false, NULL, NULL, NULL },
};

static const struct shape openai_graders[] = {
	{ false, "testing_criteria", "[{}]", NULL },
	{ false, "grader", "{}", NULL },
	{ true, "", NULL, NULL },
	{ false, "", NULL, NULL },
	{ false, NULL, NULL, NULL },
};

static const struct shape triggers[] = {
	{ true, "", NULL, NULL },
	{ false, "", NULL, NULL },
	{ false, NULL, NULL, NULL },
};

static const struct shape agentevals[] = {
	{ false, "reference_outputs referenceOutputs reference_trajectory",
	    "[]", NULL },
	{ false, "examples cases tests evals dataset test_cases data", "[]",
	    NULL },
	{ true, "", NULL, NULL },
	{ false, "", NULL, NULL },
	{ false, NULL, NULL, NULL },
};

/* A list of the older form has invocations, by what else the first has. */
static const struct shape adk[] = {
	{ false, "eval_cases evalCases", "[]", NULL },
	{ true, "query", "\"x\", \"reference\": \"x\"", NULL },
	{ true, "", NULL, NULL },
	{ false, "", NULL, NULL },
	{ false, NULL, NULL, NULL },
};

static const struct {
	const struct dialect *dialect;
	const struct shape *shapes;
} dialects[] = {
	{ &dialect_mcp_eval, mcp_eval },
	{ &dialect_mcplab, mcplab },
	{ &dialect_evolve, evolve },
	{ &dialect_promptkit, promptkit },
	{ &dialect_promptkit_2, promptkit },
	{ &dialect_promptfoo, promptfoo },
	{ &dialect_claude_settings, claude_settings },
	{ &dialect_waza, waza },
	{ &dialect_github_models, github_models },
	{ &dialect_openai_graders, openai_graders },
	{ &dialect_triggers, triggers },
	{ &dialect_agentevals, agentevals },
	{ &dialect_adk, adk },
};

struct shape *
shapes_of(struct arena *a, const struct dialect *d)
{
	const struct shape *rows = NULL;
	struct shape *copy = NULL;
	size_t n = 0;

	for (size_t i = 0; i < sizeof dialects / sizeof dialects[0]; i++)
		if (dialects[i].dialect == d)
			rows = dialects[i].shapes;
	for (; rows != NULL && rows->keys != NULL; rows++)
		*arena_push(a, copy, n) = *rows;
	if (copy != NULL)
		arena_push(a, copy, n);
	return copy;
}
