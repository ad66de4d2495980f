/* Checks that programs of the author make a part of when a run is there: the answer that
 * is looked at (`transform`), the value (`value: file://PROGRAM`), and the context that a
 * judge sees (`contextTransform`), as promptfoo 0.123 does (src/assertions/index.ts,
 * src/assertions/contextUtils.ts). */
#include "check/promptfoo/program.h"

#include <string.h>

#include "check/kind/kind.h"
#include "io/out.h"

struct made_want {
	struct promptfoo_changes changes;
	const struct promptfoo_program *value, *context; /* NULL: none */
	/* The check; of a context, the check without the context; NULL: it is made
	 * of the value. */
	const struct check *inner;
	/* The assertion from which it is made: */
	const struct json *object, *given; /* given: its value, with the vars */
	const struct form *form;
	const struct promptfoo_test *test;
};

/* ---- what programs return ---- */

/* Returns what is wrong with a value that a program returned; NULL: nothing. */
static const char *
wrong_value(const struct program_answer *answer)
{
	const struct json *v = answer->value;

	if (str_is(answer->type, "function"))
		return "a function";
	if (v == NULL)
		return answer->text.s != NULL ? "no finite number" : "nothing";
	if (json_is(v, JSON_TRUE) || json_is(v, JSON_FALSE))
		return "true or false";
	return json_is(v, JSON_OBJECT) && json_has(v, "pass")
	    ? "an object with 'pass'"
	    : NULL;
}

/* Asks the program of the value. Returns NULL, with *f, if there is no such value. */
static const struct json *
ask_value(const struct made_want *w, struct view *v, struct str output,
    struct finding *f)
{
	struct program_answer answer = promptfoo_call(w->value, v, output);
	const char *wrong;

	if (answer.error.s != NULL) {
		*f = promptfoo_failed(v, "the value: ", answer.error);
		return NULL;
	}
	wrong = wrong_value(&answer);
	if (wrong != NULL)
		*f = promptfoo_failed(v, "",
		    str_printf(v->arena,
			"the value: the program returned %s; expected text, a "
			"number, a list or a mapping",
			wrong));
	return wrong != NULL ? NULL : answer.value;
}

/* Returns the texts of the list with empty lines between them; absent if one of them is
 * no text, or empty. */
static struct str
joined(const struct json *list, struct arena *a)
{
	struct str_list texts = { 0 };

	for (json_each(v, list)) {
		if (!json_is(v, JSON_STRING) || json_str_is(v, ""))
			return (struct str){ 0 };
		str_list_add(a, &texts, json_text(v, a));
	}
	return texts.n == 0 ? str_of(NULL)
			    : str_join(a, texts.list, texts.n, STR("\n\n"));
}

/* Asks the program of the context, which sees the answer as the agent gave it. Returns
 * absent text, with *f, if there is no context. */
static struct str
ask_context(const struct made_want *w, struct view *v, struct finding *f)
{
	struct promptfoo_changes lacks = promptfoo_lacking(&w->changes, v);
	struct str output = promptfoo_recorded(v, f), text = { 0 };
	struct program_answer answer;

	if (lacks.test != w->changes.test) {
		*f = finding_skip("not recorded: the answer before "
				  "'options.transform' changed it");
		return text;
	}
	answer = promptfoo_call(w->context, v, output);
	if (answer.error.s == NULL) {
		text = json_is(answer.value, JSON_ARRAY)
		    ? joined(answer.value, v->arena)
		    : json_text(answer.value, v->arena);
		if (text.n == 0)
			answer.error = STR("expected text or a list of texts");
	}
	if (answer.error.s != NULL)
		*f = promptfoo_failed(v, "the context: ", answer.error);
	return answer.error.s != NULL ? str_of(NULL) : text;
}

/* ---- making ---- */

/* Returns the assertion, as JSON, with this value (NULL: its own). */
static struct str
with_value(const struct json *object, const struct json *value, struct arena *a)
{
	struct out o;

	out_open_json(&o, '{');
	for (json_members(key, object))
		if (value == NULL || !json_str_is(key, "value"))
			promptfoo_put_member(&o, key, a);
	if (value != NULL) {
		out_member_raw(&o, "value", value->text);
	}
	return out_keep_json(&o, '}', a);
}

/* Sets the var `context` of the test to the text, or adds it. */
static void
set_context(struct promptfoo_test *t, struct str text, struct arena *a)
{
	struct promptfoo_vars vars = { .prefixed = t->vars.prefixed };

	for (size_t i = 0; i < t->vars.n; i++)
		*arena_push(a, vars.list, vars.n) = t->vars.list[i];
	promptfoo_set_var(&vars,
	    (struct promptfoo_var){
		.name = STR("context"), .value = promptfoo_quoted(text, a) },
	    a);
	t->vars = vars;
}

/* Returns the check that the form makes of the assertion with this value and this
 * context, each of which may be NULL or absent. Several threads may read an assertion at
 * once: what the reader changes is a copy, and messages go nowhere. Returns NULL, with
 * *f, if the assertion has a mistake. */
static struct check *
make(const struct made_want *w, struct view *v, const struct json *value,
    struct str context, struct finding *f)
{
	struct arena *a = v->arena;
	struct promptfoo_config *config = arena_new(a, struct promptfoo_config);
	struct promptfoo_test *test = arena_new(a, struct promptfoo_test);
	struct assertion *of = arena_new(a, struct assertion);
	struct check *c = arena_new(a, struct check);
	struct promptfoo_now now = { .made = true };
	struct diag_log unwanted = { 0 }, *before = diag_keep(&unwanted);
	const struct document *doc =
	    document_read_text(a, w->test->config->root.doc->file,
		with_value(w->object, value, a), NULL);
	struct fields e;

