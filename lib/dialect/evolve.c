/* evolve's files: evals of a skill, and their parts alone. */
#include "evolve.h"

#include "../dialect.h"
#include "../hash.h"

struct suite {
	struct reader *reader;
	struct hash_table ids; /* of the evals so far */
};

/* The eval's statements: its expectations come first. */
static void
read_statements(struct reader *r, struct entry *e, struct evolve_eval *eval)
{
	const struct json *expectations = entry_list_if(e, "expectations");
	const struct json *assertions = entry_list_if(e, "assertions");

	for (json_each(v, expectations)) {
		if (json_is(v, JSON_STRING))
			reader_check(r,
			    evolve_statement(
				r->arena, json_text(v, r->arena), eval, true),
			    v);
		else
			entry_wrong(e, v,
			    "expectations: expected text, found %s",
			    json_type_name(v));
	}
	evolve_assertions(r, assertions, eval);
	if (json_count(expectations) + json_count(assertions) == 0)
		entry_wrong(e, NULL, "no expectations or assertions");
}

/* A fragment needs neither an id nor a prompt. */
static void
read_eval(struct suite *s, const struct json *v, bool whole)
{
	static const char *const ignored[] = { "name", "files", "max_turns",
		"allowed_tools", "models", "$schema", NULL };
	struct reader *r = s->reader;
	struct entry e = entry_open(r->arena, r->doc, v, STR("eval"));
	struct str id = whole ? entry_name(&e, "id") : entry_name_if(&e, "id");
	struct str prompt =
	    whole ? entry_str(&e, "prompt") : entry_str_if(&e, "prompt");
	struct evolve_eval eval = {
		.expected = entry_str_if(&e, "expected_output"),
		.seconds = entry_number_if(&e, "timeout_seconds"),
	};
	void **known;

	entry_ignore(&e, ignored);
	if (id.s != NULL) {
		e.where = str_printf(r->arena, "eval \"%.*s\"", STR_FMT(id));
		known = hash_put(&s->ids, id);
		if (*known != NULL)
			entry_wrong(&e, json_get(v, STR("id")), "duplicate id");
		*known = s;
	}
	reader_scenario(r, id, prompt);
	read_statements(r, &e, &eval);
	reader_end(r, &e);
}

static void
read_suite(struct suite *s, const struct json *root)
{
	static const char *const ignored[] = { "skill_name", "models",
		"$schema", NULL };
	struct reader *r = s->reader;
	struct entry e = entry_open(r->arena, r->doc, root, STR("evals file"));
	const struct json *list = entry_list(&e, "evals");

	entry_ignore(&e, ignored);
	for (json_each(v, list))
		read_eval(s, v, true);
	entry_close(&e, NULL);
}

/* ---- the file ---- */

static bool
has(const struct json *v, const char *key)
{
	return json_get(v, str_of(key)) != NULL;
}

/* An assertion by itself: an object with a type of ours. */
static bool
is_assertion(const struct json *v, struct arena *a)
{
	return json_is(json_get(v, STR("type")), JSON_STRING) &&
	    evolve_has_type(json_text(json_get(v, STR("type")), a));
}

static bool
is_suite(const struct json *v)
{
	return json_is(json_get(v, STR("evals")), JSON_ARRAY);
}

/* A list of assertions whose first object has a type of ours. */
static bool
is_list(const struct json *v, struct arena *a)
{
	for (json_each(item, v))
		if (json_is(item, JSON_OBJECT))
			return is_assertion(item, a);
	return false;
}

static bool
owns(const struct doc *doc)
{
	const struct json *root = doc->n == 0 ? NULL : doc->roots[0];
	struct arena a = { 0 };
	bool ours = is_suite(root) || has(root, "expectations") ||
	    has(root, "skill_name") || is_assertion(root, &a) ||
	    is_list(root, &a) || is_list(json_get(root, STR("assertions")), &a);

	arena_free(&a);
	return ours;
}

static void
read_root(struct suite *s, const struct json *root)
{
	struct evolve_eval none = { 0 };
	struct reader *r = s->reader;

	if (is_suite(root) || has(root, "skill_name")) {
		read_suite(s, root);
	} else if (has(root, "expectations") || has(root, "assertions")) {
		read_eval(s, root, false);
	} else if (json_is(root, JSON_ARRAY)) {
		reader_scenario(r, (struct str){ 0 }, (struct str){ 0 });
		evolve_assertions(r, root, &none);
	} else {
		reader_scenario(r, (struct str){ 0 }, (struct str){ 0 });
		evolve_assertion(r, root, &none);
	}
}

static void
read_file(struct reader *r)
{
	struct suite s = { .reader = r, .ids = { .arena = r->arena } };

	for (size_t i = 0; i < r->doc->n; i++)
		read_root(&s, r->doc->roots[i]);
}

const struct dialect dialect_evolve = {
	.name = "evolve",
	.about = "evolve: evals.json, .jsonc and .yaml, and their parts",
	.schema = DOC_EVOLVE,
	.owns = owns,
	.read = read_file,
};
