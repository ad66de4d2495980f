#include "check/dialect/scenarios.h"

#include <string.h>

void
scenarios_begin(struct scenarios *r, const struct json *object, struct str id,
    struct str prompt)
{
	struct scenario *s = arena_push(r->arena, r->scenarios, r->n);

	s->id = id;
	s->prompt = prompt;
	s->doc = r->doc;
	scenarios_set_object(r, object);
}

void
scenarios_begin_all(struct scenarios *r, const struct json *object)
{
	const struct str any = { 0 };

	scenarios_begin(r, object, any, any);
}

struct fields
scenarios_open(
    struct scenarios *r, const struct json *object, const char *where)
{
	return fields_open(r->arena, r->doc, object, str_of(where));
}

void
scenarios_set_object(struct scenarios *r, const struct json *object)
{
	struct scenario *s = scenarios_current(r);

	s->object = object;
	s->place = document_place(r->doc, object);
}

void
scenarios_set_logged_name(struct scenarios *r, struct str name)
{
	scenarios_current(r)->logged = name;
}

void
scenarios_add_prompt(struct scenarios *r, struct str prompt)
{
	struct scenario *s = scenarios_current(r);

	*arena_push(r->arena, s->prompts, s->nprompts) = prompt;
}

void
scenarios_set_key(struct scenarios *r, struct str key, bool variant)
{
	struct scenario *s = scenarios_current(r);

	s->key = key;
	s->variant = variant;
}

void
scenarios_set_own(struct scenarios *r, const void *own, bool changed)
{
	struct scenario *s = scenarios_current(r);

	s->own = own;
	s->changed = changed;
}

void
scenarios_set_recording(struct scenarios *r, struct str path)
{
	scenarios_current(r)->recording = path;
}

struct str
scenarios_locate(const struct scenarios *r, const struct json *v)
{
	struct place at = document_place(r->doc, v);

	return str_cat3(r->arena, str_of(at.file), STR(":"),
	    str_int(r->arena, (int64_t)at.line));
}

void
scenarios_add_check_at(struct scenarios *r, struct check c, struct str at)
{
	struct policy *policy = r->doc->policy;
	struct scenario *s = scenarios_current(r);

	if (check_is_broken(&c) && policy != NULL && policy->keep_going)
		return;
	r->understood += !check_is_broken(&c);
	c.dialect = str_of(r->dialect);
	c.scenario = s->id;
	c.at = at;
	check_seal(&c, r->arena);
	*arena_push(r->arena, s->checks, s->n) = c;
}

void
scenarios_add_check(struct scenarios *r, struct check c, const struct json *at)
{
	c.source.place = document_place(r->doc, at);
	c.source.doc = r->doc;
	c.source.value = at;
	if (c.source.keys == NULL && json_is(at, JSON_OBJECT))
		c.source.keys = at;
	scenarios_add_check_at(r, c, scenarios_locate(r, at));
}

static void
close_at(struct scenarios *r, struct fields *e, struct check c,
    const struct json *at)
{
	struct str label = c.label, why;

	if (!fields_close(e, &why) && !check_is_broken(&c)) {
		check_close(&c);
		c = check_broken(r->arena, c.type, why);
		if (label.s != NULL)
			c.label = label;
	}
	if (json_is(e->object, JSON_OBJECT))
		c.source.keys = e->object;
	scenarios_add_check(r, c, at);
}

void
scenarios_close_check(struct scenarios *r, struct fields *e, struct check c)
{
	close_at(r, e, c, e->object);
}

void
scenarios_end_object(struct scenarios *r, struct fields *e)
{
	struct str why;

	if (!fields_close(e, &why))
		scenarios_add_check(
		    r, check_broken(r->arena, e->where, why), e->object);
}

const struct form *
scenarios_form(const struct fields *e)
{
	return ((const struct assertion *)e->context)->form;
}

const void *
scenarios_part_of(const struct fields *e)
{
	return ((const struct assertion *)e->context)->part_of;
}

const struct param *
scenarios_param(const struct fields *e, const char *name)
{
	const struct param *p = scenarios_form(e)->params, *first = NULL;

	for (; p != NULL && p->key != NULL; p++) {
		if (strcmp(p->as != NULL ? p->as : p->key, name) != 0)
			continue;
		if (json_has(e->object, p->key))
			return p;
		first = first == NULL ? p : first;
	}
	return first;
}

