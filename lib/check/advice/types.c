#include "check/advice/types.h"

static const unsigned families[ROLES] = {
	[ROLE_CALLED] = FAMILY_TOOLS,
	[ROLE_NOT_CALLED] = FAMILY_TOOLS | FAMILY_NEGATIVE,
	[ROLE_COUNT] = FAMILY_TOOLS | FAMILY_EFFICIENCY,
	[ROLE_ORDER] = FAMILY_TOOLS | FAMILY_ORDER,
	[ROLE_ARGUMENTS] = FAMILY_TOOLS | FAMILY_ARGUMENTS,
	[ROLE_NOT_ARGUMENTS] = FAMILY_ARGUMENTS | FAMILY_NEGATIVE,
	[ROLE_OUTPUT] = FAMILY_TOOLS | FAMILY_OUTPUT,
	[ROLE_HAS] = FAMILY_CONTENT,
	[ROLE_LACKS] = FAMILY_NEGATIVE,
	[ROLE_BOUND] = FAMILY_CONTENT,
	[ROLE_EQUALS] = FAMILY_CONTENT,
	[ROLE_REGEX] = FAMILY_CONTENT,
	[ROLE_NOT_REGEX] = FAMILY_NEGATIVE,
	[ROLE_STRUCTURE] = FAMILY_CONTENT,
	[ROLE_JUDGE] = FAMILY_QUALITY,
	[ROLE_ITERATIONS] = FAMILY_LIMITS,
	[ROLE_TIME] = FAMILY_TIME,
	[ROLE_AMOUNT] = FAMILY_LIMITS | FAMILY_EFFICIENCY,
	[ROLE_ERRORS] = FAMILY_ERRORS | FAMILY_NEGATIVE,
	[ROLE_FILE] = FAMILY_CONTENT | FAMILY_OUTPUT,
	[ROLE_NO_FILE] = FAMILY_NEGATIVE,
	[ROLE_COMMAND] = FAMILY_CONTENT | FAMILY_OUTPUT,
	[ROLE_STATE] = FAMILY_OUTPUT,
	[ROLE_GUARDRAIL] = FAMILY_NEGATIVE,
};

static const struct advice_type mcp_eval[] = {
	{ "tool_was_called", ROLE_CALLED, "tool_name" },
	{ "tool_called_with", ROLE_ARGUMENTS, "tool_name" },
	{ "response_contains", ROLE_HAS, "text" },
	{ "not_contains", ROLE_LACKS, "text" },
	{ "tool_output_matches", ROLE_OUTPUT, "expected_output" },
	{ "max_iterations", ROLE_ITERATIONS, "max_iterations" },
	{ "response_time_under", ROLE_TIME, "ms" },
	{ "llm_judge", ROLE_JUDGE, "rubric" },
	{ "tool_sequence", ROLE_ORDER, "sequence" },
	{ "ToolWasCalled", ROLE_CALLED, "tool_name" },
	{ "ToolCalledWith", ROLE_ARGUMENTS, "tool_name" },
	{ "ExactToolCount", ROLE_COUNT, "tool_name" },
	{ "ToolSuccessRate", ROLE_ERRORS, "tool_name" },
	{ "ToolFailed", ROLE_ERRORS, "tool_name" },
	{ "ToolOutputMatches", ROLE_OUTPUT, "expected_output" },
	{ "ToolSequence", ROLE_ORDER, "expected_sequence" },
	{ "PathEfficiency", ROLE_AMOUNT, "optimal_steps" },
	{ "ResponseContains", ROLE_HAS, "text" },
	{ "NotContains", ROLE_LACKS, "text" },
	{ "IsInstance", ROLE_STRUCTURE, "type_name" },
	{ "EqualsExpected", ROLE_EQUALS, "" },
	{ "MaxIterations", ROLE_ITERATIONS, "max_iterations" },
	{ "ResponseTimeCheck", ROLE_TIME, "max_ms" },
	{ "LLMJudge", ROLE_JUDGE, "rubric" },
	{ "MultiCriteriaJudge", ROLE_JUDGE, "criteria" },
	{ NULL, ROLE_OTHER, NULL },
};

static const struct advice_type mcplab[] = {
	{ "required_tool", ROLE_CALLED, "" },
	{ "forbidden_tool", ROLE_NOT_CALLED, "" },
	{ "tool_sequence", ROLE_ORDER, "" },
	{ "response_contains", ROLE_HAS, "value" },
	{ "response_not_contains", ROLE_LACKS, "value" },
	{ "response_starts_with", ROLE_BOUND, "value" },
	{ "response_ends_with", ROLE_BOUND, "value" },
	{ "response_equals", ROLE_EQUALS, "value" },
	{ "response_regex", ROLE_REGEX, "pattern" },
	{ "response_jsonpath", ROLE_STRUCTURE, "path" },
	{ "response_jsonpath_exists", ROLE_STRUCTURE, "path" },
	{ "response_jsonpath_not_exists", ROLE_STRUCTURE, "path" },
	{ "tool_input_contains", ROLE_ARGUMENTS, "tool" },
	{ "tool_input_regex", ROLE_ARGUMENTS, "tool" },
	{ "tool_input_jsonpath", ROLE_ARGUMENTS, "tool" },
	{ "agent_check", ROLE_JUDGE, "prompt" },
	{ NULL, ROLE_OTHER, NULL },
};

