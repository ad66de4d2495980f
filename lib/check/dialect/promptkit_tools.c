/* The current PromptKit Arena's assertions about calls, skills and states in
 * their order, and about the results of calls. The version of the document has
 * none of them, so that they are judged alike in both dialects. */
#include "check/dialect/promptkit_assertion.h"

#include "check/kind/kind.h"

/* ---- reading ---- */

/* Returns a list of texts; empty if it is missing. */
static struct str_list
texts(struct fields *p, const char *key)
{
	return fields_strs(p, fields_list_if(p, key), key);
}

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

/* Ends an assertion whose failure names what decided. */
static struct check
finish(struct fields *e, struct fields *p, const struct occurrences_want *want,
    const char *reason, struct str about)
{
	struct check c = occurrences_check(e->arena, want);

	c.negate = want->how == OCCUR_ANY || want->how == OCCUR_ORDERS ||
	    want->how == OCCUR_REPEATED;
	c.explain = promptkit_reason_list;
	c.detail =
	    c.negate || want->how == OCCUR_CLEAN || want->how == OCCUR_ALLOWED
	    ? STR("found")
	    : STR("missing");
	c.reason = str_of(reason);
	return promptkit_finish(e, p, c, about);
}

/* Returns a check that fails: PromptKit's verdict on an empty list. */
static struct check
fails(struct arena *a)
{
	return occurrences_check(
	    a, &(struct occurrences_want){ .most = -1, .how = OCCUR_ANY });
}

/* ---- orders ---- */

static struct check
order(struct fields *e)
{
	enum occurrences_of of = (enum occurrences_of)scenarios_form(e)->how;
	struct fields p = promptkit_params(e, true);
	const struct occurrences_want want = { .of = of,
		.how = OCCUR_ORDER,
		.names = promptkit_texts(&p, "sequence"),
		.most = -1 };
	struct str about = promptkit_joined(e->arena, want.names);
	struct check c;

	if (want.names.n != 0 || of == OCCUR_TOOLS)
		return finish(e, &p, &want, "not in this order", about);
	c = fails(e->arena);
	c.reason = STR("an empty sequence");
	return promptkit_finish(e, &p, c, about);
}

static struct check
tool_anti_pattern(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct occurrences_want want = { .how = OCCUR_ORDERS, .most = -1 };

	want.lists =
	    texts_of_each(&p, fields_list(&p, "patterns"), "sequence", &want.n);
	return finish(e, &p, &want, "called in a forbidden order", STR(""));
}

static struct check
tool_no_repeat(struct fields *e)
{
	struct fields p = promptkit_params(e, false);
	const int64_t *most = promptkit_int(&p, "max_repeats");
	const struct occurrences_want want = { .how = OCCUR_REPEATED,
		.names = texts(&p, "tools"),
		.most = most == NULL || *most < 1 ? 1 : *most };

	return finish(e, &p, &want, "called again at once",
	    promptkit_joined(e->arena, want.names));
}

/* ---- numbers ---- */

static struct check
tools_called_session(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	const int64_t *least = promptkit_int(&p, "min_calls");
	const struct occurrences_want want = { .how = OCCUR_EACH,
		.names = promptkit_names(&p, "tools", "tool_names"),
		.least = least == NULL || *least < 1 ? 1 : *least,
		.most = -1 };

	return finish(e, &p, &want, "tools were not called",
	    promptkit_joined(e->arena, want.names));
}

static struct check
tools_not_called_session(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	const struct occurrences_want want = { .how = OCCUR_ANY,
		.names = promptkit_names(&p, "tools", "tool_names"),
		.most = -1 };

	return finish(e, &p, &want, "forbidden tools were called",
	    promptkit_joined(e->arena, want.names));
}

static struct check
skill_activated(struct fields *e)
{
	bool negated = scenarios_form(e)->how;
	struct fields p = promptkit_params(e, true);
	const int64_t *least = negated ? NULL : promptkit_int(&p, "min_calls");
	const struct occurrences_want want = { .of = OCCUR_SKILLS,
		.how = negated ? OCCUR_ANY : OCCUR_EACH,
		.names = promptkit_texts(&p, "skill_names"),
		.least = least == NULL ? 1 : *least,
		.most = -1,
		.succeeded = true };

	return finish(e, &p, &want,
	    negated ? "forbidden skills were activated"
		    : "skills were not activated",
	    promptkit_joined(e->arena, want.names));
}

