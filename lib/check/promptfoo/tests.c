/* The tests of promptfoo's configurations. */
#include "check/promptfoo/promptfoo.h"

#include <glob.h>
#include <string.h>

/* ---- a test ---- */

/* Adds the prompts of the test, by which a run is recognised. Returns why one of
 * them is not known; absent if all are. */
static struct str
add_prompts(struct promptfoo_config *c, struct promptfoo_test *t,
    const struct test_parts *p)
{
	struct str prefix = json_text(test_option(p, "prefix"), c->arena);
	struct str suffix = json_text(test_option(p, "suffix"), c->arena);
	struct str unknown = { 0 };

	for (size_t i = 0; i < c->nprompts; i++) {
		struct promptfoo_prompt one = c->prompts[i];
		struct str why = { 0 }, text;

		if (one.raw.s != NULL && prefix.n + suffix.n != 0)
			one.raw = str_cat3(c->arena, prefix, one.raw, suffix);
		text = promptfoo_prompt_text(c, &one, &t->vars, &why);
		if (text.s == NULL)
			unknown = why;
		else if (str_trim(text).n != 0) {
			scenarios_add_prompt(c->scenarios, text);
			t->prompt = text;
		}
	}
	return unknown;
}

/* Sets the vars that a program adds to the values or changes, unless a var has
 * several: promptfoo runs it before it combines them. Returns false if they are not
 * known. */
static bool
add_generated(struct promptfoo_config *c, const struct test_parts *p,
    struct promptfoo_choice_list *all, bool expand)
{
	const struct json *program = test_option(p, "transformVars"), *more;
	struct promptfoo_vars vars = { 0 };

	for (size_t i = 0; i < all->n; i++) {
		if (all->list[i].n != 1)
			return false;
		promptfoo_set_var(&vars,
		    (struct promptfoo_var){ .name = all->list[i].name,
			.value = all->list[i].values[0] },
		    c->arena);
	}
	more = promptfoo_generate_vars(c, json_text(program, c->arena), &vars);
	if (more != NULL)
		promptfoo_set_choices(c, all, more, expand);
	return more != NULL;
}

/* Makes all vars unknown. */
static void
forget_vars(struct promptfoo_vars *vars)
{
	for (size_t i = 0; i < vars->n; i++) {
		vars->list[i].value = NULL;
		vars->list[i].unknown =
		    STR("the vars are changed by 'options.transformVars', a "
			"program, which is not run");
	}
}

/* Lists of assertions: of each part, of the suite, and AgentV's criteria. */
enum { LISTS = 5 };

/* Adds the assertions of all parts. */
static void
add_assertions(struct promptfoo_config *c, struct promptfoo_test *t,
    const struct test_parts *p)
{
	struct promptfoo_part lists[LISTS], limit = test_part(p, "threshold");
	double *threshold = NULL;
	size_t n = 0;

	if (c->suite.v != NULL &&
	    !json_is(json_path(p->list[p->n - 1].v, "execution.skip_defaults"),
		JSON_TRUE))
		lists[n++] = c->suite;
	for (size_t i = 0; i < p->n; i++) {
		const struct json *v = json_get(p->list[i].v, "assert");

		if (c->agentv && v == NULL)
			v = json_get(p->list[i].v, "assertions");
		if (v != NULL && !json_is(v, JSON_NULL) &&
		    !(i == 0 && p->defaulted &&
			json_is(test_option(p, "disableDefaultAsserts"),
			    JSON_TRUE)))
			lists[n++] =
			    (struct promptfoo_part){ v, p->list[i].doc };
	}
	/* Only the assertions run where a test has some. */
	if (c->agentv && n == 0 && test_part(p, "criteria").v != NULL)
		lists[n++] = test_part(p, "criteria");
	t->assert_hash = promptfoo_assert_hash(lists, n, c->arena);
	if (json_is(limit.v, JSON_NUMBER)) {
		threshold = arena_new(c->arena, double);
		*threshold = json_double(limit.v);
	}
	promptfoo_read_assertions(
	    t, lists, n, threshold, test_part(p, "assertScoringFunction").v);
}

