/* The current PromptKit Arena's assertions about calls, skills and states in
 * their order, and about the results of calls. The version of the document has
 * none of them, so that they are judged alike in both dialects. */
#include "check/dialect/promptkit_assertion.h"

#include "check/kind/kind.h"

/* ---- calls, skills and states by name ---- */

/* Returns a check that fails: PromptKit's verdict on an empty list. */
static struct check
fails(struct arena *a)
{
	return names_check(a, &(struct names_want){ .how = NAMES_ANY });
}

/* Leaves the reason as it is. */
static void
explain_nothing(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	(void)c;
	(void)f;
	(void)v;
	(void)r;
}

/* form->how of `occur` */
#define OCCUR(of, how) (NAMES_##of << 8 | NAMES_##how)

/* Makes the check of names under the row's first key, which may have another name. */
static struct check
occur(struct fields *p)
{
	const struct form *form = scenarios_form(p);
	const int64_t *least = promptkit_int(p, "min_calls"),
		      *most = promptkit_int(p, "max_repeats");
	struct names_want want = { .of = (enum names_of)(form->how >> 8),
		.how = (enum names_how)(form->how & 255) };
	bool skills = want.of == NAMES_SKILLS;
	struct check c;

	want.succeeded = skills;
	if (want.how == NAMES_EACH || skills)
		want.least = least == NULL || (*least < 1 && !skills)
		    ? &promptkit_once
		    : least;
	if (want.how == NAMES_REPEATED)
		want.most = most == NULL || *most < 1 ? &promptkit_once : most;
	want.names = scenarios_param(p, "tool_names") != NULL
	    ? promptkit_names(p, form->params->key)
	    : promptkit_texts(p, form->params->key);
	c = names_check(p->arena, &want);
	c.negate = want.how != NAMES_EACH;
	return promptkit_about(c, str_list_text(p->arena, want.names));
}

/* ---- orders ---- */

static struct check
order(struct fields *p)
{
	const struct form *form = scenarios_form(p);
	const struct names_order_want want = { .of = (enum names_of)form->how,
		.names = promptkit_texts(p, form->params->key) };
	struct check c = names_order_check(p->arena, &want);

	if (want.names.n == 0 && want.of != NAMES_TOOLS) {
		c = fails(p->arena);
		c.explain = explain_nothing;
		c.reason = STR("an empty sequence");
	}
	return promptkit_about(c, str_list_text(p->arena, want.names));
}

/* ---- lists of lists ---- */

/* Returns the elements' lists of texts under a key, for each element of a list
 * that must be there. */
static const struct str_list *
texts_of_each(
    struct fields *p, const struct json *list, const char *key, size_t *n)
{
	struct str_list *all = NULL;

	for (json_each(v, list)) {
		const struct json *inner = json_get(v, key);

		fields_check_within(p, v, NULL);
		if (!json_is(inner, JSON_ARRAY))
			fields_spoil(p, v, "missing key '%s'", key);
		*arena_push(p->arena, all, *n) = fields_strs(
		    p, json_is(inner, JSON_ARRAY) ? inner : NULL, key);
	}
	return all;
}

static struct check
tool_anti_pattern(struct fields *p)
{
	struct names_order_want want = { .how = NAMES_ONE_OF };
	struct check c;

	want.lists = texts_of_each(
	    p, scenarios_list(p, "patterns"), "sequence", &want.n);
	c = names_order_check(p->arena, &want);
	c.negate = true;
	return c;
}

static struct check
workflow_tool_access(struct fields *p)
{
	struct names_order_want want = { .how = NAMES_ALLOWED };
	const struct json *rules = scenarios_list(p, "rules");
	struct str *states =
	    arena_new_n(p->arena, struct str, json_count(rules));

	want.lists = texts_of_each(p, rules, "allowed", &want.n);
	for (json_each(v, rules))
		states[want.names.n++] =
		    json_text(json_get(v, "state"), p->arena);
	want.names.list = states;
	return names_order_check(p->arena, &want);
}

/* ---- numbers ---- */

/* Returns the largest number that is permitted; NULL: any, also for one below 0. */
static const int64_t *
limit(const int64_t *most)
{
	return most == NULL || *most < 0 ? NULL : most;
}