static struct check
tool_call_count(struct fields *e)
{
	struct fields p = promptkit_params(e, false);
	struct str tool = fields_str_if(&p, "tool");
	const int64_t *least = promptkit_int(&p, "min"),
		      *most = promptkit_int(&p, "max");
	struct str *name = arena_new(e->arena, struct str);
	const struct occurrences_want want = { .how = OCCUR_COUNT,
		.names = { name, tool.n != 0 },
		.least = least == NULL ? 0 : *least,
		.most = most == NULL ? -1 : *most };
	struct check c;

	*name = tool;
	c = occurrences_check(e->arena, &want);
	c.explain = check_explain_found;
	c.detail = most == NULL
	    ? str_printf(e->arena, "calls: expected at least %lld",
		  (long long)want.least)
	    : str_printf(e->arena, "calls: expected %lld to %lld",
		  (long long)want.least, (long long)want.most);
	return promptkit_finish(e, &p, c, tool);
}

static struct check
no_tool_errors(struct fields *e)
{
	struct fields p = promptkit_params(e, false);
	const struct occurrences_want want = {
		.how = OCCUR_CLEAN, .names = texts(&p, "tools"), .most = -1
	};

	return finish(e, &p, &want, "calls failed",
	    promptkit_joined(e->arena, want.names));
}

static struct check
tool_efficiency(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	const int64_t *most = promptkit_int(&p, "max_calls");
	const struct occurrences_want want = { .how = OCCUR_EFFICIENT,
		.most = most == NULL ? -1 : *most,
		.errors = promptkit_number(&p, "max_errors"),
		.rate = promptkit_number(&p, "max_error_rate") };
	struct check c = occurrences_check(e->arena, &want);

	if (most == NULL && want.errors == NULL && want.rate == NULL)
		(void)fields_need(&p, "max_calls");
	if (most != NULL && promptkit_bounds(&p) == NULL)
		fields_remark(e, NULL,
		    "with max_calls PromptKit fails every run that calls a "
		    "tool, unless there is a min_score");
	c.explain = promptkit_reason_found;
	c.reason = STR("not efficient");
	return promptkit_finish(e, &p, c, STR(""));
}

/* ---- sets ---- */

static struct check
same_tools(struct fields *e, struct fields *p, const char *key)
{
	const struct occurrences_want want = {
		.how = OCCUR_SAME, .names = texts(p, key), .most = -1
	};
	struct check c = want.names.n == 0
	    ? called_all(e->arena, want.names, 1) /* always passes */
	    : occurrences_check(e->arena, &want);

	c.reason = STR("other tools were called");
	return promptkit_finish(
	    e, p, c, promptkit_joined(e->arena, want.names));
}

static struct check
same_state(struct fields *e, struct fields *p, const char *key)
{
	struct str state = fields_str_if(p, key);
	const struct str_list none = { 0 };
	struct check c = state.n == 0 ? called_all(e->arena, none, 1)
				      : state_check(e->arena, STATE_IS, state);

	if (state.n != 0)
		c.explain = promptkit_reason_state;
	return promptkit_finish(e, p, c, state);
}

static struct check
same_content(struct fields *e, struct fields *p, const char *key, bool exactly)
{
	struct str text = fields_str_if(p, key);
	const struct str_list none = { 0 };
	struct check c = exactly
	    ? text_check(e->arena, TEXT_EQUALS, VIEW_AS_WRITTEN, text)
	    : phrases_overlap(e->arena, text);

	if (text.n == 0)
		c = phrases_check(e->arena, PHRASES_ALL, VIEW_AS_WRITTEN, none);
	c.reason = STR("the response is not the expected one");
	return promptkit_finish(e, p, c, text);
}

/* outcome_equivalent and directional, which differ in the names of their
 * parameters. */