static const struct advice_type evolve[] = {
	{ "file_exists", ROLE_FILE, "path" },
	{ "file_absent", ROLE_NO_FILE, "path" },
	{ "regex", ROLE_REGEX, "pattern" },
	{ "not_regex", ROLE_NOT_REGEX, "pattern" },
	{ "command", ROLE_COMMAND, "run" },
	{ "tool_call", ROLE_CALLED, "tool" },
	{ "llm", ROLE_JUDGE, "text statement check description" },
	{ NULL, ROLE_OTHER, NULL },
};

static const struct advice_type promptkit[] = {
	{ "content_includes", ROLE_HAS, "patterns" },
	{ "content_includes_any", ROLE_HAS, "patterns" },
	{ "contains", ROLE_HAS, "patterns" },
	{ "contains_any", ROLE_HAS, "patterns" },
	{ "content_matches", ROLE_REGEX, "pattern" },
	{ "regex", ROLE_REGEX, "pattern" },
	{ "content_not_includes", ROLE_LACKS, "patterns" },
	{ "content_excludes", ROLE_LACKS, "patterns" },
	{ "banned_words", ROLE_LACKS, "words patterns" },
	{ "commit", ROLE_STRUCTURE, "" },
	{ "required_fields", ROLE_STRUCTURE, "fields" },
	{ "field_presence", ROLE_STRUCTURE, "fields" },
	{ "is_valid_json", ROLE_STRUCTURE, "" },
	{ "json_valid", ROLE_STRUCTURE, "" },
	{ "valid_json", ROLE_STRUCTURE, "" },
	{ "json_path", ROLE_STRUCTURE, "" },
	{ "json_schema", ROLE_STRUCTURE, "" },
	{ "length", ROLE_AMOUNT, "max_characters" },
	{ "max_length", ROLE_AMOUNT, "max_characters" },
	{ "min_length", ROLE_OTHER, "" },
	{ "max_sentences", ROLE_AMOUNT, "max_sentences" },
	{ "sentence_count", ROLE_AMOUNT, "max_sentences" },
	{ "audio_duration", ROLE_STRUCTURE, "" },
	{ "audio_format", ROLE_STRUCTURE, "" },
	{ "image_dimensions", ROLE_STRUCTURE, "" },
	{ "image_format", ROLE_STRUCTURE, "" },
	{ "video_duration", ROLE_STRUCTURE, "" },
	{ "video_resolution", ROLE_STRUCTURE, "" },
	{ "tools_called", ROLE_CALLED, "tools tool_names" },
	{ "tool_called", ROLE_CALLED, "tools tool_names" },
	{ "tools_called_session", ROLE_CALLED, "tools tool_names" },
	{ "tools_not_called", ROLE_NOT_CALLED, "tools tool_names" },
	{ "tools_not_called_session", ROLE_NOT_CALLED, "tools tool_names" },
	{ "tool_calls_with_args", ROLE_ARGUMENTS, "tool_name" },
	{ "tool_args", ROLE_ARGUMENTS, "tool_name" },
	{ "tool_args_session", ROLE_ARGUMENTS, "tool_name" },
	{ "tools_not_called_with_args", ROLE_NOT_ARGUMENTS, "tool_name" },
	{ "tool_args_excluded_session", ROLE_NOT_ARGUMENTS, "tool_name" },
	{ "agent_invoked", ROLE_CALLED, "agents agent_names" },
	{ "agent_not_invoked", ROLE_NOT_CALLED, "agents agent_names" },
	{ "agent_response_contains", ROLE_OUTPUT, "contains" },
	{ "tool_call_count", ROLE_AMOUNT, "max" },
	{ "tool_call_sequence", ROLE_ORDER, "sequence" },
	{ "tool_call_chain", ROLE_ORDER, "" },
	{ "skill_activation_order", ROLE_ORDER, "" },
	{ "workflow_transition_order", ROLE_STATE, "" },
	{ "skill_activated", ROLE_CALLED, "" },
	{ "skill_not_activated", ROLE_NOT_CALLED, "" },
	{ "no_tool_errors", ROLE_ERRORS, "" },
	{ "tool_no_repeat", ROLE_AMOUNT, "" },
	{ "tool_anti_pattern", ROLE_NOT_CALLED, "" },
	{ "tool_efficiency", ROLE_AMOUNT, "max_calls" },
	{ "workflow_tool_access", ROLE_NOT_CALLED, "" },
	{ "outcome_equivalent", ROLE_OTHER, "" },
	{ "directional", ROLE_OTHER, "" },
	{ "tool_result_includes", ROLE_OUTPUT, "patterns" },
	{ "tool_result_matches", ROLE_OUTPUT, "pattern" },
	{ "tool_result_has_media", ROLE_OUTPUT, "" },
	{ "tool_result_media_type", ROLE_OUTPUT, "" },
	{ "invariant_fields_preserved", ROLE_OUTPUT, "" },
	{ "llm_judge", ROLE_JUDGE, "criteria rubric" },
	{ "llm_judge_conversation", ROLE_JUDGE, "criteria rubric" },
	{ "llm_judge_session", ROLE_JUDGE, "criteria rubric" },
	{ "llm_judge_tool_calls", ROLE_JUDGE, "criteria rubric" },
	{ "faithfulness", ROLE_JUDGE, "" },
	{ "hallucination", ROLE_JUDGE, "" },
	{ "answer_relevancy", ROLE_JUDGE, "" },
	{ "contextual_precision", ROLE_JUDGE, "" },
	{ "contextual_relevancy", ROLE_JUDGE, "" },
	{ "contextual_recall", ROLE_JUDGE, "" },
	{ "bias", ROLE_JUDGE, "" },
	{ "toxicity", ROLE_JUDGE, "" },
	{ "role_violation", ROLE_JUDGE, "" },
	{ "pii_leakage", ROLE_JUDGE, "" },
	{ "cost_budget", ROLE_AMOUNT, "max_cost_usd" },
	{ "latency_budget", ROLE_TIME, "max_ms" },
	{ "tool_exec", ROLE_OTHER, "" },
	{ "rest_eval", ROLE_OTHER, "" },
	{ "rest_eval_session", ROLE_OTHER, "" },
	{ "a2a_eval", ROLE_OTHER, "" },
	{ "a2a_eval_session", ROLE_OTHER, "" },
	{ "cosine_similarity", ROLE_OTHER, "" },
	{ "text_toxicity", ROLE_OTHER, "" },
	{ "text_sentiment", ROLE_OTHER, "" },
	{ "audio_emotion", ROLE_OTHER, "" },
	{ "image_moderation", ROLE_OTHER, "" },
	{ "composition_step_output", ROLE_OUTPUT, "" },
	{ "composition_branch_taken", ROLE_STATE, "" },
	{ "composition_parallel_complete", ROLE_STATE, "" },
	{ "composition_output", ROLE_OUTPUT, "" },
	{ "guardrail_triggered", ROLE_GUARDRAIL, "" },
	{ "state_is", ROLE_STATE, "state" },
	{ "transitioned_to", ROLE_STATE, "state" },
	{ "workflow_complete", ROLE_STATE, "" },
	{ "spoke_in_state", ROLE_STATE, "state" },
	{ NULL, ROLE_OTHER, NULL },
};

