#include "check/dialect/promptkit_assertion.h"

#include "json/decimal.h"

/* ---- parts of assertions ---- */

const struct promptkit_place *
promptkit_place_of(const struct fields *e)
{
	return scenarios_part_of(e);
}

bool
promptkit_is_wide(const struct fields *e)
{
	return !(promptkit_place_of(e)->level & PROMPTKIT_TURN);
}

struct fields
promptkit_params(struct fields *e, bool needed)
{
	const struct json *v =
	    needed ? fields_need(e, "params") : fields_get(e, "params");
	struct fields none = { .arena = e->arena,
		.doc = e->doc,
		.where = e->where,
		.context = e->context,
		.wrong = STR("no params") },
		      p;

	if (v == NULL)
		return none;
	p = fields_open(e->arena, e->doc, v, e->where);
	p.context = e->context;
	p.times = true;
	p.is_assertion = true;
	return p;
}

/* Returns the author's message, or the type and `about`. */
static struct str
label_of(struct fields *e, struct fields *p, struct str about)
{
	struct str message = fields_str_if(e, "message"),
		   inner = fields_str_if(p, "message");

	if (message.s == NULL)
		message = inner;
	if (message.s != NULL)
		return message;
	return about.n == 0 ? e->where
			    : str_printf(e->arena, "%.*s %.*s",
				  STR_FMT(e->where), STR_FMT(about));
}

struct check
promptkit_finish(
    struct fields *e, struct fields *p, struct check c, struct str about)
{
	struct str label = label_of(e, p, about), why;

	if (p->object != NULL && !fields_close(p, &why)) {
		check_close(&c);
		c = check_broken(e->arena, e->where, why);
	}
	c.label = label;
	c.scope = promptkit_place_of(e)->scope;
	c.despite_error = true;
	return c;
}

struct str_list
promptkit_texts(struct fields *p, const char *key)
{
	if (json_is(fields_need(p, key), JSON_NULL))
		fields_mistake(p, json_get(p->object, str_of(key)),
		    "%s: expected a list, found null", key);
	return fields_strs(p, fields_list_if(p, key), key);
}

struct str_list
promptkit_names(struct fields *p, const char *of_turn, const char *of_run)
{
	const char *mine = promptkit_is_wide(p) ? of_run : of_turn;
	bool turn = fields_get(p, of_turn) != NULL,
	     run = fields_get(p, of_run) != NULL;

	if (turn && run)
		fields_mistake(p, NULL,
		    "%s and %s are two names of one key: give one", of_turn,
		    of_run);
	return promptkit_texts(p, turn ? of_turn : run ? of_run : mine);
}

struct regex *
promptkit_compile(
    struct fields *p, const char *key, const struct json *at, struct str text)
{
	struct regex_error error;
	struct regex *re;

	if (text.s == NULL)
		return NULL;
	re = regex_compile(p->arena, REGEX_RE2, text, 0, &error);
	if (re == NULL)
		fields_mistake(p, at, "%s: %.*s", key,
		    STR_FMT(regex_error_text(p->arena, &error)));
	return re;
}

const struct json *
promptkit_fraction(struct fields *p, const char *key)
{
	const struct json *v = fields_get(p, key);

	if (v == NULL)
		return NULL;
	(void)fields_number_if(p, key);
	if (json_is(v, JSON_NUMBER) && decimal_is_plain(v->text))
		fields_mistake(p, v,
		    "%s: expected a fraction, found a whole number, which "
		    "PromptKit ignores (write %.*s.0)",
		    key, STR_FMT(v->text));
	return v;
}

struct str
promptkit_joined(struct arena *a, struct str_list list)
{
	return str_join(a, list.list, list.n, STR(", "));
}

/* ---- types ---- */

static const struct form *const lists[] = {
	promptkit_calls_forms,
	promptkit_answer_forms,
	promptkit_json_forms,
	promptkit_workflow_forms,
};

enum { LISTS = sizeof lists / sizeof lists[0] };

/* Returns NULL if PromptKit has no type of that name. */
static const struct form *
form_named(struct str type)
{
	for (size_t i = 0; i < LISTS; i++)
		for (const struct form *f = lists[i]; f->name != NULL; f++)
			if (str_is(type, f->name))
				return f;
	return NULL;
}

bool
promptkit_has_type(struct str type)
{
	return form_named(type) != NULL;
}

/* Types that only later versions have, and similar types of this version. */
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

/* Returns NULL if later versions have no type of that name. */
static const struct later *
later_named(struct str type)
{
	for (size_t i = 0; i < sizeof later / sizeof later[0]; i++)
		if (str_is(type, later[i].name))
			return &later[i];
	return NULL;
}

/* Reports a type of a later version. */
static struct check
of_later(struct fields *e)
{
	const struct later *l = later_named(e->where);
	struct str hint = l->here == NULL
	    ? STR("")
	    : str_printf(e->arena, " (similar to '%s')", l->here);

	e->where = STR("assertion");
	fields_mistake(e, json_get(e->object, "type"),
	    "unknown type '%s': only in later versions of PromptKit%.*s",
	    l->name, STR_FMT(hint));
	e->any_key = true;
	return (struct check){ .scope = promptkit_place_of(e)->scope,
		.despite_error = true };
}

/* Reports a type that PromptKit does not know at this level. */
static struct check
misplaced(struct fields *e)
{
	fields_mistake(e, json_get(e->object, "type"),
	    promptkit_is_wide(e) ? "expected an assertion about the "
				   "conversation, found one about a turn"
				 : "expected an assertion about a turn, found "
				   "one about the conversation");
	e->any_key = true;
	return (struct check){ .scope = promptkit_place_of(e)->scope,
		.despite_error = true };
}

/* Returns the form of a type; of an unknown type a form that reports it. */
static struct form
form_of(struct str type, const struct promptkit_place *place)
{
	const struct later *later_type = later_named(type);
	const struct form *known = form_named(type);
	struct form form = { 0 };

	if (known != NULL) {
		form = *known;
		if (!(known->levels & place->level))
			form.make = misplaced;
	} else if (later_type != NULL) {
		form.name = later_type->name;
		form.make = of_later;
	}
	return form;
}

/* Returns all types, for a message that suggests one of them. */
static struct forms
all_forms(struct arena *a)
{
	struct forms all = { 0 };
	struct form *list = NULL;

	for (size_t i = 0; i < LISTS; i++)
		for (const struct form *f = lists[i]; f->name != NULL; f++)
			*arena_push(a, list, all.n) = *f;
	all.list = list;
	return all;
}

void
promptkit_assertion(struct scenarios *r, const struct json *v,
    const struct promptkit_place *place)
{
	const struct form form =
	    form_of(json_text(json_get(v, "type"), r->arena), place);
	struct forms forms = { .list = &form, .n = 1 };

	if (form.name == NULL)
		forms = all_forms(r->arena);
	forms.key = "type";
	forms.what = "assertion";
	forms.part_of = place;
	scenarios_read_assertion(r, v, &forms);
}

void
promptkit_assertions(struct scenarios *r, const struct json *list,
    const struct promptkit_place *place)
{
	for (json_each(v, list))
		promptkit_assertion(r, v, place);
}
