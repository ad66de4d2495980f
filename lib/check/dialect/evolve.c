/* evolve's files: evals of a skill, and their parts alone. */
#include "check/dialect/evolve.h"

#include "base/hash.h"
#include "check/dialect/dialect.h"
#include "emulate/lang/go.h"
#include "trace/workspace.h"

/* ---- fixtures ---- */

/* The fixtures of an eval do not matter to a recorded run. Only their names are
 * checked, with a warning of fixtures that evolve could not copy into a run's
 * folder. */

/* Sets *source to the fixture's path in the folder of the evals. Returns false
 * if the path leads out. */
static bool
source_of(struct arena *a, struct str path, struct str *source)
{
	if (str_starts(path, "/") || !workspace_clean(a, path, source))
		return false;
	if (str_starts(*source, "evals/"))
		*source = str_from(*source, 6);
	return true;
}

static void
add_file(struct fields *e, struct hash_table *targets, const struct json *v)
{
	struct str *path = arena_new(e->arena, struct str);
	struct str source, target;
	const struct str *first;
	void **known;

	if (!json_is(v, JSON_STRING)) {
		fields_mistake(e, v, "files: expected a path, found %s",
		    json_type_name(v));
		return;
	}
	*path = json_text(v, e->arena);
	if (!source_of(e->arena, *path, &source)) {
		fields_remark(e, v,
		    "files: '%.*s' leads out of the folder of the evals",
		    STR_FMT(*path));
		return;
	}
	/* A fixture in files/ keeps its sub-folders, others lose theirs. */
	target = str_starts(source, "files/") ? str_from(source, 6)
					      : str_file_name(source);
	known = hash_put(targets, target);
	first = *known;
	if (first != NULL)
		fields_remark(e, v,
		    "files: '%.*s' and '%.*s' both become '%.*s'",
		    STR_FMT(*first), STR_FMT(*path), STR_FMT(target));
	*known = path;
}

static void
read_files(struct fields *e)
{
	struct hash_table targets = { .arena = e->arena };
	const struct json *list = fields_get(e, "files");

	if (list != NULL && !json_is(list, JSON_ARRAY))
		fields_mistake(e, list,
		    "files: expected a list of paths, found %s%s",
		    json_type_name(list),
		    json_is(list, JSON_OBJECT)
			? " (what is in a file cannot be given here)"
			: "");
	else
		for (json_each(v, list))
			add_file(e, &targets, v);
}

/* ---- evals ---- */

struct suite {
	struct scenarios *scenarios;
	struct hash_table ids; /* of the evals so far */
};

/* Reads the eval's statements; its expectations come first. */
static void
read_statements(struct scenarios *r, struct fields *e, struct evolve_eval *eval)
{
	const struct json *expectations = fields_list_if(e, "expectations");
	const struct json *assertions = fields_list_if(e, "assertions");

	for (json_each(v, expectations)) {
		if (json_is(v, JSON_STRING))
			evolve_statement(r, v, eval, true);
		else
			fields_mistake(e, v,
			    "expectations: expected text, found %s",
			    json_type_name(v));
	}
	evolve_assertions(r, assertions, eval);
}

/* Reads the models that the evals are for; evolve refuses a blank name. */
static void
read_models(struct fields *e)
{
	const struct json *list = fields_list_if(e, "models");

	(void)fields_strs(e, list, "models");
	for (json_each(v, list))
		if (json_is(v, JSON_STRING) &&
		    go_trim(json_text(v, e->arena)).n == 0)
			fields_remark(e, v, "models: empty model restriction");
}

/* Reads the keys that evolve declares and a recorded run does not need: only
 * their types are checked. */
static void
read_unused(struct fields *e)
{
	(void)fields_str_if(e, "name");
	(void)fields_str_if(e, "eval_name");
	(void)fields_int_if(e, "max_turns");
	read_models(e);
	fields_ignore(e, "allowed_tools $schema");
}

/* Returns the id by which a run finds the eval: text, or the digits of a whole
 * number. skill-creator's eval_metadata.json calls the id eval_id. */
static struct str
read_id(struct fields *e)
{
	const char *key = json_has(e->object, "id") ? "id" : "eval_id";

	if (json_is(json_get(e->object, key), JSON_NUMBER))
		return str_printf(
		    e->arena, "%lld", (long long)fields_int_if(e, key));
	(void)fields_str_if(e, "eval_id");
	return fields_str_if(e, key);
}

static void
check_id(struct suite *s, struct fields *e, struct str id)
{
	void **known;

	if (id.n == 0)
		return;
	e->where = str_printf(e->arena, "eval \"%.*s\"", STR_FMT(id));
	known = hash_put(&s->ids, id);
	if (*known != NULL)
		fields_mistake(e, json_get(e->object, "id"), "duplicate id");
	*known = s;
}

/* Reads an eval. An eval of a suite should have a prompt, and an id; without an
 * id, the id is the place in the list. */
static void
read_eval(
    struct suite *s, const struct json *v, struct str where, bool of_suite)
{
	struct scenarios *r = s->scenarios;
	struct fields e = fields_open(r->arena, r->doc, v, where);
	bool named = of_suite && json_is(v, JSON_OBJECT);
	struct str id = read_id(&e);
	struct str prompt = fields_str_if(&e, "prompt");
	struct evolve_eval eval = {
		.expected = fields_str_if(&e, "expected_output"),
		.seconds = (double)fields_int_if(&e, "timeout_seconds"),
	};