static struct check
compared(struct fields *e)
{
	static const char *const names[2][7] = {
		{ "metric", "tool_calls", "expected_tools", "final_state",
		    "expected_state", "content_hash", "expected_content" },
		{ "check", "same_tool_calls", "baseline_tools", "same_outcome",
		    "baseline_state", "similar_content", "baseline_content" },
	};
	bool directional = scenarios_form(e)->how;
	const char *const *n = names[directional];
	struct fields p = promptkit_params(e, true);
	struct str what = fields_str(&p, n[0]);

	(void)fields_get(&p, "threshold");
	if (str_is(what, n[1]))
		return same_tools(e, &p, n[2]);
	if (str_is(what, n[3]))
		return same_state(e, &p, n[4]);
	if (what.s != NULL && !str_is(what, n[5]))
		fields_spoil(&p, json_get(p.object, str_of(n[0])),
		    "%s: expected %s, %s or %s, found '%.*s'", n[0], n[1], n[3],
		    n[5], STR_FMT(what));
	return same_content(e, &p, n[6], !directional);
}

static struct check
workflow_tool_access(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct occurrences_want want = { .how = OCCUR_ALLOWED, .most = -1 };
	const struct json *rules = fields_list(&p, "rules");
	struct str *states =
	    arena_new_n(e->arena, struct str, json_count(rules));

	want.lists = texts_of_each(&p, rules, "allowed", &want.n);
	for (json_each(v, rules))
		states[want.names.n++] =
		    json_text(json_get(v, "state"), e->arena);
	want.names.list = states;
	return finish(e, &p, &want, "not allowed in this state", STR(""));
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
tool_result(struct fields *e)
{
	bool matches = scenarios_form(e)->how;
	struct fields p = promptkit_params(e, true);
	struct call_rule *rule = arena_new(e->arena, struct call_rule);
	const int64_t *times = promptkit_int(&p, "occurrence");
	const struct call_rules_want want = { .how = RULES_SOME,
		.rules = rule,
		.n = 1,
		.times = times == NULL ? 1 : *times };
	struct check c;

	rule->tool = fields_str_if(&p, "tool");
	if (matches)
		rule->pattern = fields_str(&p, "pattern");
	else
		rule->includes = promptkit_texts(&p, "patterns");
	rule->matches = promptkit_compile(
	    &p, "pattern", json_get(p.object, "pattern"), rule->pattern);
	c = rule->pattern.n == 0 && rule->includes.n == 0
	    ? fails(e->arena)
	    : call_rules_check(e->arena, &want);
	c.explain = promptkit_reason_found;
	c.reason = str_printf(e->arena,
	    "results that match: expected at least %lld, found",
	    (long long)want.times);
	return promptkit_finish(e, &p, c,
	    matches ? rule->pattern
		    : promptkit_joined(e->arena, rule->includes));
}

static struct check
tool_call_chain(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct call_rule *rules = NULL;
	struct call_rules_want want = { .how = RULES_CHAIN };
	struct check c;

	for (json_each(v, fields_list(&p, "steps"))) {
		struct call_rule *rule = arena_push(e->arena, rules, want.n);
		const struct json *list = json_get(v, "result_includes"),
				  *pattern = json_get(v, "result_matches");

		fields_check_within(&p, v, NULL);
		rule->tool = json_text(json_get(v, "tool"), e->arena);
		if (rule->tool.s == NULL)
			fields_spoil(&p, v, "steps: missing key 'tool'");
		if (json_is(list, JSON_ARRAY))
			rule->includes =
			    fields_strs(&p, list, "result_includes");
		rule->pattern = json_text(pattern, e->arena);
		rule->matches = promptkit_compile(
		    &p, "result_matches", pattern, rule->pattern);
		rule->args =
		    patterns_of(&p, json_get(v, "args_match"), &rule->nargs);
		rule->succeeds = json_is(json_get(v, "no_error"), JSON_TRUE);
	}
	want.rules = rules;
	c = call_rules_check(e->arena, &want);
	c.explain = promptkit_reason_found;
	c.reason = STR("the chain ends before");
	return promptkit_finish(e, &p, c, STR(""));
}

/* ---- arguments ---- */

static struct check
tool_args(struct fields *e)
{
	bool lenient = scenarios_form(e)->how;
	struct fields p = promptkit_params(e, true);
	struct call_rule *rule = arena_new(e->arena, struct call_rule);
	const struct json *object = lenient
	    ? fields_object_if(&p, "expected_args")
	    : fields_need(&p, "expected_args");
	const struct call_rules_want want = { .how = RULES_SOME,
		.rules = rule,
		.n = 1,
		.times = 1,
		.doc = e->doc,
		.texts = true };
	struct argument *list = NULL;
	const struct str_list none = { 0 };
	struct check c;

	rule->tool = fields_str(&p, "tool_name");
	for (json_members(key, object)) {
		struct argument *a = arena_push(e->arena, list, rule->nargs);

		a->name = json_text(key, e->arena);
		a->value = json_value(key);
	}
	rule->args = list;
	c = call_rules_check(e->arena, &want);
	if (rule->nargs == 0)
		c = lenient ? called_all(e->arena, none, 1) : fails(e->arena);
	c.reason = STR("no call has these arguments");
	return promptkit_finish(e, &p, c, rule->tool);
}

static struct check
invariant_fields_preserved(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct call_rule *rule = arena_new(e->arena, struct call_rule);
	const struct call_rules_want want = { .how = RULES_KEPT,
		.rules = rule,
		.n = 1,
		.fields = promptkit_texts(&p, "fields") };
	struct check c;

	rule->tool = fields_str(&p, "tool");
	c = want.fields.n == 0 ? fails(e->arena)
			       : call_rules_check(e->arena, &want);
	c.explain = promptkit_reason_found;
	c.reason = STR("arguments are lost");
	return promptkit_finish(e, &p, c, rule->tool);
}

const struct form promptkit_tools_forms[] = {
	FORM("tools_called_session", tools_called_session,
	    ROLE(CALLED, "tools tool_names")),
	FORM("tools_not_called_session", tools_not_called_session,
	    ROLE(NOT_CALLED, "tools tool_names")),
	FORM("tool_call_count", tool_call_count, ROLE(AMOUNT, "max")),
	FORM("tool_call_sequence", order, .how = OCCUR_TOOLS,
	    ROLE(ORDER, "sequence")),
	FORM("skill_activation_order", order, .how = OCCUR_SKILLS,
	    .role = ROLE_ORDER),
	FORM("workflow_transition_order", order, .how = OCCUR_STATES,
	    .role = ROLE_STATE),
	FORM("skill_activated", skill_activated, .role = ROLE_CALLED),
	FORM("skill_not_activated", skill_activated, .how = true,
	    .role = ROLE_NOT_CALLED),
	FORM("no_tool_errors", no_tool_errors, .role = ROLE_ERRORS),
	FORM("tool_no_repeat", tool_no_repeat, .role = ROLE_AMOUNT),
	FORM("tool_anti_pattern", tool_anti_pattern, .role = ROLE_NOT_CALLED),
	FORM("tool_efficiency", tool_efficiency, ROLE(AMOUNT, "max_calls")),
	FORM("workflow_tool_access", workflow_tool_access,
	    .role = ROLE_NOT_CALLED),
	FORM("outcome_equivalent", compared),
	FORM("directional", compared, .how = true),
	FORM("tool_result_includes", tool_result, ROLE(OUTPUT, "patterns")),
	FORM("tool_result_matches", tool_result, .how = true,
	    ROLE(OUTPUT, "pattern")),
	FORM("tool_call_chain", tool_call_chain, .role = ROLE_ORDER),
	FORM("tool_args", tool_args, ROLE(ARGUMENTS, "tool_name")),
	FORM("tool_args_session", tool_args, .how = true,
	    ROLE(ARGUMENTS, "tool_name")),
	FORM("invariant_fields_preserved", invariant_fields_preserved,
	    .role = ROLE_OUTPUT),
	FORM(NULL, NULL),
};