void
scenarios_note(const struct document *doc, const struct json *object,
    const struct param *p)
{
	fields_note(
	    doc, object, p->key, p->kinds != 0 ? p->kinds : 1U << p->kind);
	if (p->needed)
		fields_note_needed(doc, object, p->key, IS(ANY));
}

static struct str
text_of(struct fields *e, const struct param *p)
{
	struct str text =
	    p->needed ? fields_str(e, p->key) : fields_str_if(e, p->key);

	if (p->filled && text.s != NULL && text.n == 0)
		fields_spoil(
		    e, json_get(e->object, p->key), "missing %s", p->key);
	return text.s == NULL && p->word != NULL ? str_of(p->word) : text;
}

struct str
scenarios_text(struct fields *e, const char *name)
{
	const struct param *p = scenarios_param(e, name);

	return p == NULL ? str_of(NULL) : text_of(e, p);
}

/* Returns whether there is a value; asks for a key that is needed. */
static bool
is_given(struct fields *e, const struct param *p)
{
	if (p == NULL)
		return false;
	return (p->needed ? fields_need(e, p->key) : fields_get(e, p->key)) !=
	    NULL;
}

int64_t
scenarios_int(struct fields *e, const char *name)
{
	const struct param *p = scenarios_param(e, name);

	if (!is_given(e, p))
		return p == NULL ? 0 : (int64_t)p->otherwise;
	return fields_int_if(e, p->key);
}

double
scenarios_number(struct fields *e, const char *name)
{
	const struct param *p = scenarios_param(e, name);

	if (!is_given(e, p))
		return p == NULL ? 0 : p->otherwise;
	return fields_number_if(e, p->key);
}

bool
scenarios_bool(struct fields *e, const char *name)
{
	const struct param *p = scenarios_param(e, name);

	if (!is_given(e, p))
		return p != NULL && p->otherwise != 0;
	return fields_bool_if(e, p->key);
}

const struct json *
scenarios_list(struct fields *e, const char *name)
{
	const struct param *p = scenarios_param(e, name);

	if (p == NULL)
		return NULL;
	return p->needed ? fields_list(e, p->key) : fields_list_if(e, p->key);
}

struct str_list
scenarios_texts(struct fields *e, const char *name)
{
	const struct json *list = scenarios_list(e, name);

	return fields_strs(e, list, name);
}

const struct json *
scenarios_object(struct fields *e, const char *name)
{
	const struct param *p = scenarios_param(e, name);

	(void)is_given(e, p);
	return p == NULL ? NULL : fields_object_if(e, p->key);
}

const struct json *
scenarios_value(struct fields *e, const char *name)
{
	const struct param *p = scenarios_param(e, name);

	if (p == NULL)
		return NULL;
	(void)is_given(e, p);
	return json_get(e->object, p->key);
}

const struct json *
scenarios_any(const struct json *object, const char *names)
{
	struct str rest = str_of(names);
	const struct json *found = NULL;

	while (found == NULL && rest.s != NULL)
		found = json_get(object, str_cut(&rest, ' '));
	return found;
}

void
scenarios_read_shared(struct fields *e, const struct forms *forms)
{
	for (size_t i = 0; i < forms->n; i++)
		for (const struct param *p = forms->list[i].params;
		     p != NULL && p->key != NULL; p++)
			if (p->kind == FIELDS_INT)
				(void)fields_int_if(e, p->key);
			else
				(void)fields_str_if(e, p->key);
}

/* Marks the keys of the form that have no effect as known, and other names of keys. */
static void
ignore_keys(struct fields *e, const struct param *p)
{
	for (; p != NULL && p->key != NULL; p++)
		if (p->ignored || p->as != NULL)
			fields_ignore(e, p->key);
}

const struct form *
form_at(const struct form_list *list, size_t i)
{
	if (list->n != 0 ? i == list->n : list->rows[i].name == NULL)
		return NULL;
	return &list->rows[i];
}

const struct form *
form_find(const struct form_list *lists, struct str name)
{
	const struct form *row;

	for (; lists->rows != NULL; lists++)
		for (size_t i = 0; (row = form_at(lists, i)) != NULL; i++)
			if (str_is(name, row->name))
				return row;
	return NULL;
}

static const struct form *
form_named(const struct forms *forms, struct str name)
{
	for (size_t i = 0; i < forms->n; i++)
		if (str_is(name, forms->list[i].name))
			return &forms->list[i];
	return NULL;
}

