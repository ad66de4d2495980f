/* promptfoo's configurations, and their parts alone. */
#include "check/promptfoo/promptfoo.h"

#include "check/dialect/dialect.h"

/* ---- the file ---- */

static struct promptfoo_config
config_of(struct scenarios *r)
{
	struct promptfoo_config c = { .scenarios = r, .arena = r->arena };

	c.folder = str_folder(str_of(r->doc->file));
	c.root.doc = r->doc;
	if (r->doc->n != 0)
		c.root.v = r->doc->roots[0];
	c.agentv = promptfoo_is_agentv(c.root.v);
	promptfoo_set_forms(&c);
	return c;
}

/* Adds the assertions of a list, for every run. */
static void
read_alone(struct promptfoo_config *c)
{
	struct promptfoo_test *t = arena_new(c->arena, struct promptfoo_test);

	t->config = c;
	t->now = arena_new(c->arena, struct promptfoo_now);
	scenarios_begin_all(c->scenarios, c->agentv ? NULL : c->root.v);
	promptfoo_read_assertions(t, &c->root, 1, NULL, NULL);
}

/* Reads what AgentV has in a file beside promptfoo's keys. */
static void
open_agentv(
    struct promptfoo_config *c, struct fields *e, struct promptfoo_part *tests)
{
	const struct json *list = fields_get(e, "assert"),
			  *older = fields_get(e, "assertions"),
			  *cases = fields_get(e, "evalcases");

	fields_ignore(e, promptfoo_agentv_root_keys);
	c->suite =
	    (struct promptfoo_part){ list != NULL ? list : older, c->root.doc };
	if (tests->v == NULL)
		tests->v = cases;
}

static void
read_config(struct promptfoo_config *c)
{
	struct fields e = fields_open(
	    c->arena, c->root.doc, c->root.v, STR("promptfoo's configuration"));
	struct promptfoo_part defaults = {
		fields_get(&e, c->agentv ? "default_test" : "defaultTest"),
		c->root.doc
	};
	struct promptfoo_part tests = { fields_get(&e, "tests"), c->root.doc };
	struct promptfoo_part scenarios = { fields_get(&e, "scenarios"),
		c->root.doc };

	fields_ignore(&e,
	    "$schema description providers targets env outputPath sharing "
	    "evaluateOptions commandLineOptions tags metadata nunjucksFilters "
	    "extensions derivedMetrics assertionTemplates redteam tracing "
	    "writeLatestResults");
	if (c->agentv)
		open_agentv(c, &e, &tests);
	promptfoo_read_prompts(c, &e);
	defaults = promptfoo_resolve(c, defaults);
	promptfoo_check_default(c, defaults);
	promptfoo_read_tests(c, tests, &defaults);
	promptfoo_read_scenarios(c, scenarios, &defaults);
	if (tests.v == NULL && scenarios.v == NULL && defaults.v != NULL)
		promptfoo_read_default(c, defaults);
	(void)fields_close(&e, NULL);
}

/* Returns whether the value is an assertion. */
static bool
is_assertion(const struct json *v)
{
	return json_is(json_get(v, "type"), JSON_STRING) ||
	    json_is(json_get(v, "$ref"), JSON_STRING);
}

/* Reads a configuration, tests, or a list of assertions. */
static void
read_file(struct scenarios *r)
{
	static const char config_keys[] = "tests scenarios defaultTest prompts "
					  "providers default_test evalcases";
	struct promptfoo_config *c =
	    arena_new(r->arena, struct promptfoo_config);
	struct promptfoo_part none = { 0 };

	*c = config_of(r);
	if (promptfoo_is_results(c->root.v)) {
		promptfoo_read_results(c);
		return;
	}
	if (scenarios_any(c->root.v, config_keys) != NULL) {
		read_config(c);
		return;
	}
	if (is_assertion(json_first(c->root.v)) &&
	    json_is(c->root.v, JSON_ARRAY)) {
		read_alone(c);
		return;
	}
	for (size_t i = 0; i < r->doc->n; i++)
		promptfoo_read_tests(c,
		    (struct promptfoo_part){ r->doc->roots[i], r->doc }, &none);
}

/* Reads tests in CSV. */
static void
read_csv(struct scenarios *r, struct str text)
{
	struct promptfoo_config c = config_of(r);
	struct document *doc = document_read_text(r->arena, r->doc->file,
	    promptfoo_csv(text, r->doc->file, promptfoo_types(&c),
		r->doc->policy, r->arena),
	    r->doc->policy);

	if (doc == NULL)
		return;
	r->doc = doc;
	read_file(r);
}

/* ---- the dialect ---- */

/* Returns whether the value is a test. */
static bool
is_test(const struct json *v)
{
	const struct json *list = json_get(v, "assert");

	return json_is(list, JSON_ARRAY) &&
	    (json_first(list) == NULL || is_assertion(json_first(list)) ||
		json_is(json_first(list), JSON_STRING));
}

static bool
owns(const struct document *doc)
{
	const struct json *root = document_root(doc);
	const struct json *tests = json_get(root, "tests");

	if (promptfoo_is_results(root) || json_has(root, "default_test") ||
	    (json_has(root, "tests") && promptfoo_is_agentv(root)))
		return true;
	if (json_has(root, "defaultTest") ||
	    json_has(root, "assertionTemplates"))
		return true;
	if (json_has(root, "prompts") &&
	    (json_has(root, "providers") || json_has(root, "targets") ||
		tests != NULL || json_has(root, "scenarios")))
		return true;
	if (json_is(tests, JSON_ARRAY) && is_test(json_first(tests)))
		return true;
	return is_test(root) ||
	    (json_is(root, JSON_ARRAY) && is_test(json_first(root)));
}

static struct str
run_key(const struct trace *t, struct arena *a)
{
	return promptfoo_key_of(json_get(t->member[TRACE_META], "vars"), a);
}

static const struct key_level levels[] = {
	{ "tests defaultTest default_test", "at the top of the file" },
	{ "assert", "in a test" },
	{ "assertions", "in a test of AgentV's" },
	{ "threshold", "in a test or an assertion" },
	{ NULL, NULL },
};

const struct dialect dialect_promptfoo = {
	.name = "promptfoo",
	.advised = true,
	.families = FAMILY_CONTENT | FAMILY_NEGATIVE | FAMILY_TIME,
	.what = "promptfoo: promptfooconfig.yaml, tests in YAML, JSON and CSV, "
		"results",
	.schema = TYPES_JS,
	.levels = levels,
	.owns = owns,
	.types = promptfoo_lists,
	.negates = true,
	.run_key = run_key,
	.pick = promptfoo_pick,
	.read = read_file,
	.read_text = read_csv,
	.suffix = ".csv",
};
