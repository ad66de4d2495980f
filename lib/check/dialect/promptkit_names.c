/* All of PromptKit Arena's types of assertion. */
#include "check/dialect/promptkit_assertion.h"

static const struct promptkit_type *const lists[] = {
	promptkit_arguments,
	promptkit_calls,
	promptkit_content,
	promptkit_json,
	promptkit_judge,
	promptkit_media,
	promptkit_states,
	promptkit_validators,
};

enum { LISTS = sizeof lists / sizeof lists[0] };

bool
promptkit_has_type(struct str type)
{
	for (size_t i = 0; i < LISTS; i++)
		for (const struct promptkit_type *t = lists[i]; t->name != NULL;
		     t++)
			if (str_is(type, t->name))
				return true;
	return false;
}

/* Types that only later versions have, and what comes near them here. */
static const struct later {
	const char *name, *here;
} later[] = {
	{ "a2a_eval", NULL },
	{ "a2a_eval_session", NULL },
	{ "answer_relevancy", NULL },
	{ "assertion", NULL },
	{ "audio_emotion", NULL },
	{ "bias", NULL },
	{ "composition_branch_taken", NULL },
	{ "composition_output", NULL },
	{ "composition_parallel_complete", NULL },
	{ "composition_step_output", NULL },
	{ "contains", "content_includes" },
	{ "contains_any", "content_includes_any" },
	{ "content_excludes", "content_not_includes" },
	{ "contextual_precision", NULL },
	{ "contextual_recall", NULL },
	{ "contextual_relevancy", NULL },
	{ "cosine_similarity", NULL },
	{ "cost_budget", NULL },
	{ "directional", NULL },
	{ "faithfulness", NULL },
	{ "field_presence", "required_fields" },
	{ "guardrail", "guardrail_triggered" },
	{ "hallucination", NULL },
	{ "image_moderation", NULL },
	{ "invariant_fields_preserved", NULL },
	{ "json_valid", "is_valid_json" },
	{ "latency_budget", NULL },
	{ "llm_judge_session", "llm_judge_conversation" },
	{ "llm_judge_tool_calls", "llm_judge_conversation" },
	{ "min_length", NULL },
	{ "no_tool_errors", NULL },
	{ "outcome_equivalent", NULL },
	{ "pii_leakage", NULL },
	{ "regex", "content_matches" },
	{ "rest_eval", NULL },
	{ "rest_eval_session", NULL },
	{ "role_violation", NULL },
	{ "sentence_count", "max_sentences" },
	{ "skill_activated", NULL },
	{ "skill_activation_order", NULL },
	{ "skill_not_activated", NULL },
	{ "spoke_in_state", NULL },
	{ "text_sentiment", NULL },
	{ "text_toxicity", NULL },
	{ "tool_anti_pattern", NULL },
	{ "tool_args", "tool_calls_with_args" },
	{ "tool_args_excluded_session", "tools_not_called_with_args" },
	{ "tool_args_session", "tool_calls_with_args" },
	{ "tool_call_chain", NULL },
	{ "tool_call_count", NULL },
	{ "tool_call_sequence", NULL },
	{ "tool_called", "tools_called" },
	{ "tool_efficiency", NULL },
	{ "tool_exec", NULL },
	{ "tool_no_repeat", NULL },
	{ "tool_result_has_media", NULL },
	{ "tool_result_includes", NULL },
	{ "tool_result_matches", NULL },
	{ "tool_result_media_type", NULL },
	{ "tools_called_session", "tools_called" },
	{ "tools_not_called_session", "tools_not_called" },
	{ "tools_offered", NULL },
	{ "topic_policy", NULL },
	{ "toxicity", NULL },
	{ "valid_json", "is_valid_json" },
	{ "workflow_tool_access", NULL },
	{ "workflow_transition_order", NULL },
};

/* NULL if they have none of that name. */
static const struct later *
later_named(struct str type)
{
	for (size_t i = 0; i < sizeof later / sizeof later[0]; i++)
		if (str_is(type, later[i].name))
			return &later[i];
	return NULL;
}

static struct check
of_later(struct fields *e)
{
	const struct later *l = later_named(e->where);
	struct str hint = l->here == NULL
	    ? STR("")
	    : str_printf(e->arena, " (near it is '%s')", l->here);

	e->where = STR("assertion");
	fields_wrong(e, json_get(e->object, "type"),
	    "unknown type '%s': of a later version of PromptKit%.*s", l->name,
	    STR_FMT(hint));
	e->any_key = true;
	return (struct check){ .scope = promptkit_place_of(e)->scope,
		.despite_error = true };
}

/* A type that PromptKit knows, but not there. */
static struct check
misplaced(struct fields *e)
{
	fields_wrong(e, json_get(e->object, "type"),
	    promptkit_is_wide(e)
		? "an assertion of a turn, not of the conversation"
		: "an assertion of the conversation, not of a turn");
	e->any_key = true;
	return (struct check){ .scope = promptkit_place_of(e)->scope,
		.despite_error = true };
}

void
promptkit_assertion(struct scenarios *r, const struct json *v,
    const struct promptkit_place *place)
{
	struct form *list = NULL;
	struct forms forms = {
		.key = "type", .what = "assertion", .context = place
	};
	const struct later *younger =
	    later_named(json_text(json_get(v, "type"), r->arena));

	for (size_t i = 0; i < LISTS; i++)
		for (const struct promptkit_type *t = lists[i]; t->name != NULL;
		     t++)
			*arena_push(r->arena, list, forms.n) =
			    (struct form){ t->name,
				    t->levels & place->level ? t->make
							     : misplaced };
	if (younger != NULL)
		*arena_push(r->arena, list, forms.n) =
		    (struct form){ younger->name, of_later };
	forms.list = list;
	scenarios_read_entry(r, v, &forms);
}

void
promptkit_assertions(struct scenarios *r, const struct json *list,
    const struct promptkit_place *place)
{
	for (json_each(v, list))
		promptkit_assertion(r, v, place);
}