enum {
	ANSWERS =
	    FAMILY_TOOLS | FAMILY_CONTENT | FAMILY_NEGATIVE | FAMILY_ORDER,
	CALLS = ANSWERS | FAMILY_ARGUMENTS | FAMILY_QUALITY,
	RUNS = CALLS | FAMILY_OUTPUT | FAMILY_LIMITS | FAMILY_ERRORS |
	    FAMILY_EFFICIENCY,
};

static const struct advice_dialect dialects[] = {
	{ .name = "mcp-eval",
	    .families = RUNS | FAMILY_TIME,
	    .types = mcp_eval },
	{ .name = "mcplab",
	    .families = CALLS,
	    .types = mcplab,
	    .caseless = true },
	{ .name = "evolve",
	    .families = FAMILY_TOOLS | FAMILY_CONTENT | FAMILY_NEGATIVE,
	    .types = evolve },
	{ .name = "promptkit",
	    .families = RUNS,
	    .types = promptkit,
	    .in = "params",
	    .messages = true },
	{ .name = "promptkit-2",
	    .families = RUNS | FAMILY_TIME,
	    .types = promptkit,
	    .in = "params",
	    .messages = true },
};

const struct advice_dialect *
advice_dialect_of(struct str name)
{
	for (size_t i = 0; i < sizeof dialects / sizeof dialects[0]; i++)
		if (str_is(name, dialects[i].name))
			return &dialects[i];
	return NULL;
}

const struct advice_type *
advice_type_of(const struct advice_dialect *d, struct str type)
{
	const struct advice_type *row = d->types;

	while (row->name != NULL && !str_is(type, row->name))
		row++;
	return row;
}

unsigned
advice_families_of(enum advice_role role)
{
	return families[role];
}
