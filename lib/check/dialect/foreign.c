#include "check/dialect/foreign.h"

const char *
foreign_text(const char *path, struct str text, size_t *line)
{
	static const char scripts[] = ".ts .tsx .mts .js .mjs .cjs";
	static const struct {
		const char *suffixes, *mark, *what;
	} rows[] = {
		{ scripts, "\"vitest-evals\"", "an eval of vitest-evals" },
		{ scripts, "'vitest-evals'", "an eval of vitest-evals" },
		{ scripts, "\"evalite", "an eval of evalite" },
		{ scripts, "'evalite", "an eval of evalite" },
		{ scripts, "\"braintrust\"", "an eval of Braintrust" },
		{ scripts, "'braintrust'", "an eval of Braintrust" },
		{ ".py", "from braintrust", "an eval of Braintrust" },
		{ ".py", "from deepeval", "a test of DeepEval" },
		{ ".py", "import deepeval", "a test of DeepEval" },
		{ ".py", "from ragas", "an evaluation of Ragas" },
		{ ".py", "import ragas", "an evaluation of Ragas" },
		{ ".py", "from inspect_ai", "a task of Inspect" },
		{ ".toml", "[verifier]", "a task of Harbor" },
		{ ".toml", "[environment]", "a task of Harbor" },
		{ ".toml", "[dataset]", "a data set of Harbor" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		size_t at = str_find(text, rows[i].mark);

		if (at == text.n ||
		    !str_ends_with_one_of(str_of(path), rows[i].suffixes))
			continue;
		*line = 1 + str_count_char(str_slice(text, 0, at), '\n');
		return rows[i].what;
	}
	return NULL;
}

/* Returns whether the object has all of the keys, which are separated by blanks. */
static bool
has_all(const struct json *object, const char *keys)
{
	struct str rest = str_of(keys);

	while (rest.s != NULL)
		if (json_get(object, str_cut(&rest, ' ')) == NULL)
			return false;
	return true;
}

#define AGENTV \
	"a log of AgentV (it has scores, and the eval file the assertions)"
#define INSPECT \
	"a log of Inspect (it has scores and targets, and the task what is " \
	"checked)"

const char *
foreign_value(const struct json *root, bool owned)
{
	static const struct {
		const char *keys, *what;
		bool sure; /* no dialect has these keys */
	} rows[] = {
		{ "input actual_output", "a list of test cases of DeepEval",
		    false },
		{ "input retrieval_context", "a list of test cases of DeepEval",
		    false },
		{ "input expected_output", "a list of goldens of DeepEval",
		    false },
		{ "testCases metricsScores", "a test run of DeepEval", false },
		{ "testCases testFile", "a test run of DeepEval", false },
		{ "user_input reference", "a data set of Ragas", false },
		{ "user_input response", "a data set of Ragas", false },
		{ "user_input retrieved_contexts", "a data set of Ragas",
		    false },
		{ "question contexts ground_truth", "a data set of Ragas",
		    false },
		{ "agents datasets", "a job of Harbor", true },
		{ "agents orchestrator", "a job of Harbor", true },
		{ "jobs_dir", "a job of Harbor", true },
		{ "instruction parser_name", "a task of Terminal-Bench",
		    false },
		{ "test_id score target output", AGENTV, true },
		{ "testId score target output", AGENTV, true },
		{ "schema_version test_id message_index role", AGENTV, true },
		{ "version eval plan", INSPECT, true },
		{ "id epoch input target messages", INSPECT, true },
	};
	const struct json *v =
	    json_is(root, JSON_ARRAY) ? json_first(root) : root;

	if (json_is(json_get(v, "goldens"), JSON_ARRAY))
		v = json_first(json_get(v, "goldens"));
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if ((rows[i].sure || !owned) && has_all(v, rows[i].keys))
			return rows[i].what;
	return NULL;
}
