/* Additions of AgentV's EVAL.yaml files to promptfoo's configurations: names of
 * keys, statements for a judge, and types of assertions. */
#include "check/promptfoo/promptfoo.h"

#include "check/kind/kind.h"

/* ---- keys ---- */

/* Returns whether a test has an assertion that only AgentV knows: a program, or beside
 * an id a text. */
static bool
has_own_assertion(const struct json *test)
{
	bool id = json_has(test, "id");

	for (json_each(v, json_get(test, "assert")))
		if (json_str_is(json_get(v, "type"), "script") ||
		    (id && json_is(v, JSON_STRING) &&
			!str_starts(json_raw(v), "file://")))
			return true;
	return false;
}

bool
promptfoo_is_agentv(const struct json *root)
{
	static const char keys[] =
	    "default_test evaluate_options environment execution suite target "
	    "evalcases assert assertions input requires";
	const struct json *tests =
	    json_is(root, JSON_ARRAY) ? root : json_get(root, "tests");
	bool named = json_has(root, "name");

	if (scenarios_any(root, keys) != NULL)
		return true;
	if (named && (json_is(tests, JSON_STRING) || json_has(root, "version")))
		return true;
	for (json_each(test, tests))
		if (has_own_assertion(test) ||
		    scenarios_any(test, "input criteria assertions") != NULL ||
		    (named &&
			(json_has(test, "id") || json_is(test, JSON_STRING))))
			return true;
	return false;
}

const char promptfoo_agentv_root_keys[] =
    "name version author license requires suite category target execution "
    "environment workspace evaluate_options timeout_seconds threshold input "
    "input_files experiment defaults derived_metrics nunjucks_filters "
    "output_path hooks preprocessors assertion_templates governance";

const char promptfoo_agentv_test_keys[] =
    "id input input_files expected_output criteria assertions execution run "
    "environment workspace conversation_id suite depends_on "
    "on_dependency_failure mode turns aggregation on_turn_failure window_size "
    "tags targets assert_scoring_function repeat";

/* Returns the last message of the user in a test's input: a text or messages. */
static struct str
input_text(const struct json *input, struct arena *a)
{
	struct str text = json_text(input, a);

	for (json_each(m, input)) {
		const struct json *content = json_get(m, "content");

		if (!json_str_is(json_get(m, "role"), "user"))
			continue;
		text = json_text(content, a);
		for (json_each(part, content))
			if (text.s == NULL)
				text = json_text(json_get(part, "text"), a);
		for (json_each(part, content))
			if (text.s == NULL)
				text = json_text(json_get(part, "value"), a);
	}
	return text;
}

void
promptfoo_agentv_test(struct promptfoo_config *c, struct promptfoo_test *t,
    const struct json *input, const struct json *expected)
{
	struct str text = input_text(input, c->arena), why = { 0 };

	t->input = input;
	if (expected != NULL)
		promptfoo_set_var(&t->vars,
		    (struct promptfoo_var){
			.name = STR("expected_output"), .value = expected },
		    c->arena);
	if (text.s != NULL)
		text = promptfoo_render(text, &t->vars, c->arena, &why);
	if (str_trim(text).n == 0)
		return;
	t->prompt = text;
	if (json_is(input, JSON_STRING))
		t->input = promptfoo_quoted(text, c->arena);
	scenarios_add_prompt(c->scenarios, text);
	promptfoo_set_var(&t->vars,
	    (struct promptfoo_var){ .name = STR("input"),
		.value = promptfoo_quoted(text, c->arena) },
	    c->arena);
}

/* ---- limits ---- */

/* Several checks of which each must hold. */
struct all {
	struct score_part *parts;
	size_t n;
	struct arena *arena;
};

static void
add(struct all *all, struct check c, const char *label)
{
	struct check *kept = arena_new(all->arena, struct check);
	struct score_part *part = arena_push(all->arena, all->parts, all->n);

	c.label = str_of(label);
	*kept = c;
	part->check = kept;
	part->weight = 1;
}

static struct check
finish_all(struct fields *e, const struct all *all)
{
	const struct score_want want = {
		.parts = all->parts, .n = all->n, .least = 1
	};
	struct check c = score_check(e->arena, &want);

	if (all->n == 0 && promptfoo_test_of(e)->now->undecided.s == NULL)
		fields_spoil(e, NULL, "expected at least one limit");
	c.detail = str_printf(
	    e->arena, "%.*s: expected a score of 1", STR_FMT(e->where));
	return promptfoo_finish(e, c, STR(""));
}

