/* mcp-eval's files: bundles of scenarios, tests, datasets, and their parts
 * alone. */
#include "check/dialect/mcp_eval.h"

#include <string.h>

#include "check/dialect/dialect.h"
#include "check/dialect/mcp_eval_fields.h"

/* What a container calls its scenarios, and they their name and prompt. */
struct shape {
	const char *list, *what, *name, *prompt;
};

static const struct shape shapes[] = {
	{ "scenarios", "scenario", "name", "prompt" },
	{ "tests", "test", "test_name", "objective" },
};

/* ---- reading ---- */

void
mcp_eval_kept_as(struct scenarios *r, struct str name)
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

/* Alone it needs neither a name nor a prompt. */
static void
read_scenario(struct scenarios *r, const struct json *v,
    const struct shape *shape, bool whole)
{
	static const char *const ignored[] = { "description", "agent", "agents",
		"servers", "$schema", NULL };
	struct fields e = fields_open(r->arena, r->doc, v, str_of(shape->what));
	struct str name = whole ? fields_str(&e, shape->name)
				: fields_str_if(&e, shape->name);
	struct str prompt = whole ? fields_str(&e, shape->prompt)
				  : fields_str_if(&e, shape->prompt);
	struct mcp_eval_scenario *s =
	    arena_new(r->arena, struct mcp_eval_scenario);
	const struct json *list = mcp_eval_list(&e, "assertions");

	(void)fields_str_if(&e, "expected_output");
	s->expected = fields_get(&e, "expected_output");
	s->inputs = json_get(v, str_of(shape->prompt));
	fields_ignore(&e, ignored);
	if (name.s != NULL)
		e.where = str_printf(
		    r->arena, "%s \"%.*s\"", shape->what, STR_FMT(name));
	scenarios_begin(r, name, prompt);
	mcp_eval_kept_as(r, name);
	for (json_each(assertion, list))
		mcp_eval_assertion(r, assertion, s);
	scenarios_end_entry(r, &e);
}

static void
read_container(
    struct scenarios *r, const struct json *root, const struct shape *shape)
{
	static const char *const ignored[] = { "suite_agent", "name",
		"description", "$schema", NULL };
	struct fields e =
	    fields_open(r->arena, r->doc, root, STR("mcp-eval file"));
	const struct json *list = mcp_eval_list(&e, shape->list);

	fields_ignore(&e, ignored);
	for (json_each(v, list))
		read_scenario(r, v, shape, true);
	fields_close(&e, NULL);
}

/* Assertions that belong to no scenario, for every run. */
static void
read_assertions(struct scenarios *r, const struct json *v)
{
	static const struct mcp_eval_scenario none;

	scenarios_begin(r, (struct str){ 0 }, (struct str){ 0 });
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
	if (json_has(root, "cases") || mcp_eval_is_dataset(root)) {
		mcp_eval_dataset(r, root);
	} else if (!json_is(root, JSON_ARRAY)) {
		read_object(r, root);
	} else if (json_has(json_first(root), "assertions")) {
		for (json_each(v, root))
			read_object(r, v);
	} else {
		read_assertions(r, root);
	}
}

static void
read_file(struct scenarios *r)
{
	for (size_t i = 0; i < r->doc->n; i++)
		read_root(r, r->doc->roots[i]);
}

/* ---- the file ---- */

/* Other systems have scenarios and lists of assertions as well: what is in
 * them tells. */
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
	const struct json *root = doc->n == 0 ? NULL : doc->roots[0];

	for (size_t i = 0; i < 2; i++) {
		const struct json *list =
		    json_get(root, str_of(shapes[i].list));

		if (json_is(list, JSON_ARRAY) && is_scenario(json_first(list)))
			return true;
	}
	return mcp_eval_is_dataset(root) ||
	    is_ours(json_is(root, JSON_ARRAY) ? json_first(root) : root);
}

const struct dialect dialect_mcp_eval = {
	.name = "mcp-eval",
	.what = "mcp-eval: scenarios and tests, datasets, and their parts",
	.schema = TYPES_PYTHON,
	.owns = owns,
	.read = read_file,
};
