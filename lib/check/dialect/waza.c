/*
 * The files of waza, of Vally, and of skill-validator: evals, their
 * tasks, stimuli or scenarios, and graders alone. Trigger tests are read by the
 * dialect `triggers`.
 */
#include "check/dialect/waza.h"

#include <glob.h>

#include "check/dialect/dialect.h"

static bool
is_list(const struct json *v, const char *key)
{
	return json_is(json_get(v, key), JSON_ARRAY);
}

/* ---- a task ---- */

/* Keys that do not matter to a recorded run. */
static const char unused[] =
    "name id prompt inputs description tags enabled context_dir "
    "timeout_seconds timeout setup environment expected rubric constraints "
    "graders validators assertions files expect_tools reject_tools turns "
    "max_turns max_tokens expect_activation";

/* The file that is being read. */
struct file {
	struct scenarios *scenarios;
	const struct document *doc;
	const struct json *graders; /* for all of its tasks; or NULL */
};

static void
read_graders(
    struct scenarios *r, const struct json *list, const struct json *task)
{
	for (json_each(v, list))
		waza_read_grader(r, v, task);
}

/* Warns of what an author expects and waza does not grade. */
static void
warn_expected(struct fields *e)
{
	static const char *const keys[] = { "output_contains",
		"output_not_contains", "behavior", "tool_calls" };
	const struct json *expected = json_get(e->object, "expected");

	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
		if (json_has(expected, keys[i]))
			fields_remark(e, expected,
			    "expected: waza grades nothing by '%s' (a grader "
			    "does)",
			    keys[i]);
}

/* Reads the rubric of a task: a text, or a list of texts. A grader of the type prompt
 * asks a judge by it, too. */
static void
read_rubric(struct scenarios *r, const struct json *v)
{
	const struct json *rubric = json_get(v, "rubric");

	for (json_each(one, json_get(v, "graders")))
		if (json_str_is(json_get(one, "type"), "prompt"))
			return;
	if (json_is(rubric, JSON_STRING))
		waza_rubric(r, rubric);
	for (json_each(item, json_is(rubric, JSON_ARRAY) ? rubric : NULL))
		if (json_is(item, JSON_STRING))
			waza_rubric(r, item);
}

/* Reads the checks of a task, whose keys are in the document that is being read. */
static void
read_checks(struct file *f, struct fields *e)
{
	static const char *const lists[] = { "graders", "validators",
		"assertions" };
	struct scenarios *r = f->scenarios;
	const struct document *doc = r->doc;
	const struct json *limits = fields_object_if(e, "constraints");

	r->doc = f->doc;
	read_graders(r, f->graders, e->object);
	r->doc = doc;
	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
		read_graders(r, fields_list_if(e, lists[i]), e->object);
	if (limits != NULL)
		waza_limits(r, limits, false);
	waza_limits(r, e->object, true);
	read_rubric(r, e->object);
}

/* Reads a task, a stimulus or a scenario. */
static void
read_task(struct file *f, const struct json *v)
{
	struct scenarios *r = f->scenarios;
	struct fields e = scenarios_open(r, v, "task");
	struct str id = fields_name_if(&e, "id"),
		   name = fields_str_if(&e, "name"), prompt;
	const struct json *inputs = json_get(v, "inputs");

	if (inputs == NULL)
		inputs =
		    is_list(v, "turns") ? json_first(json_get(v, "turns")) : v;
	prompt = json_text(json_get(inputs, "prompt"), r->arena);
	if (json_is(json_get(v, "enabled"), JSON_FALSE))
		return;
	fields_ignore(&e, unused);
	warn_expected(&e);
	scenarios_begin(r, v, id.s != NULL ? id : name,
	    prompt.n == 0 ? str_of(NULL) : prompt);
	if (id.s != NULL && name.s != NULL)
		scenarios_set_logged_name(r, name);
	read_checks(f, &e);
	scenarios_end_object(r, &e);
}

/* Reads the files of tasks that a pattern names, beside the file of the eval. */
static void
read_files(struct file *f, const struct json *pattern)
{
	struct scenarios *r = f->scenarios;
	struct str path = str_cat(r->arena, str_folder(str_of(f->doc->file)),
	    json_text(pattern, r->arena));
	glob_t found = { 0 };
	struct document *doc;

	if (glob(str_c(r->arena, path), 0, NULL, &found) != 0)
		document_report(f->doc, MISTAKE_REFUSES, pattern,
		    "tasks: no file '%.*s'", STR_FMT(path));
	for (size_t i = 0; i < found.gl_pathc; i++) {
		doc = document_read_regular(r->arena,
		    str_c(r->arena, str_of(found.gl_pathv[i])), f->doc->policy);
		if (doc == NULL)
			continue;
		document_resolve(doc, TYPES_GO);
		r->doc = doc;
		for (size_t k = 0; k < doc->n; k++)
			read_task(f, doc->roots[k]);
		r->doc = f->doc;
	}
	globfree(&found);
}