static struct check
execution_metrics(struct fields *e)
{
	static const struct {
		const char *key;
		enum limit limit;
		double unit;
	} rows[] = {
		{ "max_llm_calls", LIMIT_LLM_CALLS, 1 },
		{ "max_tokens", LIMIT_TOKENS, 1 },
		{ "max_cost_usd", LIMIT_COST, 1 },
		{ "max_duration_ms", LIMIT_SECONDS, 1000 },
	};
	struct all all = { .arena = e->arena };
	double most;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		most = scenarios_number(e, rows[i].key);
		if (json_has(e->object, rows[i].key))
			add(&all,
			    limits_check(
				e->arena, rows[i].limit, most / rows[i].unit),
			    rows[i].key);
	}
	most = scenarios_number(e, "max_tool_calls");
	if (json_has(e->object, "max_tool_calls"))
		add(&all,
		    called_at_most(e->arena, (struct str){ 0 }, (int64_t)most),
		    "max_tool_calls");
	(void)scenarios_number(e, "exploration_tolerance");
	if (fields_get(e, "target_exploration_ratio") != NULL)
		promptfoo_undecided(e,
		    "'target_exploration_ratio' depends on which tools only "
		    "read, which is not recorded");
	return finish_all(e, &all);
}

static const double *
limit(struct fields *e, const char *key, const char *older)
{
	double *n = arena_new(e->arena, double);

	*n = scenarios_number(e, key);
	if (json_has(e->object, key))
		return n;
	*n = scenarios_number(e, older);
	return json_has(e->object, older) ? n : NULL;
}

static struct check
token_usage(struct fields *e)
{
	const struct budget_want want = {
		.total = limit(e, "max_total", "max_total_tokens"),
		.input = limit(e, "max_input", "max_input_tokens"),
		.output = limit(e, "max_output", "max_output_tokens"),
	};
	struct check c = limits_budget(e->arena, &want);

	if (want.total == NULL && want.input == NULL && want.output == NULL)
		fields_spoil(e, NULL, "expected at least one limit");
	c.detail = STR("token-usage: expected less");
	return promptfoo_finish(e, c, STR(""));
}

/* ---- calls ---- */

/* Reads how the arguments of a call are compared, from the item or else from the
 * whole assertion. Returns false if the object does not say. */
static bool
read_match(struct fields *e, struct call_match *c, const struct json *object)
{
	static const struct {
		const char *name;
		enum expected_args how;
	} modes[] = {
		{ "exact", EXPECTED_EQUAL },
		{ "superset", EXPECTED_SUPERSET },
		{ "subset", EXPECTED_SUBSET },
		{ "ignore", EXPECTED_ANY },
	};
	const struct json *v = json_get(object, "args_match");

	if (v == NULL || json_is(v, JSON_NULL))
		v = json_get(object, "argsMatch");
	if (v == NULL || json_is(v, JSON_NULL))
		return false;
	if (json_is(v, JSON_ARRAY)) {
		c->how = EXPECTED_FIELDS;
		c->fields = fields_strs(e, v, "args_match");
		return c->fields.n != 0;
	}
	for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
		if (json_str_is(v, modes[i].name)) {
			c->how = modes[i].how;
			return true;
		}
	fields_spoil(e, v,
	    "args_match: expected exact, superset, subset, ignore or a list of "
	    "fields");
	return false;
}

static void
read_args(struct fields *e, struct call_match *c, const struct json *item)
{
	const struct json *args = json_get(item, "args");

	if (args == NULL || json_is(args, JSON_NULL) ||
	    json_str_is(args, "any"))
		return;
	if (!json_is(args, JSON_OBJECT)) {
		fields_spoil(e, args,
		    "args: expected a mapping or any, found %s",
		    json_type_name(args));
		return;
	}
	if (str_contains(args->text, "{{"))
		promptfoo_undecided(
		    e, "templates in the arguments are not rendered");
	c->args = args;
	c->how = EXPECTED_EQUAL;
	if (!read_match(e, c, item))
		(void)read_match(e, c, e->object);
}

/* Reads an expected call. Its time is not decided. */
static struct call_match
expected_call(struct fields *e, const struct json *v)
{
	static const char keys[] =
	    "args args_match argsMatch max_duration_ms maxDurationMs";
	struct str rest = str_of(keys);
	struct call_match c = { .tool =
				    json_text(json_get(v, "tool"), e->arena) };

	fields_check_within(e, v, keys);
	fields_note(e->doc, v, NULL, IS(OBJECT));
	fields_note_needed(e->doc, v, "tool", IS(TEXT));
	while (rest.s != NULL)
		fields_note(
		    e->doc, v, str_c(e->arena, str_cut(&rest, ' ')), IS(ANY));
	if (c.tool.n == 0)
		fields_spoil(e, v, "expected: missing key 'tool'");
	if (json_has(v, "max_duration_ms") || json_has(v, "maxDurationMs"))
		promptfoo_undecided(
		    e, "the times of a tool-trajectory are not decided");
	read_args(e, &c, v);
	return c;
}