/* Begins a scenario of the test, whose value holds its assertions; but AgentV has
 * other types, and a table has been made into values. */
static void
begin_scenario(
    struct promptfoo_config *c, struct promptfoo_part at, struct str id)
{
	struct scenarios *r = c->scenarios;
	const struct document *own = r->doc;

	r->doc = at.doc;
	if (c->agentv || str_ends(str_of(at.doc->file), ".csv") ||
	    promptfoo_is_program(str_of(at.doc->file)))
		at.v = NULL;
	scenarios_begin(r, at.v, id, (struct str){ 0 });
	r->doc = own;
}

/* Returns how many results promptfoo makes of each combination of the vars, unless
 * its command line has --repeat. */
static size_t
repetitions(const struct promptfoo_config *c, const struct test_parts *p)
{
	double n = json_double(test_option(p, "repeat"));

	return !c->recorded && n >= 1 && n <= PROMPTFOO_COMBINATIONS ? (size_t)n
								     : 1;
}

/* Adds the scenario of one combination of the vars, of `t->step` many. */
static struct str
add_scenario(struct promptfoo_config *c, const struct test_parts *p,
    struct str id, struct promptfoo_test *t)
{
	struct promptfoo_part metadata = test_part(p, "metadata");
	struct str unknown;

	t->config = c;
	t->now = arena_new(c->arena, struct promptfoo_now);
	if (json_is(test_part(p, "turns").v, JSON_ARRAY))
		t->undecided = STR("AgentV's conversations of several turns "
				   "are not decided");
	begin_scenario(c, p->list[p->n - 1], id);
	scenarios_set_logged_name(
	    c->scenarios, json_text(json_get(metadata.v, "id"), c->arena));
	scenarios_set_key(c->scenarios, t->vars.key, t->step > 1);
	scenarios_set_own(c->scenarios, t, t->changed);
	if (t->changed)
		forget_vars(&t->vars);
	t->criteria = json_text(test_part(p, "criteria").v, c->arena);
	t->metadata = metadata.v;
	t->rubric_prompt = test_option(p, "rubricPrompt");
	memcpy(t->parts, p->list, sizeof t->parts);
	t->nparts = p->n;
	t->transform = test_option(p, "transform");
	if (t->transform == NULL)
		t->transform = test_option(p, "postprocess");
	if (c->agentv)
		promptfoo_agentv_test(c, t, test_part(p, "input").v,
		    test_part(p, "expected_output").v);
	unknown = add_prompts(c, t, p);
	add_assertions(c, t, p);
	return unknown;
}

/* Warns that runs of the test are not found by a prompt, unless the last warning
 * had the same reason. */
static void
report_unfound(struct promptfoo_config *c, struct promptfoo_part at,
    struct str id, struct str why)
{
	if (why.s == NULL || str_eq(why, c->unfound))
		return;
	c->unfound = why;
	document_report(at.doc, MISTAKE_REMARK, at.v,
	    "test: its runs are not found by a prompt, only by the "
	    "scenario's id '%.*s': %.*s",
	    STR_FMT(id), STR_FMT(why));
}

/* Adds the scenarios of a test, one for each combination of its vars. */
static void
add_test(struct promptfoo_config *c, const struct test_parts *p,
    struct str otherwise)
{
	struct promptfoo_part at = p->list[p->n - 1];
	struct str id = json_text(test_part(p, "description").v, c->arena),
		   unknown = { 0 };
	bool expand = !c->recorded &&
	    !json_is(test_option(p, "disableVarExpansion"), JSON_TRUE);
	struct promptfoo_choice_list all = { 0 };
	bool changed;
	size_t n;

