/* mcp-eval's files: bundles of scenarios, tests, datasets, and their parts
 * alone. */
#include "check/dialect/mcp_eval.h"

#include <string.h>

#include "check/dialect/dialect.h"

/* ---- names in logs ---- */

/* Names the current scenario as the files that mcp-eval keeps of it: by its
 * name, without characters that a file's name cannot contain. */
static void
set_logged_name(struct scenarios *r, struct str name)
{
	static const struct str reserved = STR_CONST("<>:\"/\\|?*[]");
	char *kept = arena_alloc(r->arena, name.n);

	if (name.s == NULL)
		return;
	memcpy(kept, name.s, name.n);
	for (size_t i = 0; i < name.n; i++)
		if (str_find_char(reserved, kept[i]) < reserved.n)
			kept[i] = '_';
	scenarios_set_logged_name(r, (struct str){ kept, name.n });
}

/* ---- datasets ---- */

/* Returns a list that need not be there, but must not be null. */
static const struct json *
list_if(struct fields *e, const char *key)
{
	const struct json *list = json_get(e->object, key);

	if (json_is(list, JSON_NULL))
		fields_mistake(e, list, "%s: expected a list, found null", key);
	return fields_list_if(e, key);
}

/* ---- evaluators for all cases ---- */

struct shared {
	struct str dataset; /* its name */
	const struct json *list;
};

/* Reads the evaluators without a case, and reports their mistakes, also where there is
 * no case. Some depend on what a case expects. */
static void
report_shared(const struct scenarios *r, const struct json *list)
{
	static const struct mcp_eval_scenario none = { .strict = true };
	struct scenarios alone = *r;

	alone.scenarios = NULL;
	alone.n = 0;
	scenarios_begin_all(&alone, NULL);
	for (json_each(v, list))
		mcp_eval_evaluators(&alone, v, &none);
	for (size_t i = 0; i < alone.scenarios->n; i++)
		check_close(&alone.scenarios->checks[i]);
}

/* ---- cases ---- */

static bool
names_equals(const struct json *evaluators)
{
	for (json_each(v, evaluators))
		if (json_has(v, "EqualsExpected") ||
		    json_str_is(json_get(v, "type"), "EqualsExpected"))
			return true;
	return false;
}

/* Reads a case. The answer must equal what the case expects, unless the case
 * has an evaluator for that. */
static void
read_case(
    struct scenarios *r, const struct json *v, const struct shared *shared)
{
	struct fields e = scenarios_open(r, v, "case");
	struct str name = fields_name(&e, "name");
	const struct json *list = list_if(&e, "evaluators");
	struct mcp_eval_scenario *s =
	    arena_new(r->arena, struct mcp_eval_scenario);

	(void)fields_need(&e, "inputs");
	s->inputs = fields_get(&e, "inputs");
	s->expected = fields_get(&e, "expected_output");
	s->strict = true;
	mcp_eval_refuse_dates(&e, s->expected);
	fields_ignore(&e, "metadata description");
	if (name.s != NULL)
		e.where = str_printf(r->arena, "case \"%.*s\"", STR_FMT(name));
	scenarios_begin(r, v, name, json_text(s->inputs, r->arena));
	if (shared != NULL && shared->dataset.s != NULL && name.s != NULL)
		set_logged_name(
		    r, str_cat3(r->arena, shared->dataset, STR("::"), name));
	for (json_each(evaluator, list))
		mcp_eval_evaluators(r, evaluator, s);
	if (s->expected != NULL && !names_equals(list))
		mcp_eval_expected(r, s->expected, s);
	for (json_each(evaluator, shared == NULL ? NULL : shared->list))
		mcp_eval_evaluators(r, evaluator, s);
	scenarios_end_object(r, &e);
}

/* ---- files ---- */

/* Reads a dataset, whose evaluators are for every run if it has no cases. */
static void
read_dataset(struct scenarios *r, const struct json *root)
{
	static const struct mcp_eval_scenario none = { .strict = true };
	struct fields e = scenarios_open(r, root, "dataset");
	const struct json *cases = list_if(&e, "cases");
	struct shared shared = { .list = list_if(&e, "evaluators") };

	report_shared(r, shared.list);
	shared.dataset = json_has(root, "name")
	    ? json_text(json_get(root, "name"), r->arena)
	    : STR("Loaded Dataset");
	for (json_each(v, cases))
		read_case(r, v, &shared);
	if (!json_has(root, "cases")) {
		scenarios_begin_all(r, root);
		for (json_each(v, shared.list))
			mcp_eval_evaluators(r, v, &none);
	}
	fields_ignore(
	    &e, "name description server_name metadata agent_spec $schema");
	fields_close(&e, NULL);
}

static void
read_datasets(struct scenarios *r, const struct json *v)
{
	for (json_each(one, v))
		read_case(r, one, NULL);
	if (json_has(v, "inputs"))
		read_case(r, v, NULL);
	else if (!json_is(v, JSON_ARRAY))
		read_dataset(r, v);
}

static bool
is_case(const struct json *v)
{
	return json_has(v, "inputs") &&
	    (json_has(v, "evaluators") || json_has(v, "expected_output"));
}

/* Returns whether the value is a dataset, one of its cases, or a list of
 * cases. */
static bool
is_dataset(const struct json *v)
{
	const struct json *cases = json_get(v, "cases");
	const struct json *evaluators = json_get(v, "evaluators");

	if (json_is(v, JSON_ARRAY))
		return is_case(json_first(v));
	if (json_count(cases) != 0)
		return json_has(json_first(cases), "inputs") ||
		    json_has(json_first(cases), "evaluators");
	return cases != NULL || is_case(v) ||
	    mcp_eval_is_evaluator(json_first(evaluators)) ||
	    json_has(json_first(evaluators), "type");
}