void
scenarios_suggest(struct suggest *s, const struct forms *forms)
{
	for (size_t i = 0; i < forms->n; i++)
		suggest_try(s, str_of(forms->list[i].name));
}

static void
wrong_type(struct fields *e, const struct forms *forms, struct str type,
    const struct json *at)
{
	struct suggest s = suggest_for(type);

	scenarios_suggest(&s, forms);
	(forms->strict ? fields_mistake : fields_spoil)(e, at,
	    "unknown %s '%.*s'%s", forms->key, STR_FMT(type),
	    suggest_text(&s, e->arena));
	e->any_key = true;
}

/* Returns the type that the author named, or omitted if it can be guessed. */
static struct str
type_of(struct fields *e, const struct forms *forms)
{
	struct str guessed = { 0 };

	if (json_get(e->object, forms->key) == NULL)
		guessed = forms->guess != NULL ? forms->guess(e->object)
					       : forms->otherwise;
	return guessed.s != NULL ? guessed : fields_str(e, forms->key);
}

static struct check
make(struct fields *e, const struct forms *forms, const struct form *form)
{
	struct str type = str_of(form->name);
	struct assertion *assertion = arena_new(e->arena, struct assertion);
	struct check c;

	assertion->form = form;
	assertion->part_of = forms->part_of;
	e->context = assertion;
	e->is_assertion = true;
	e->strict = forms->strict;
	e->where = type;
	if (forms->ignored != NULL)
		fields_ignore(e, forms->ignored);
	c = (forms->make != NULL ? forms->make : form->make)(e);
	ignore_keys(e, form->params);
	if (forms->shared)
		scenarios_read_shared(e, forms);
	if (c.type.s == NULL)
		c.type = type;
	return c;
}

/* Makes the check of an object by the form of the type that it names. */
static struct check
make_typed(struct fields *e, const struct forms *forms)
{
	struct str type = type_of(e, forms);
	const struct form *form = form_named(forms, type);

	if (form != NULL)
		return make(e, forms, form);
	wrong_type(e, forms, type, json_get(e->object, forms->key));
	return (struct check){ .type = type };
}

void
scenarios_note_forms(const struct scenarios *r, const struct json *v,
    const struct forms *forms, bool named)
{
	const struct fields_watcher *w = r->doc->watcher;

	if (w != NULL)
		w->forms(w->arg, v, forms, named);
}

void
scenarios_read_assertion(
    struct scenarios *r, const struct json *v, const struct forms *forms)
{
	struct fields e = scenarios_open(r, v, forms->what);
	struct check c;

	if (!forms->by_key)
		scenarios_note_forms(r, v, forms, false);
	e.is_assertion = true;
	e.strict = forms->strict;
	c = make_typed(&e, forms);
	if (c.type.s == NULL)
		c.type = e.where;
	scenarios_close_check(r, &e, c);
}

struct check
scenarios_make(
    struct fields *outer, const struct json *v, const struct forms *forms)
{
	struct fields e =
	    fields_open(outer->arena, outer->doc, v, str_of(forms->what));
	struct check c = make_typed(&e, forms);
	struct str why;

	if (!fields_close(&e, &why) && !check_is_broken(&c))
		c = check_broken(e.arena, c.type, why);
	return c;
}

void
scenarios_read_named(struct scenarios *r, const struct json *name,
    const struct json *value, const struct forms *forms)
{
	struct str type = json_text(name, r->arena);
	const struct form *form = form_named(forms, type);
	struct check c = { .type = type };
	struct fields e;

	if (form != NULL) {
		e = fields_open(r->arena, r->doc, value, type);
		c = make(&e, forms, form);
	} else {
		e = (struct fields){ .arena = r->arena,
			.doc = r->doc,
			.object = value,
			.where = str_of(forms->what) };
		wrong_type(&e, forms, type, name);
	}
	close_at(r, &e, c, name);
}

void
scenarios_read_assertions(
    struct scenarios *r, const struct json *list, const struct forms *forms)
{
	for (json_each(v, list))
		scenarios_read_assertion(r, v, forms);
}

void
scenarios_add_capture(struct scenarios *r, struct capture c)
{
	struct scenario *s = scenarios_current(r);

	r->understood += c.regex != NULL;
	*arena_push(r->arena, s->captures, s->ncaptures) = c;
}