static struct check
tool_call_count(struct fields *p)
{
	struct str tool = scenarios_text(p, "tool");
	const int64_t *least = promptkit_int(p, "min"),
		      *most = promptkit_int(p, "max");
	const struct call_limits_want want = { .how = LIMITS_COUNT,
		.names = check_one_tool(tool, p->arena),
		.least = least == NULL ? 0 : *least,
		.most = limit(most) };
	struct check c = call_limits_check(p->arena, &want);

	c.detail = most == NULL
	    ? str_printf(p->arena, "calls: expected at least %lld",
		  (long long)want.least)
	    : str_printf(p->arena, "calls: expected %lld to %lld",
		  (long long)want.least, (long long)*most);
	return promptkit_about(c, tool);
}

static struct check
no_tool_errors(struct fields *p)
{
	const struct call_limits_want want = { .how = LIMITS_CLEAN,
		.names = promptkit_texts(p, "tools") };

	return promptkit_about(call_limits_check(p->arena, &want),
	    str_list_text(p->arena, want.names));
}

static struct check
tool_efficiency(struct fields *p)
{
	const int64_t *most = promptkit_int(p, "max_calls");
	const struct call_limits_want want = { .how = LIMITS_EFFICIENT,
		.most = limit(most),
		.errors = fields_number_given(p, "max_errors"),
		.rate = fields_number_given(p, "max_error_rate") };
	struct check c = call_limits_check(p->arena, &want);

	if (most == NULL && want.errors == NULL && want.rate == NULL)
		(void)fields_need(p, "max_calls");
	if (most != NULL && promptkit_bounds(p) == NULL)
		fields_remark(promptkit_outer(p), NULL,
		    "with max_calls PromptKit fails every run that calls a "
		    "tool, unless there is a min_score");
	return c;
}

/* ---- sets ---- */

static struct check
same_tools(struct fields *p, const char *key)
{
	const struct names_want want = { .how = NAMES_SAME,
		.names = promptkit_texts(p, key) };
	struct check c = want.names.n == 0
	    ? called_all(p->arena, want.names, 1) /* always passes */
	    : names_check(p->arena, &want);

	c.reason = STR("other tools were called");
	return promptkit_about(c, str_list_text(p->arena, want.names));
}

static struct check
same_state(struct fields *p, const char *key)
{
	struct str state = scenarios_text(p, key);
	const struct str_list none = { 0 };
	struct check c = state.n == 0 ? called_all(p->arena, none, 1)
				      : state_check(p->arena, STATE_IS, state);

	if (state.n != 0)
		c.explain = promptkit_reason_state;
	return promptkit_about(c, state);
}

static struct check
same_content(struct fields *p, const char *key, bool exactly)
{
	struct str text = scenarios_text(p, key);
	const struct str_list none = { 0 };
	struct check c = exactly
	    ? text_check(p->arena, TEXT_EQUALS, VIEW_AS_WRITTEN, text)
	    : phrases_overlap(p->arena, text);

	if (text.n == 0)
		c = phrases_check(p->arena, PHRASES_ALL, VIEW_AS_WRITTEN, none);
	c.reason = STR("the response is not the expected one");
	return promptkit_about(c, text);
}

/* outcome_equivalent and directional, whose first key names one of three words, each
 * with a key of its own. */
static struct check
compared(struct fields *p)
{
	const struct form *form = scenarios_form(p);
	const struct param *key = form->params;
	struct str words = str_of(form->key), tools = str_cut(&words, ' '),
		   state = str_cut(&words, ' '),
		   what = scenarios_text(p, key->key);

	(void)scenarios_value(p, "threshold");
	if (str_eq(what, tools))
		return same_tools(p, key[1].key);
	if (str_eq(what, state))
		return same_state(p, key[2].key);
	if (what.s != NULL && !str_eq(what, words))
		fields_spoil(p, json_get(p->object, key->key),
		    "%s: expected %.*s, %.*s or %.*s, found '%.*s'", key->key,
		    STR_FMT(tools), STR_FMT(state), STR_FMT(words),
		    STR_FMT(what));
	return same_content(p, key[3].key, !form->how);
}

/* ---- results ---- */

/* Returns the patterns for arguments under args_match. */
static const struct argument *
patterns_of(struct fields *p, const struct json *object, size_t *n)
{
	struct argument *list = NULL;

	for (json_members(key, object)) {
		const struct json *v = json_value(key);
		struct argument *a = arena_push(p->arena, list, *n);

		a->name = json_text(key, p->arena);
		a->pattern = json_text(v, p->arena);
		if (a->pattern.s == NULL)
			fields_spoil(p, v, "args_match: expected text");
		a->regex = promptkit_compile(p, "args_match", v, a->pattern);
	}
	return list;
}