/* ---- scenarios and tests ---- */

/* The keys of a container's list of scenarios, and of their name and prompt. */
struct shape {
	const char *list, *what, *name, *prompt;
};

static const struct shape shapes[] = {
	{ "scenarios", "scenario", "name", "prompt" },
	{ "tests", "test", "test_name", "objective" },
};

/* ---- reading ---- */

/* Reads a scenario; if it is not `whole`, it needs neither a name nor a
 * prompt. */
static void
read_scenario(struct scenarios *r, const struct json *v,
    const struct shape *shape, bool whole)
{
	struct fields e = scenarios_open(r, v, shape->what);
	struct str name = whole ? fields_str(&e, shape->name)
				: fields_str_if(&e, shape->name);
	struct str prompt = whole ? fields_str(&e, shape->prompt)
				  : fields_str_if(&e, shape->prompt);
	struct mcp_eval_scenario *s =
	    arena_new(r->arena, struct mcp_eval_scenario);
	const struct json *list = mcp_eval_list(&e, "assertions");

	(void)fields_str_if(&e, "expected_output");
	s->expected = fields_get(&e, "expected_output");
	s->inputs = json_get(v, shape->prompt);
	fields_ignore(&e, "description agent agents servers $schema");
	if (name.s != NULL)
		e.where = str_printf(
		    r->arena, "%s \"%.*s\"", shape->what, STR_FMT(name));
	scenarios_begin(r, v, name, prompt);
	set_logged_name(r, name);
	for (json_each(assertion, list))
		mcp_eval_assertion(r, assertion, s);
	scenarios_end_object(r, &e);
}

static void
read_container(
    struct scenarios *r, const struct json *root, const struct shape *shape)
{
	struct fields e = scenarios_open(r, root, "mcp-eval file");
	const struct json *list = mcp_eval_list(&e, shape->list);

	fields_ignore(&e, "suite_agent name description $schema");
	for (json_each(v, list))
		read_scenario(r, v, shape, true);
	fields_close(&e, NULL);
}

/* Reads assertions that belong to no scenario, for every run. */
static void
read_assertions(struct scenarios *r, const struct json *v)
{
	static const struct mcp_eval_scenario none;

	scenarios_begin_all(r, v);
	for (json_each(assertion, v))
		mcp_eval_assertion(r, assertion, &none);
	if (!json_is(v, JSON_ARRAY))
		mcp_eval_assertion(r, v, &none);
}

static void
read_object(struct scenarios *r, const struct json *v)
{
	for (size_t i = 0; i < 2; i++)
		if (json_has(v, shapes[i].list)) {
			read_container(r, v, &shapes[i]);
			return;
		}
	if (json_has(v, "assertions"))
		read_scenario(r, v, &shapes[json_has(v, "test_name")], false);
	else
		read_assertions(r, v);
}

static void
read_root(struct scenarios *r, const struct json *root)
{
	const struct json *first =
	    json_is(root, JSON_ARRAY) ? json_first(root) : root;

	if (json_has(root, "cases") || json_has(first, "inputs") ||
	    is_dataset(root)) {
		read_datasets(r, root);
	} else if (!json_is(root, JSON_ARRAY)) {
		read_object(r, root);
	} else if (json_has(first, "assertions")) {
		for (json_each(v, root))
			read_object(r, v);
	} else {
		read_assertions(r, root);
	}
}

/* ---- the file ---- */

/* Other systems have scenarios and lists of assertions as well, so the content
 * of the list decides. */
static bool
is_scenario(const struct json *v)
{
	const struct json *list = json_get(v, "assertions");

	if (!json_is(list, JSON_ARRAY))
		return false;
	if (json_count(list) == 0)
		return (json_has(v, "name") || json_has(v, "test_name")) &&
		    !json_has(v, "id");
	return mcp_eval_is_assertion(json_first(list)) ||
	    mcp_eval_is_evaluator(json_first(list));
}

static bool
is_ours(const struct json *v)
{
	return is_scenario(v) || mcp_eval_is_assertion(v) ||
	    mcp_eval_is_evaluator(v);
}

static bool
owns(const struct document *doc)
{
	const struct json *root = document_root(doc);

	for (size_t i = 0; i < 2; i++) {
		const struct json *list = json_get(root, shapes[i].list);

		if (json_is(list, JSON_ARRAY) && is_scenario(json_first(list)))
			return true;
	}
	return is_dataset(root) ||
	    is_ours(json_is(root, JSON_ARRAY) ? json_first(root) : root);
}

static const struct key_level levels[] = {
	{ "scenarios tests cases", "at the top of the file" },
	{ "assertions", "in a scenario or test" },
	{ "evaluators", "in a case, or beside 'cases'" },
	{ "ToolWasCalled ToolCalledWith ExactToolCount ToolSuccessRate "
	  "ToolFailed ToolOutputMatches ToolSequence PathEfficiency "
	  "ResponseContains NotContains IsInstance EqualsExpected "
	  "MaxIterations ResponseTimeCheck LLMJudge MultiCriteriaJudge",
	    "under 'evaluators'" },
	{ NULL, NULL },
};

const struct dialect dialect_mcp_eval = {
	.name = "mcp-eval",
	.advised = true,
	.families = FAMILIES_OF_RUNS | FAMILY_TIME,
	.what = "mcp-eval: scenarios and tests, datasets, and their parts",
	.schema = TYPES_PYTHON,
	.levels = levels,
	.owns = owns,
	.types = mcp_eval_types,
	.read_root = read_root,
};
