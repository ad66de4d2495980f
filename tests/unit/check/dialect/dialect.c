/* The detection of dialects: for the assertion files of testdata/specs/DIALECT, and for
 * files and parts of files of every form. */
#include "check/dialect/dialect.h"

#include <glob.h>

#include "tests/unit/unit.h"

/* Returns the name of the dialect in testdata/specs/DIALECT/... */
static struct str
dialect_in(const char *path)
{
	struct str rest = str_of(path);

	(void)str_cut(&rest, '/');
	(void)str_cut(&rest, '/');
	return str_cut(&rest, '/');
}

static void
offer(const char *path)
{
	struct arena arena = { 0 };
	const struct document *doc = document_read(&arena, path, NULL);
	const struct dialect *d = doc == NULL ? NULL : dialect_of(doc);

	if (d == NULL || !str_is(dialect_in(path), d->name)) {
		unit_failures++;
		fprintf(stderr, "%s is taken for %s\n", path,
		    d == NULL ? "nothing" : d->name);
	}
	arena_free(&arena);
}

static const struct {
	const char *dialect, *text;
} shapes[] = {
	{ "mcplab", "scenarios: [{id: a, eval: {tool_sequence: [x]}}]" },
	{ "mcplab", "id: a\nprompt: p\neval: {tool_sequence: [x]}" },
	{ "mcplab", "eval: {tool_sequence: {allow: [[x]]}}" },
	{ "mcplab", "extract: [{name: a, from: final_text, regex: x}]" },
	{ "mcplab", "tool_constraints: {required_tools: [x]}" },
	{ "mcplab", "agent_assertions: [{label: a, prompt: b}]" },
	{ "mcp-eval",
	    "{\"scenarios\":[{\"assertions\":[{\"kind\":\"llm_judge\"}]}]}" },
	{ "mcp-eval", "{\"tests\":[{\"test_name\":\"a\",\"assertions\":[]}]}" },
	{ "mcp-eval", "{\"assertions\":[{\"rubric\":\"x\"}]}" },
	{ "mcp-eval", "[{\"kind\":\"max_iterations\",\"max_iterations\":3}]" },
	{ "mcp-eval", "// Before\n{\"kind\":\"not_contains\"}\n{}" },
	{ "mcp-eval", "{\"rubric\":\"x\",\"min_score\":0.8}" },
	{ "promptkit", "kind: Scenario\nspec: {turns: []}" },
	{ "promptkit", "assertions: [{type: content_includes, params: {}}]" },
	{ "promptkit", "conversation_assertions: [{type: tools_called}]" },
	{ "promptkit", "turns: [{role: user, content: x}]" },
	{ "promptkit", "steps: [{assertions: [{type: state_is}]}]" },
	{ "promptkit", "- role: user\n  content: x" },
	{ "promptkit", "- type: content_matches\n  params: {pattern: x}" },
	{ "promptkit", "pattern: a\npattern: b" },
	{ "promptkit", "type: tools_called\nparams: {tools: [x]}" },
	{ "promptfoo", "prompts: [a]\nproviders: [b]" },
	{ "promptfoo", "defaultTest: {assert: []}" },
	{ "promptfoo", "- vars: {x: y}\n  assert: [{type: equals}]" },
	{ "promptfoo", "tests: [{assert: [{$ref: '#/a'}]}]" },
	{ "promptfoo", "tests: [{id: a, input: b, assert: [c]}]" },
	{ "promptfoo", "{\"assert\":[{\"type\":\"is-json\"}]}\n{}" },
	{ "evolve", "{\"evals\":[]}" },
	{ "evolve", "skill_name: x" },
	{ "evolve", "id: a\nprompt: p\nexpectations: [x]" },
	{ "evolve", "id: a\nprompt: p\nassertions: [x]" },
	{ "evolve", "\"assertions\": [\"x\", {\"type\": \"file_exists\"}]" },
	{ "evolve",
	    "{\"assertions\":[{\"type\":\"regex\",\"pattern\":\"x\"}]}" },
	{ "evolve",
	    "{\"type\":\"command\",\"run\":\"x\"}\n{\"type\":\"llm\"}" },
	{ "evolve", "- The answer is polite." },
	{ "waza", "stimuli: [{name: a, prompt: b}]" },
	{ "waza", "skill: a\ntasks: ['tasks/*.yaml']" },
	{ "waza", "id: a\nname: b\ninputs: {prompt: c}" },
	{ "waza",
	    "scenarios: [{name: a, prompt: b, assertions: [{type: x}]}]" },
	{ "waza", "graders: [{type: text, name: a}]" },
	{ "waza", "- {type: text, name: a, config: {contains: [x]}}" },
	{ "waza", "paths: {evals: [evals]}\nsuites: {}" },
	{ "triggers",
	    "skill: a\nshould_trigger_prompts: [{prompt: b}]\n"
	    "should_not_trigger_prompts: []" },
	{ "adk", "{\"eval_set_id\":\"a\",\"eval_cases\":[]}" },
	{ "adk", "{\"evalSetId\":\"a\",\"evalCases\":[]}" },
	{ "adk", "[{\"query\":\"a\",\"reference\":\"b\"}]" },
	{ "adk",
	    "[{\"name\":\"a\",\"data\":[{\"query\":\"b\","
	    "\"expected_tool_use\":[]}]}]" },
	{ "adk", "{\"criteria\":{\"response_match_score\":0.5}}" },
	{ NULL, "{\"criteria\":{\"quality\":0.5}}" },
	{ "triggers", "[{\"query\":\"x\",\"should_trigger\":true}]" },
	{ "triggers", "{\"cases\":[{\"q\":\"x\",\"expected\":\"not\"}]}" },
	{ "triggers", "[{\"prompt\":\"x\",\"expect\":null}]" },
	{ NULL, "{\"cases\":[{\"query\":\"x\",\"expected\":\"b\"}]}" },
	{ NULL, "[{\"prompt\":\"x\",\"expect\":[\"b\"]}]" },
	{ "triggers", "skills: {a: {should: [x], should_not: [y]}}" },
	{ "triggers", "skills: [{name: a, positive: [x], negative: [y]}]" },
	{ "triggers", "should_trigger: [x]\nshould_not_trigger: [y]" },
	{ "github-models", "messages: []\ntestData: []" },
	{ "github-models", "evaluators: [{name: a, string: {contains: b}}]" },
	{ "agentevals",
	    "[{\"reference_outputs\":[{\"role\":\"user\",\"content\":\"x\"}]}"
	    "]" },
	{ "agentevals", "{\"trajectory_match_mode\":\"strict\",\"cases\":[]}" },
	{ "openai-graders", "{\"testing_criteria\":[]}" },
	{ "openai-graders",
	    "{\"grader\":{\"type\":\"python\",\"source\":\"x\"}}" },
	{ "openai-graders",
	    "{\"method\":{\"reinforcement\":{\"grader\":{\"type\":\"multi\","
	    "\"graders\":{}}}}}" },
	{ NULL, "{\"inputs\":{},\"outputs\":{\"a\":1}}" },
	{ "cursor-permissions", "{\"mcpAllowlist\":[]}" },
	{ "cursor-permissions", "permissions: {allow: [Shell(ls)]}" },
	{ "claude-settings", "permissions: {allow: [Bash(ls)]}" },
	{ "gemini-settings", "tools: {exclude: [web_fetch]}" },
	{ "gemini-settings", "coreTools: [ShellTool(ls)]" },
	{ "claude-settings", "{\"permissions\":{\"allow\":[]}}" },
	{ "claude-settings", "{\"permissions\":{\"defaultMode\":\"plan\"}}" },
	{ NULL, "{\"permissions\":{\"read\":true}}" },
	{ NULL, "{\"env\":{}}" },
	{ NULL, "{}" },
	{ NULL, "a text" },
	{ NULL, "[]" },
	{ NULL, "type: unheard_of" },
};