	c->ntests++;
	if (c->agentv && json_is(test_part(p, "id").v, JSON_STRING))
		id = json_text(test_part(p, "id").v, c->arena);
	if (id.n == 0)
		id = otherwise.s != NULL
		    ? otherwise
		    : str_printf(c->arena, "tests[%zu]", c->ntests - 1);
	for (size_t i = 0; i < p->n; i++)
		promptfoo_read_vars(c, &all, p->list[i], expand);
	changed = !c->recorded && test_option(p, "transformVars") != NULL &&
	    !add_generated(c, p, &all, expand);
	n = promptfoo_count_combinations(&all);
	if (n > PROMPTFOO_COMBINATIONS) {
		document_report(at.doc, MISTAKE_REFUSES, at.v,
		    "vars: expected at most %d combinations of their values",
		    PROMPTFOO_COMBINATIONS);
		n = 1;
	}
	for (size_t i = 0; i < n; i++) {
		struct promptfoo_test *t =
		    arena_new(c->arena, struct promptfoo_test);

		t->vars = promptfoo_combination(c, &all, i);
		t->number = c->nresults + i;
		t->step = n;
		t->changed = changed;
		t->repeat = repetitions(c, p);
		unknown = add_scenario(c, p, id, t);
	}
	c->nresults += n * repetitions(c, p);
	report_unfound(c, at, id, unknown);
	if (!c->recorded)
		test_part_check(c, at, "test");
}

/* ---- files of tests ---- */

/* Reads a test or a list of tests. Tests without a description are called by
 * their row, from `row` on; 0: they are not. */
static void read_list(struct promptfoo_config *c, struct promptfoo_part part,
    const struct test_parts *before, size_t row);

/* Returns why tests of this name are not read; NULL: they can be. */
static const char *
why_unread(struct str path)
{
	static const char *const elsewhere[] = { "huggingface://", "az://",
		"https://", "http://", "s3://" };

	if (promptfoo_is_program(path))
		return "tests that a program makes are not read without "
		       "--allow-commands";
	if (str_ends(path, ".xlsx") || str_ends(path, ".xls"))
		return "tests in a spreadsheet are not read (CSV is)";
	for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++)
		if (str_starts(path, elsewhere[i]))
			return "tests on another machine are not read";
	return NULL;
}

/* Returns false, with a message, if files name each other without end. */
static bool
may_go_deeper(struct promptfoo_config *c, struct promptfoo_part at)
{
	if (c->depth < PROMPTFOO_DEEPEST)
		return true;
	document_report(at.doc, MISTAKE_REFUSES, at.v,
	    "tests: files name each other without end");
	return false;
}

static void
read_test_file(struct promptfoo_config *c, struct str path,
    const struct test_parts *before, bool numbered)
{
	const struct document *doc = promptfoo_read(c, path);

	for (size_t i = 0; doc != NULL && i < doc->n; i++)
		read_list(c, (struct promptfoo_part){ doc->roots[i], doc },
		    before, numbered ? i + 1 : 0);
}

/* Reads the tests of the files that a text names. */
static void
read_files(struct promptfoo_config *c, struct promptfoo_part at,
    struct str reference, const struct test_parts *before, bool numbered)
{
	const struct document *doc;
	const char *why;
	glob_t found = { 0 };
	struct str path;

	if (promptfoo_generates(c, reference)) {
		doc = promptfoo_generate_tests(
		    c, at, reference, json_get(at.v, "config"));
		if (doc != NULL && doc->n != 0)
			read_list(c,
			    (struct promptfoo_part){ doc->roots[0], doc },
			    before, 0);
		return;
	}
	why = why_unread(reference);
	if (why != NULL) {
		document_report(at.doc, MISTAKE_REFUSES, at.v,
		    "tests: %s: '%.*s'", why, STR_FMT(reference));
		return;
	}
	path = promptfoo_path(c, str_folder(str_of(at.doc->file)), reference);
	if (glob(str_c(c->arena, path), 0, NULL, &found) != 0)
		document_report(at.doc, MISTAKE_REFUSES, at.v,
		    "tests: no file '%.*s'", STR_FMT(path));
	for (size_t i = 0; i < found.gl_pathc; i++)
		read_test_file(c, str_dup(c->arena, str_of(found.gl_pathv[i])),
		    before, numbered);
	globfree(&found);
}