	*config = *w->test->config;
	*test = *w->test;
	config->arena = a;
	config->root.doc = doc;
	test->config = config;
	test->now = &now;
	*of = (struct assertion){ w->form, test };
	if (context.s != NULL)
		set_context(test, context, a);
	e = fields_open(a, doc, doc->roots[0], str_of(w->form->name));
	e.context = of;
	e.is_assertion = true;
	now.value = value == NULL ? w->given : fields_get(&e, "value");
	*c = w->form->make(&e);
	(void)diag_keep(before);
	diag_forget(&unwanted);
	if (fields_ok(&e))
		return c;
	*f = promptfoo_failed(v, "", e.wrong);
	return NULL;
}

/* Returns the check that decides; NULL, with *f, if there is none. */
static const struct check *
decider(const struct made_want *w, struct view *v, struct str output,
    struct finding *f)
{
	const struct json *value = NULL;
	struct str context = { 0 };

	if (w->value == NULL && w->context == NULL)
		return w->inner;
	if (w->value != NULL)
		value = ask_value(w, v, output, f);
	if (w->value != NULL && value == NULL)
		return NULL;
	if (w->context != NULL)
		context = ask_context(w, v, f);
	if (w->context != NULL && context.s == NULL)
		return NULL;
	return make(w, v, value, context, f);
}

/* ---- deciding ---- */

/* Returns a view of the run whose answer is the output, which is JSON. */
static struct view *
view_changed(struct view *v, struct str output)
{
	const struct json *text = json_parse(v->arena, output);
	struct view *of = view_of_text(
	    v, json_is(text, JSON_STRING) ? json_text(text, v->arena) : output);

	of->trace = v->trace;
	of->options = v->options;
	of->have = v->have;
	of->cut = v->cut;
	return of;
}

static struct finding
find(const void *want, struct view *v)
{
	const struct made_want *w = want;
	struct promptfoo_changes lacks = promptfoo_lacking(&w->changes, v);
	bool changed = lacks.test != NULL || lacks.own != NULL;
	const struct check *c = w->inner;
	struct view *of = v;
	struct finding f = { 0 };
	struct str output;

	if (changed || w->value != NULL || w->context != NULL) {
		if (!promptfoo_change_answer(&w->changes, v, &output, &f))
			return f;
		c = decider(w, v, output, &f);
		if (c == NULL)
			return f;
	}
	if (c->needs & ~v->have)
		return finding_skip(str_cat(v->arena, STR("not recorded: "),
		    str_of(view_evidence_name(c->needs & ~v->have))));
	if (changed)
		of = view_changed(v, output);
	f = c->kind->find(c->want, of);
	f.fresh = c != w->inner;
	if (f.fresh || c->kind->ask != NULL)
		f.made = c;
	if (changed && c->kind->ask != NULL)
		f.cause = view_shown(v, view_text(of, VIEW_AS_WRITTEN));
	if (changed)
		json_reader_free(&of->reader);
	return f;
}

static const struct check *
inner_check(const void *want)
{
	const struct made_want *w = want;

	return w->inner;
}

static void
show(const void *want, struct out *o)
{
	const struct made_want *w = want;

	promptfoo_show_changes(&w->changes, o);
	promptfoo_show_program(w->value, "value", o);
	promptfoo_show_program(w->context, "context_transform", o);
	if (w->inner != NULL)
		check_show_wanted(w->inner, o);
}

/* ---- reading ---- */

static const struct check_kind kind = {
	.name = "transformed", .find = find, .show = show, .inner = inner_check
};

static struct made_want
want_of(struct fields *e)
{
	const struct promptfoo_test *t = promptfoo_test_of(e);

	return (struct made_want){ .changes = promptfoo_read_changes(e),
		.object = e->object,
		.given = t->now->value,
		.form = scenarios_form(e),
		.test = t };
}

struct check
promptfoo_of_value(struct fields *e)
{
	struct made_want w = want_of(e);
	struct promptfoo_program *p =
	    arena_new(e->arena, struct promptfoo_program);
	struct str text = json_text(w.given, e->arena);

	/* promptfoo takes the name of the program for the value. */
	if (str_contains(str_of(w.form->name), "trace-"))
		fields_spoil(e, json_get(e->object, "value"),
		    "value: no program makes a value of this type");
	promptfoo_read_program(e, text, "get_assert", p);
	w.value = p;
	e->any_key = true;
	return promptfoo_finish(
	    e, check_new(e->arena, &kind, &w, sizeof w, VIEW_TEXT), text);
}

struct check
promptfoo_made(struct fields *e, struct check c)
{
	const struct promptfoo_now *now = promptfoo_test_of(e)->now;
	struct made_want w;
	struct check *inner;

	if (now->made || c.kind == NULL || c.kind == &kind ||
	    c.kind == &promptfoo_program_kind)
		return c;
	w = want_of(e);
	if (now->context)
		w.context =
		    promptfoo_read_change(e, fields_get(e, "contextTransform"));
	if (w.context == NULL &&
	    ((w.changes.test == NULL && w.changes.own == NULL) ||
		!(c.needs & VIEW_TEXT)))
		return c;
	inner = arena_new(e->arena, struct check);
	*inner = c;
	w.inner = inner;
	c.kind = &kind;
	c.want = memcpy(arena_alloc(e->arena, sizeof w), &w, sizeof w);
	return c;
}