/* ---- a file ---- */

static const char *const lists[] = { "stimuli", "scenarios", "tasks", NULL };

/* Reads a file with lists of tasks. */
static void
read_eval(struct file *f, const struct json *root)
{
	struct scenarios *r = f->scenarios;
	struct fields e = scenarios_open(r, root, "eval");
	bool any = false;

	f->graders = fields_list_if(&e, "graders");
	fields_ignore(&e,
	    "name description version skill type config defaults environment "
	    "metrics scoring baseline tags hooks inputs range executor "
	    "scenario schemaVersion mcp_mocks judge $schema");
	if (fields_get(&e, "tasks_from") != NULL)
		fields_mistake(&e, json_get(root, "tasks_from"),
		    "tasks_from: a table of tasks is not read");
	for (size_t i = 0; lists[i] != NULL; i++) {
		for (json_each(v, fields_list_if(&e, lists[i]))) {
			any = true;
			fields_note(r->doc, v, NULL, IS(TEXT) | IS(OBJECT));
			if (json_is(v, JSON_STRING))
				read_files(f, v);
			else
				read_task(f, v);
		}
	}
	if (!any && json_count(f->graders) != 0) {
		scenarios_begin_all(r, root);
		read_graders(r, f->graders, root);
	} else if (!any) {
		fields_mistake(&e, NULL, "no tasks, stimuli or scenarios");
	}
	(void)fields_close(&e, NULL);
}

/* Returns whether the value is a grader by itself. */
static bool
is_grader(const struct json *v)
{
	struct arena a = { 0 };
	bool ours = json_is(json_get(v, "config"), JSON_OBJECT) &&
	    waza_has_type(json_text(json_get(v, "type"), &a));

	arena_free(&a);
	return ours;
}

/* Returns whether the value is a scenario of skill-validator's, or a task. */
static bool
is_task(const struct json *v)
{
	const struct json *inputs = json_get(v, "inputs");

	if (json_is(inputs, JSON_OBJECT))
		return json_has(inputs, "prompt") || is_list(v, "graders");
	return json_has(v, "name") && json_has(v, "prompt") &&
	    !json_has(v, "eval") &&
	    (is_list(v, "assertions") || is_list(v, "rubric") ||
		is_list(v, "graders") || is_list(v, "validators") ||
		scenarios_any(v, "setup expect_tools reject_tools") != NULL);
}

/* Returns whether the value configures a project of waza's or Vally's. */
static bool
is_config(const struct json *root)
{
	const struct json *paths = json_get(root, "paths");

	return json_has(paths, "evals") || json_has(paths, "skills");
}

static bool
owns(const struct document *doc)
{
	const struct json *root = document_root(doc);
	const struct json *first =
	    json_first(json_is(root, JSON_ARRAY) ? root : NULL);

	return is_list(root, "stimuli") || is_config(root) ||
	    (json_has(root, "skill") && is_list(root, "tasks")) ||
	    (is_list(root, "scenarios") &&
		is_task(json_first(json_get(root, "scenarios")))) ||
	    (is_task(root) && !is_list(root, "assertions")) ||
	    is_grader(root) || is_grader(first) ||
	    (is_list(root, "graders") &&
		json_has(json_first(json_get(root, "graders")), "type"));
}

static void
read(struct scenarios *r)
{
	for (size_t i = 0; i < r->doc->n; i++) {
		const struct json *root = r->doc->roots[i];
		struct file f = { .scenarios = r, .doc = r->doc };
		bool eval = json_has(root, "graders") && !is_task(root);

		for (size_t k = 0; lists[k] != NULL; k++)
			eval |= is_list(root, lists[k]);
		if (eval) {
			read_eval(&f, root);
		} else if (is_config(root)) {
			document_report(r->doc, MISTAKE_REFUSES, root,
			    "a project's configuration, which has no stimuli "
			    "or graders: give its eval files");
		} else if (json_is(root, JSON_ARRAY) || is_grader(root)) {
			scenarios_begin_all(r, root);
			if (json_is(root, JSON_ARRAY))
				read_graders(r, root, NULL);
			else
				waza_read_grader(r, root, NULL);
		} else {
			read_task(&f, root);
		}
	}
}

const struct dialect dialect_waza = {
	.name = "waza",
	.advised = true,
	.in = "config",
	.what = "waza and Vally: evals, tasks, stimuli and graders",
	.schema = TYPES_GO,
	.owns = owns,
	.types = waza_types,
	.read = read,
	.wraps_prompts = true,
};