static void
offer_shapes(void)
{
	for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
		struct arena arena = { 0 };
		struct str text = str_of(shapes[i].text);
		const struct document *doc =
		    document_read_text(&arena, "shape", text, NULL);
		const struct dialect *d = doc == NULL ? NULL : dialect_of(doc);
		const char *want = shapes[i].dialect;

		if (d != (want == NULL ? NULL : dialect_named(want))) {
			unit_failures++;
			fprintf(stderr, "%s is taken for %s\n", text.s,
			    d == NULL ? "nothing" : d->name);
		}
		arena_free(&arena);
	}
}

int
main(void)
{
	glob_t found;

	CHECK(glob("testdata/specs/*/*.yaml", 0, NULL, &found) == 0);
	CHECK(glob("testdata/specs/*/*.json", GLOB_APPEND, NULL, &found) == 0);
	CHECK(glob("testdata/specs/*/*.yml", GLOB_APPEND, NULL, &found) == 0);
	CHECK(
	    glob("testdata/specs/*/*/*.yaml", GLOB_APPEND, NULL, &found) == 0);
	for (size_t i = 0; i < found.gl_pathc; i++)
		offer(found.gl_pathv[i]);
	globfree(&found);
	offer_shapes();
	CHECK(dialect_named("mcplab") == &dialect_mcplab);
	CHECK(dialect_named("MCPLab") == NULL);
	return unit_status();
}