/* Returns the check of the expected calls by this mode: of their names alone, if
 * that is enough. */
static struct check
tool_trajectory_check(
    struct fields *e, struct expected_calls_want *want, struct str_list tools)
{
	bool names =
	    want->mode == EXPECTED_IN_ORDER || want->mode == EXPECTED_EXACTLY;
	struct str_list *list = arena_new(e->arena, struct str_list);
	struct check c;

	*list = tools;
	for (size_t i = 0; i < want->n; i++)
		names &= want->list[i].how == EXPECTED_ANY;
	if (names)
		return want->mode == EXPECTED_EXACTLY
		    ? sequence_check_exact(e->arena, list, 1)
		    : sequence_check(e->arena, tools);
	c = expected_calls_check(e->arena, want);
	c.detail =
	    str_printf(e->arena, "%.*s: expected %s%.*s", STR_FMT(e->where),
		want->mode != EXPECTED_NO_OTHERS ? ""
		    : tools.n == 0               ? "no calls"
						 : "no calls but ",
		STR_FMT(str_list_text(e->arena, tools)));
	return c;
}

/* Returns the mode of this name. Another one is reported. */
static enum expected_mode
expected_mode(struct fields *e, struct str mode)
{
	static const char *const modes[] = {
		[EXPECTED_IN_ORDER] = "in_order",
		[EXPECTED_EXACTLY] = "exact",
		[EXPECTED_ALL] = "superset",
		[EXPECTED_NO_OTHERS] = "subset",
	};

	for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
		if (str_is(mode, modes[i]))
			return (enum expected_mode)i;
	if (mode.s != NULL)
		fields_spoil(e, json_get(e->object, "mode"),
		    "mode: expected any_order, in_order, exact, subset or "
		    "superset, found '%.*s'",
		    STR_FMT(mode));
	return EXPECTED_IN_ORDER;
}

/* Adds that the tools were called, each as often as `minimums` has it. */
static struct check
any_order(struct fields *e, struct str_list tools)
{
	struct all all = { .arena = e->arena };

	for (json_members(key, json_get(e->object, "minimums"))) {
		struct str *tool = arena_new(e->arena, struct str);

		*tool = json_text(key, e->arena);
		add(&all,
		    called_all(e->arena, (struct str_list){ tool, 1 },
			(int64_t)json_double(json_value(key))),
		    str_c(e->arena, *tool));
	}
	for (size_t i = 0; i < tools.n; i++)
		add(&all, called_check(e->arena, tools.list[i]),
		    str_c(e->arena, tools.list[i]));
	return finish_all(e, &all);
}

static struct check
tool_trajectory(struct fields *e)
{
	struct str mode = scenarios_text(e, "mode");
	struct expected_calls_want want = { 0 };
	struct call_match *calls = NULL;
	struct str_list names = { 0 };

	for (json_each(v, scenarios_list(e, "expected"))) {
		struct call_match one = expected_call(e, v);

		*arena_push(e->arena, calls, want.n) = one;
		str_list_add(e->arena, &names, one.tool);
	}
	(void)fields_get(e, "args_match");
	(void)fields_get(e, "argsMatch");
	(void)scenarios_object(e, "minimums");
	want.list = calls;
	if (str_is(mode, "any_order"))
		return any_order(e, names);
	want.mode = expected_mode(e, mode);
	return promptfoo_finish(e, tool_trajectory_check(e, &want, names),
	    str_list_text(e->arena, names));
}

/* ---- other types ---- */

static struct check
ends_with(struct fields *e)
{
	struct str wanted = promptfoo_text(e);

	return promptfoo_finish(e,
	    text_check(e->arena, TEXT_ENDS, VIEW_AS_WRITTEN, wanted), wanted);
}

static struct check
rubrics(struct fields *e)
{
	const struct json *list = fields_get(e, "criteria");

	scenarios_note(e->doc, e->object, scenarios_param(e, "criteria"));
	return promptfoo_rubrics(e, list != NULL ? list : promptfoo_value(e));
}