/* Lets the document's watcher know that a test, a list of tests, or the name of
 * their file may be here. */
static void
note_tests(struct promptfoo_part at)
{
	if (!json_is(at.v, JSON_ARRAY))
		fields_note_alike(at.doc, at.v, "test");
	fields_note(at.doc, at.v, NULL, IS(LIST) | IS(OBJECT) | IS(TEXT));
	fields_note(at.doc, at.v, "path", IS(ANY));
}

static void
read_test(struct promptfoo_config *c, struct promptfoo_part at,
    const struct test_parts *before, struct str otherwise)
{
	struct test_parts p = *before;
	struct str text = json_text(at.v, c->arena);

	note_tests(at);
	if (str_find_char(text, '*') < text.n) {
		read_files(c, at, text, before, false);
		return;
	}
	at = promptfoo_resolve(c, at);
	if (at.v == NULL)
		return;
	if (json_is(at.v, JSON_STRING) || json_is(at.v, JSON_ARRAY)) {
		if (text.s != NULL && !json_is(at.v, JSON_ARRAY))
			read_files(c, at, text, before, false);
		else
			read_list(c, at, before, 0);
		return;
	}
	text = json_text(json_get(at.v, "path"), c->arena);
	if (text.s != NULL && !json_has(at.v, "assert")) {
		read_files(c, at, text, before, true);
		return;
	}
	p.list[p.n++] = at;
	add_test(c, &p, otherwise);
}

static void
read_list(struct promptfoo_config *c, struct promptfoo_part part,
    const struct test_parts *before, size_t row)
{
	const struct json *v =
	    json_is(part.v, JSON_ARRAY) ? json_first(part.v) : part.v;

	note_tests(part);
	if (!may_go_deeper(c, part))
		return;
	c->depth++;
	while (v != NULL) {
		read_test(c, (struct promptfoo_part){ v, part.doc }, before,
		    row == 0 ? str_of(NULL)
			     : str_printf(c->arena, "Row #%zu", row++));
		v = v == part.v ? NULL : json_next(part.v, v);
	}
	c->depth--;
}

void
promptfoo_check_default(
    struct promptfoo_config *c, struct promptfoo_part defaults)
{
	if (defaults.v != NULL)
		test_part_check(c, defaults, "defaultTest");
}

static struct test_parts
begin(const struct promptfoo_part *defaults)
{
	struct test_parts p = { 0 };

	if (defaults->v != NULL) {
		p.list[p.n++] = *defaults;
		p.defaulted = true;
	}
	return p;
}

void
promptfoo_read_tests(struct promptfoo_config *c, struct promptfoo_part tests,
    const struct promptfoo_part *defaults)
{
	struct test_parts before = begin(defaults);
	struct str text = json_text(tests.v, c->arena);

	if (text.s != NULL)
		read_files(c, tests, text, &before,
		    !str_ends(text, "yaml") && !str_ends(text, "yml"));
	else if (tests.v != NULL)
		read_list(c, tests, &before, 0);
}

void
promptfoo_read_default(
    struct promptfoo_config *c, struct promptfoo_part defaults)
{
	struct test_parts p = { .list = { defaults }, .n = 1 };

	add_test(c, &p, (struct str){ 0 });
}

/* Reports a value that is no list. */
static void
need_list(struct promptfoo_part at, const char *what)
{
	if (at.v != NULL && !json_is(at.v, JSON_ARRAY))
		document_report(at.doc, MISTAKE_REFUSES, at.v,
		    "%s: expected a list, found %s", what,
		    json_type_name(at.v));
}

