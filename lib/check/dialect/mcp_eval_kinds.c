/* mcp-eval's assertions by kind, as its scenarios have them. */
#include "check/dialect/mcp_eval_checks.h"

static struct check
called_with(struct fields *e)
{
	return mcp_eval_called_with(e, "arguments");
}

static struct check
sequence(struct fields *e)
{
	return mcp_eval_sequence(e, "sequence", false);
}

static struct check
response_contains(struct fields *e)
{
	return mcp_eval_contains(e, false);
}

static struct check
not_contains(struct fields *e)
{
	return mcp_eval_contains(e, true);
}

static struct check
response_time_under(struct fields *e)
{
	return mcp_eval_call_time(e, "ms");
}

enum { KEYS_MAX = 7 };

static const struct form kinds[] = {
	{ "tool_was_called", mcp_eval_was_called },
	{ "tool_called_with", called_with },
	{ "response_contains", response_contains },
	{ "not_contains", not_contains },
	{ "tool_output_matches", mcp_eval_output },
	{ "max_iterations", mcp_eval_iterations },
	{ "response_time_under", response_time_under },
	{ "llm_judge", mcp_eval_llm_judge },
	{ "tool_sequence", sequence },
};

/* The keys of each kind, in the order above. */
static const char *const keys[][KEYS_MAX] = {
	{ "tool_name", "min_times" },
	{ "tool_name", "arguments" },
	{ "text", "case_sensitive" },
	{ "text", "case_sensitive" },
	{ "tool_name", "expected_output", "field_path", "match_type",
	    "case_sensitive", "call_index" },
	{ "max_iterations" },
	{ "ms" },
	{ "rubric", "min_score", "include_input", "model",
	    "require_reasoning" },
	{ "sequence", "allow_other_calls" },
};

static bool
has_key(size_t kind, const struct json *key)
{
	for (size_t i = 0; i < KEYS_MAX && keys[kind][i] != NULL; i++)
		if (json_str_is(key, str_of(keys[kind][i])))
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

/* The one kind that has all of the object's keys. */
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

static struct forms
forms_of(const struct mcp_eval_scenario *s)
{
	return (struct forms){
		.key = "kind",
		.what = "assertions",
		.list = kinds,
		.n = sizeof kinds / sizeof kinds[0],
		.context = s,
		.guess = guess,
	};
}

/* A kind that a manifest has (PromptKit's) is another thing. */
bool
mcp_eval_is_assertion(const struct json *v)
{
	if (json_get(v, "apiVersion") != NULL || json_get(v, "spec") != NULL)
		return false;
	return json_is(json_get(v, "kind"), JSON_STRING) || guess(v).s != NULL;
}

void
mcp_eval_assertion(struct scenarios *r, const struct json *v,
    const struct mcp_eval_scenario *s)
{
	struct forms forms = forms_of(s);
	struct mcp_eval_scenario *strict;

	if (!mcp_eval_is_evaluator(v)) {
		scenarios_read_entry(r, v, &forms);
		return;
	}
	strict = arena_new(r->arena, struct mcp_eval_scenario);
	*strict = *s;
	strict->strict = true;
	mcp_eval_evaluators(r, v, strict);
}