	if (named && id.n == 0) {
		fields_remark(&e, NULL, "missing id");
		id = where;
	}
	check_id(s, &e, id);
	if (named && prompt.n == 0)
		fields_remark(&e, NULL, "missing prompt");
	read_unused(&e);
	read_files(&e);
	if (prompt.n == 0)
		prompt.s = NULL;
	scenarios_begin(r, v, id, prompt);
	read_statements(r, &e, &eval);
	scenarios_end_object(r, &e);
}

static void
warn_empty(const struct scenarios *r, const struct json *root)
{
	document_report(r->doc, MISTAKE_REMARK, root, "no evals in this file");
}

static void
read_suite(struct suite *s, const struct json *root)
{
	struct scenarios *r = s->scenarios;
	struct fields e = scenarios_open(r, root, "evals file");
	const struct json *list = fields_list_if(&e, "evals");
	size_t n = 0;

	(void)fields_str_if(&e, "skill_name");
	read_models(&e);
	fields_ignore(&e, "$schema");
	for (json_each(v, list))
		read_eval(s, v, str_printf(r->arena, "evals[%zu]", n++), true);
	if (fields_close(&e, NULL) && n == 0)
		warn_empty(r, root);
}

/* ---- the file ---- */

/* Returns whether the value is an assertion: an object with a type of evolve's,
 * or almost so. PromptKit's assertions have params. */
static bool
is_assertion(const struct json *v, struct arena *a)
{
	return json_is(json_get(v, "type"), JSON_STRING) &&
	    !json_has(v, "params") &&
	    evolve_has_type(json_text(json_get(v, "type"), a));
}

static bool
is_suite(const struct json *v)
{
	return json_has(v, "evals") || json_has(v, "skill_name");
}

/* Returns whether the value is a list of assertions: an object in the list has
 * a type of evolve's, or all elements are statements. A list without a name
 * consists of texts, since other systems have lists of objects, too. */
static bool
is_list(const struct json *v, bool named, struct arena *a)
{
	size_t statements = 0;

	if (!json_is(v, JSON_ARRAY))
		return false;
	for (json_each(item, v)) {
		if (is_assertion(item, a))
			return true;
		statements += named ? evolve_is_statement(item)
				    : json_is(item, JSON_STRING);
	}
	return statements != 0 && statements == json_count(v);
}

static bool
owns(const struct document *doc)
{
	const struct json *root = document_root(doc);
	struct arena a = { 0 };
	bool ours = is_suite(root) || json_has(root, "expectations") ||
	    json_has(root, "eval_id") || is_assertion(root, &a) ||
	    is_list(root, false, &a) ||
	    is_list(json_get(root, "assertions"), true, &a);

	arena_free(&a);
	return ours;
}

static void
read_assertions(struct scenarios *r, const struct json *root)
{
	struct evolve_eval none = { 0 };

	scenarios_begin_all(r, root);
	if (json_is(root, JSON_ARRAY) && json_count(root) == 0)
		document_report(r->doc, MISTAKE_REFUSES, root, "no assertions");
	else if (json_is(root, JSON_ARRAY))
		evolve_assertions(r, root, &none);
	else
		evolve_assertion(r, root, &none);
}

/* Reads a part of a file, or else a whole file, which may be empty, as evolve
 * allows. */
static void
read_root(struct suite *s, const struct json *root)
{
	struct scenarios *r = s->scenarios;

	if (!is_suite(root) &&
	    scenarios_any(root, "expectations assertions prompt id eval_id") !=
		NULL)
		read_eval(s, root, STR("eval"), false);
	else if (json_has(root, "type") || json_is(root, JSON_ARRAY))
		read_assertions(r, root);
	else if (json_is(root, JSON_NULL))
		warn_empty(r, root);
	else
		read_suite(s, root);
}

/* Reads all values of a JSON file, which may be examples, one after another; of
 * several YAML documents evolve reads only the first. */
static void
read_file(struct scenarios *r)
{
	struct suite s = { .scenarios = r, .ids = { .arena = r->arena } };
	size_t n = r->doc->n;

	if (r->doc->yaml && n > 1) {
		document_report(r->doc, MISTAKE_REMARK, r->doc->roots[1],
		    "document ignored: evolve reads only the first one");
		n = 1;
	}
	for (size_t i = 0; i < n; i++)
		read_root(&s, r->doc->roots[i]);
}

static const struct key_level levels[] = {
	{ "evals", "at the top of the file" },
	{ "expectations assertions", "in an eval" },
	{ NULL, NULL },
};

const struct dialect dialect_evolve = {
	.name = "evolve",
	.advised = true,
	.families = FAMILY_TOOLS | FAMILY_CONTENT | FAMILY_NEGATIVE,
	.what = "evolve: evals.json, .jsonc and .yaml, and their parts",
	.schema = TYPES_EVOLVE,
	.levels = levels,
	.owns = owns,
	.types = evolve_types,
	.wraps_prompts = true,
	.read = read_file,
};