static struct check
tool_result(struct fields *p)
{
	struct call_match *rule = arena_new(p->arena, struct call_match);
	const int64_t *times = promptkit_int(p, "occurrence");
	const struct call_rules_want want = { .how = RULES_SOME,
		.rules = rule,
		.n = 1,
		.times = times == NULL ? 1 : *times };
	struct check c;

	rule->tool = scenarios_text(p, "tool");
	rule->pattern = scenarios_text(p, "pattern");
	rule->includes = promptkit_texts(p, "patterns");
	rule->matches = promptkit_compile(
	    p, "pattern", json_get(p->object, "pattern"), rule->pattern);
	c = rule->pattern.n == 0 && rule->includes.n == 0
	    ? fails(p->arena)
	    : call_rules_check(p->arena, &want);
	c.reason = str_printf(p->arena,
	    "results that match: expected at least %lld, found",
	    (long long)want.times);
	return promptkit_about(c,
	    rule->pattern.s != NULL ? rule->pattern
				    : str_list_text(p->arena, rule->includes));
}

static struct check
tool_call_chain(struct fields *p)
{
	struct call_match *rules = NULL;
	struct call_rules_want want = { .how = RULES_CHAIN };

	for (json_each(v, scenarios_list(p, "steps"))) {
		struct call_match *rule = arena_push(p->arena, rules, want.n);
		const struct json *list = json_get(v, "result_includes"),
				  *pattern = json_get(v, "result_matches");

		fields_check_within(p, v, NULL);
		rule->tool = json_text(json_get(v, "tool"), p->arena);
		if (rule->tool.s == NULL)
			fields_spoil(p, v, "steps: missing key 'tool'");
		if (json_is(list, JSON_ARRAY))
			rule->includes =
			    fields_strs(p, list, "result_includes");
		rule->pattern = json_text(pattern, p->arena);
		rule->matches = promptkit_compile(
		    p, "result_matches", pattern, rule->pattern);
		rule->list =
		    patterns_of(p, json_get(v, "args_match"), &rule->n);
		rule->succeeds = json_is(json_get(v, "no_error"), JSON_TRUE);
	}
	want.rules = rules;
	return call_rules_check(p->arena, &want);
}

/* ---- arguments ---- */

static struct check
tool_args(struct fields *p)
{
	bool lenient = scenarios_form(p)->how;
	struct call_match *rule = arena_new(p->arena, struct call_match);
	const struct json *object = lenient
	    ? scenarios_object(p, "expected_args")
	    : scenarios_value(p, "expected_args");
	const struct call_rules_want want = {
		.how = RULES_SOME, .rules = rule, .n = 1, .times = 1
	};
	struct argument *list = NULL;
	const struct str_list none = { 0 };
	struct check c;

	rule->tool = scenarios_text(p, "tool_name");
	rule->by = BY_GO_TEXT;
	rule->doc = p->doc;
	for (json_members(key, object)) {
		struct argument *a = arena_push(p->arena, list, rule->n);

		a->name = json_text(key, p->arena);
		a->value = json_value(key);
	}
	rule->list = list;
	c = call_rules_check(p->arena, &want);
	if (rule->n == 0)
		c = lenient ? called_all(p->arena, none, 1) : fails(p->arena);
	return promptkit_about(c, rule->tool);
}

static struct check
invariant_fields_preserved(struct fields *p)
{
	struct call_match *rule = arena_new(p->arena, struct call_match);
	const struct call_rules_want want = { .how = RULES_KEPT,
		.rules = rule,
		.n = 1,
		.fields = promptkit_texts(p, "fields") };
	struct check c;

	rule->tool = scenarios_text(p, "tool");
	c = want.fields.n == 0 ? fails(p->arena)
			       : call_rules_check(p->arena, &want);
	return promptkit_about(c, rule->tool);
}