/* Reads the tests of a scenario once for each of its data. */
static void
read_scenario(struct promptfoo_config *c, struct promptfoo_part part,
    const struct test_parts *before)
{
	const struct json *tests = json_get(part.v, "tests");
	struct promptfoo_part config = promptfoo_resolve(
	    c, (struct promptfoo_part){ json_get(part.v, "config"), part.doc });
	static const struct json none = {
		.text = STR_CONST("{}"), .span = 1, .type = JSON_OBJECT
	};

	fields_note(config.doc, config.v, NULL, IS(LIST));
	need_list(config, "config");
	for (json_each(v, config.v)) {
		struct test_parts p = *before;

		p.list[p.n++] = promptfoo_resolve(
		    c, (struct promptfoo_part){ v, config.doc });
		test_part_check(c, p.list[p.n - 1], "config");
		if (json_is(tests, JSON_STRING))
			read_files(c,
			    (struct promptfoo_part){ tests, part.doc },
			    json_text(tests, c->arena), &p, false);
		else
			read_list(c,
			    (struct promptfoo_part){
				tests == NULL ? &none : tests, part.doc },
			    &p, 0);
	}
}

static void read_scenario_at(struct promptfoo_config *, struct promptfoo_part,
    const struct test_parts *);

/* Reads the scenarios of the files that a pattern names. */
static void
read_scenario_files(struct promptfoo_config *c, const struct test_parts *before,
    const glob_t *found)
{
	for (size_t i = 0; i < found->gl_pathc; i++) {
		const struct document *doc = promptfoo_read(
		    c, str_dup(c->arena, str_of(found->gl_pathv[i])));

		if (doc != NULL && doc->n != 0)
			read_scenario_at(c,
			    (struct promptfoo_part){ doc->roots[0], doc },
			    before);
	}
}

/* Reads a scenario, a list of scenarios, or those of the files that a text names. */
static void
read_scenario_at(struct promptfoo_config *c, struct promptfoo_part at,
    const struct test_parts *before)
{
	struct str text = json_text(at.v, c->arena);
	glob_t found = { 0 };
	struct fields e;

	if (!may_go_deeper(c, at))
		return;
	if (str_find_char(text, '*') < text.n &&
	    glob(str_c(c->arena,
		     promptfoo_path(c, str_folder(str_of(at.doc->file)), text)),
		0, NULL, &found) == 0) {
		c->depth++;
		read_scenario_files(c, before, &found);
		c->depth--;
		globfree(&found);
		return;
	}
	at = promptfoo_resolve(c, at);
	if (at.v == NULL)
		return;
	if (json_is(at.v, JSON_ARRAY)) {
		c->depth++;
		for (json_each(v, at.v))
			read_scenario_at(
			    c, (struct promptfoo_part){ v, at.doc }, before);
		c->depth--;
		return;
	}
	e = fields_open(c->arena, at.doc, at.v, STR("scenario"));
	(void)fields_str_if(&e, "description");
	(void)fields_need(&e, "config");
	note_tests((struct promptfoo_part){ fields_get(&e, "tests"), at.doc });
	(void)fields_close(&e, NULL);
	if (fields_ok(&e))
		read_scenario(c, at, before);
}

void
promptfoo_read_scenarios(struct promptfoo_config *c,
    struct promptfoo_part scenarios, const struct promptfoo_part *defaults)
{
	struct test_parts before = begin(defaults);

	scenarios = promptfoo_resolve(c, scenarios);
	if (scenarios.v != NULL) {
		fields_note(scenarios.doc, scenarios.v, NULL, IS(LIST));
		need_list(scenarios, "scenarios");
	}
	for (json_each(v, scenarios.v))
		read_scenario_at(
		    c, (struct promptfoo_part){ v, scenarios.doc }, &before);
}