/* Makes the check whether a skill, whose name has a part, was used, or was not. */
static struct check
skill_trigger(struct fields *e)
{
	struct trigger_want want = {
		.skill = str_trim(scenarios_text(e, "skill")), .part = true
	};
	struct check c = trigger_check(e->arena, &want);

	(void)scenarios_bool(e, "should_trigger");
	c = promptfoo_finish(e, c, want.skill);
	c.negate ^= json_is(fields_get(e, "should_trigger"), JSON_FALSE);
	c.detail = str_printf(e->arena, "skill %.*s: expected %suse",
	    STR_FMT(want.skill), c.negate ? "no " : "");
	return c;
}

static struct check
undecided(struct fields *e)
{
	e->any_key = true;
	promptfoo_undecided(e, scenarios_form(e)->key);
	return promptfoo_finish(e, (struct check){ 0 }, STR(""));
}

/* Makes the check of a grader, whose prompt is the author's; without a prompt, the
 * criteria of the test are judged. */
static struct check
llm_grader(struct fields *e)
{
	const struct promptfoo_test *t = promptfoo_test_of(e);
	struct check c;

	if (json_has(e->object, "prompt"))
		return undecided(e);
	e->any_key = true;
	if (t->criteria.n == 0) {
		promptfoo_undecided(e, "the test has no criteria");
		return promptfoo_finish(e, (struct check){ 0 }, STR(""));
	}
	c = promptfoo_statement(
	    t, (struct promptfoo_part){ e->object, e->doc }, t->criteria);
	return promptfoo_finish(e, c, c.label);
}

#define OWN .levels = PROMPTFOO_AGENTV
#define METRICS \
	execution_metrics, OWN, ROLE(AMOUNT, "threshold value"), \
	    PARAMS(KEY("max_llm_calls", NUMBER), KEY("max_tokens", NUMBER), \
		KEY("max_cost_usd", NUMBER), KEY("max_duration_ms", NUMBER), \
		KEY("max_tool_calls", NUMBER), \
		ALSO("exploration_tolerance", NUMBER), \
		ALSO("target_exploration_ratio", ANY))
#define USAGE \
	token_usage, OWN, ROLE(AMOUNT, "threshold value"), \
	    PARAMS(KEY("max_total", NUMBER), KEY("max_input", NUMBER), \
		KEY("max_output", NUMBER), ALSO("max_total_tokens", NUMBER), \
		ALSO("max_input_tokens", NUMBER), \
		ALSO("max_output_tokens", NUMBER))
#define TRAJECTORY \
	tool_trajectory, OWN, ROLE(ORDER, "value"), \
	    PARAMS(NEED("mode", TEXT), KEY("expected", LIST), \
		KEY("minimums", OBJECT), KEY("args_match", ANY), \
		ALSO("argsMatch", ANY))
#define GRADER \
	promptfoo_grader, OWN, \
	    PARAMS(KEY("command", ANY), KEY("cwd", TEXT), \
		KEY("config", OBJECT), ALSO("script", ANY))
#define LLM_GRADER \
	llm_grader, OWN, .key = promptfoo_own_judge, \
			 ROLE(JUDGE, "value prompt"), \
			 PARAMS(KEY("prompt", ANY))
#define ACCURACY \
	undecided, OWN, \
	    .key = "fields of a structured answer are not decided (is-json " \
		   "with a schema is)", \
	    ROLE(EQUALS, "value")

const struct form promptfoo_agentv_forms[] = {
	FORM("execution-metrics", METRICS),
	FORM("execution_metrics", METRICS),
	FORM("token-usage", USAGE),
	FORM("token_usage", USAGE),
	FORM("tool-trajectory", TRAJECTORY),
	FORM("tool_trajectory", TRAJECTORY),
	FORM("skill-trigger", skill_trigger, OWN, .subject = "skill",
	    PARAMS(NEED("skill", TEXT), KEY("should_trigger", BOOL))),
	FORM("ends-with", ends_with, OWN, ROLE(BOUND, "value"),
	    PARAMS(NEED("value", NAME))),
	FORM("rubrics", rubrics, OWN, ROLE(JUDGE, "value prompt"),
	    PARAMS(KEY("criteria", LIST))),
	FORM("script", GRADER, .how = true),
	FORM("composite", promptfoo_composite, OWN,
	    PARAMS(NEED("aggregator", OBJECT), KEY("assertions", LIST),
		ALSO("assert", LIST), ALSO("evaluators", LIST))),
	FORM("code-grader", GRADER),
	FORM("code_grader", GRADER),
	FORM("code-judge", GRADER),
	FORM("code_judge", GRADER),
	FORM("llm-grader", LLM_GRADER),
	FORM("llm_grader", LLM_GRADER),
	FORM("llm_judge", LLM_GRADER),
	FORM("field-accuracy", ACCURACY),
	FORM("field_accuracy", ACCURACY),
	FORM(NULL, NULL),
};