const struct form promptkit_tools_forms[] = {
	FORM("tools_called_session", occur, .how = OCCUR(TOOLS, EACH),
	    FAILS(list, "tools were not called", "missing"),
	    ROLE(CALLED, "tools tool_names"),
	    PARAMS(NEED("tools", LIST), ALSO("tool_names", LIST),
		KEY("min_calls", INT))),
	FORM("tools_not_called_session", occur, .how = OCCUR(TOOLS, ANY),
	    FAILS(list, "forbidden tools were called", "found"),
	    ROLE(NOT_CALLED, "tools tool_names"),
	    PARAMS(NEED("tools", LIST), ALSO("tool_names", LIST))),
	FORM("tool_call_count", tool_call_count, .bare = true,
	    ROLE(AMOUNT, "max"),
	    PARAMS(KEY("tool", TEXT), KEY("min", INT), KEY("max", INT))),
	FORM("tool_call_sequence", order, .how = NAMES_TOOLS,
	    FAILS(list, "not in this order", "missing"),
	    ROLE(ORDER, "sequence"), PARAMS(NEED("sequence", LIST))),
	FORM("skill_activation_order", order, .how = NAMES_SKILLS,
	    FAILS(list, "not in this order", "missing"), .role = ROLE_ORDER,
	    PARAMS(NEED("sequence", LIST))),
	FORM("workflow_transition_order", order, .how = NAMES_STATES,
	    FAILS(list, "not in this order", "missing"), .role = ROLE_STATE,
	    PARAMS(NEED("sequence", LIST))),
	FORM("skill_activated", occur, .how = OCCUR(SKILLS, EACH),
	    FAILS(list, "skills were not activated", "missing"),
	    .role = ROLE_CALLED,
	    PARAMS(NEED("skill_names", LIST), KEY("min_calls", INT))),
	FORM("skill_not_activated", occur, .how = OCCUR(SKILLS, ANY),
	    FAILS(list, "forbidden skills were activated", "found"),
	    .role = ROLE_NOT_CALLED, PARAMS(NEED("skill_names", LIST))),
	FORM("no_tool_errors", no_tool_errors, .bare = true,
	    FAILS(list, "calls failed", "found"), .role = ROLE_ERRORS,
	    PARAMS(KEY("tools", LIST))),
	FORM("tool_no_repeat", occur, .how = OCCUR(TOOLS, REPEATED),
	    .bare = true, FAILS(list, "called again at once", "found"),
	    .role = ROLE_AMOUNT,
	    PARAMS(KEY("tools", LIST), KEY("max_repeats", INT))),
	FORM("tool_anti_pattern", tool_anti_pattern,
	    FAILS(list, "called in a forbidden order", "found"),
	    .role = ROLE_NOT_CALLED, PARAMS(NEED("patterns", LIST))),
	FORM("tool_efficiency", tool_efficiency,
	    FAILS(found, "not efficient", NULL), ROLE(AMOUNT, "max_calls"),
	    PARAMS(KEY("max_calls", INT), KEY("max_errors", NUMBER),
		KEY("max_error_rate", NUMBER))),
	FORM("workflow_tool_access", workflow_tool_access,
	    FAILS(list, "not allowed in this state", "found"),
	    .role = ROLE_NOT_CALLED, PARAMS(NEED("rules", LIST))),
	FORM("outcome_equivalent", compared,
	    .key = "tool_calls final_state content_hash",
	    PARAMS(NEED("metric", TEXT), KEY("expected_tools", LIST),
		KEY("expected_state", TEXT), KEY("expected_content", TEXT),
		ALSO("threshold", ANY))),
	FORM("directional", compared, .how = true,
	    .key = "same_tool_calls same_outcome similar_content",
	    PARAMS(NEED("check", TEXT), KEY("baseline_tools", LIST),
		KEY("baseline_state", TEXT), KEY("baseline_content", TEXT),
		KEY("threshold", ANY))),
	FORM("tool_result_includes", tool_result, FAILS(found, NULL, NULL),
	    ROLE(OUTPUT, "patterns"),
	    PARAMS(NEED("patterns", LIST), KEY("tool", TEXT),
		KEY("occurrence", INT))),
	FORM("tool_result_matches", tool_result, FAILS(found, NULL, NULL),
	    ROLE(OUTPUT, "pattern"),
	    PARAMS(NEED("pattern", TEXT), KEY("tool", TEXT),
		KEY("occurrence", INT))),
	FORM("tool_call_chain", tool_call_chain,
	    FAILS(found, "the chain ends before", NULL), .role = ROLE_ORDER,
	    PARAMS(NEED("steps", LIST))),
	FORM("tool_args", tool_args, .fails = "no call has these arguments",
	    ROLE(ARGUMENTS, "tool_name"),
	    PARAMS(NEED("tool_name", TEXT), NEED("expected_args", ANY))),
	FORM("tool_args_session", tool_args, .how = true,
	    .fails = "no call has these arguments",
	    ROLE(ARGUMENTS, "tool_name"),
	    PARAMS(NEED("tool_name", TEXT), KEY("expected_args", OBJECT))),
	FORM("invariant_fields_preserved", invariant_fields_preserved,
	    FAILS(found, "arguments are lost", NULL), .role = ROLE_OUTPUT,
	    PARAMS(NEED("tool", TEXT), NEED("fields", LIST))),
	FORM(NULL, NULL),
};
