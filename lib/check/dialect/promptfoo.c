/* promptfoo's configurations: tests with vars and assertions. */
#include "check/dialect/promptfoo.h"

#include "check/dialect/dialect.h"

/* ---- forms ---- */

static const struct form *const lists[] = {
	promptfoo_text_forms,
	promptfoo_metric_forms,
};

/* Returns all forms, each with its `not-`. */
static struct forms
forms_of(struct arena *a)
{
	struct forms forms = { .key = "type", .what = "assert" };
	struct form *all = NULL;
	size_t n = 0;

	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
		for (const struct form *f = lists[i]; f->name != NULL; f++) {
			struct form *negated;

			*arena_push(a, all, n) = *f;
			negated = arena_push(a, all, n);
			*negated = *f;
			negated->name =
			    str_c(a, str_cat(a, STR("not-"), str_of(f->name)));
		}
	forms.list = all;
	forms.n = n;
	return forms;
}

/* ---- tests ---- */

static void
read_test(struct scenarios *r, const struct json *v, struct forms *forms)
{
	struct fields e = fields_open(r->arena, r->doc, v, STR("test"));
	struct promptfoo_test *t = arena_new(r->arena, struct promptfoo_test);

	scenarios_begin(
	    r, fields_str_if(&e, "description"), (struct str){ 0 });
	t->vars = fields_object_if(&e, "vars");
	forms->part_of = t;
	scenarios_read_assertions(r, fields_list_if(&e, "assert"), forms);
	scenarios_end_object(r, &e);
}

static bool
owns(const struct document *doc)
{
	const struct json *root = doc->n == 0 ? NULL : doc->roots[0];

	return json_has(root, "tests") &&
	    (json_has(root, "prompts") || json_has(root, "providers"));
}

static void
read_file(struct scenarios *r)
{
	static const char *const ignored[] = { "description", "prompts",
		"providers", NULL };
	struct forms forms = forms_of(r->arena);

	for (size_t i = 0; i < r->doc->n; i++) {
		struct fields e = fields_open(r->arena, r->doc,
		    r->doc->roots[i], STR("promptfoo configuration"));

		fields_ignore(&e, ignored);
		for (json_each(v, fields_list_if(&e, "tests")))
			read_test(r, v, &forms);
		fields_close(&e, NULL);
	}
}

const struct dialect dialect_promptfoo = {
	.name = "promptfoo",
	.what = "promptfoo: promptfooconfig.yaml, tests in YAML, JSON and CSV",
	.schema = TYPES_CORE,
	.owns = owns,
	.read = read_file,
};
