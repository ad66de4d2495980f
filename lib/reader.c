#include "reader.h"

#include "suggest.h"

void
reader_scenario(struct reader *r, struct str id, struct str prompt)
{
	struct scenario *s = arena_push(r->arena, r->scenarios, r->n);

	s->id = id;
	s->prompt = prompt;
}

static struct scenario *
current(struct reader *r)
{
	return &r->scenarios[r->n - 1];
}

struct str
reader_at(const struct reader *r, const struct json *v)
{
	struct place at = doc_place(r->doc, v);

	return str_printf(r->arena, "%s:%zu", at.file, at.line);
}

void
reader_check(struct reader *r, struct check c, const struct json *at)
{
	struct scenario *s = current(r);

	c.dialect = str_of(r->dialect);
	c.scenario = s->id;
	c.at = reader_at(r, at);
	check_seal(&c, r->arena);
	*arena_push(r->arena, s->checks, s->n) = c;
}

void
reader_close(struct reader *r, struct entry *e, struct check c)
{
	struct str label = c.label, why;

	if (!entry_close(e, &why) && !check_is_broken(&c)) {
		check_close(&c);
		c = check_broken(r->arena, c.type, why);
		if (label.s != NULL)
			c.label = label;
	}
	reader_check(r, c, e->object);
}

void
reader_end(struct reader *r, struct entry *e)
{
	struct str why;

	if (!entry_close(e, &why))
		reader_check(
		    r, check_broken(r->arena, e->where, why), e->object);
}

static const struct form *
form_named(const struct forms *forms, struct str name)
{
	for (size_t i = 0; i < forms->n; i++)
		if (str_is(name, forms->list[i].name))
			return &forms->list[i];
	return NULL;
}

static void
wrong_type(struct entry *e, const struct forms *forms, struct str type)
{
	struct suggest s = suggest_for(type);

	for (size_t i = 0; i < forms->n; i++)
		suggest_try(&s, str_of(forms->list[i].name));
	entry_wrong(e, json_get(e->object, str_of(forms->key)),
	    "unknown %s '%.*s'%s", forms->key, STR_FMT(type),
	    suggest_text(&s, e->arena));
}

/* The type that the author named, or meant. */
static struct str
type_of(struct entry *e, const struct forms *forms)
{
	struct str guessed = { 0 };

	if (forms->guess != NULL &&
	    json_get(e->object, str_of(forms->key)) == NULL)
		guessed = forms->guess(e->object);
	return guessed.s != NULL ? guessed : entry_str(e, forms->key);
}

void
reader_entry(struct reader *r, const struct json *v, const struct forms *forms)
{
	struct entry e = entry_open(r->arena, r->doc, v, str_of(forms->what));
	struct str type = type_of(&e, forms);
	const struct form *form = form_named(forms, type);
	struct check c = { .type = type.s == NULL ? e.where : type };

	e.context = forms->context;
	if (form != NULL) {
		e.where = type;
		c = form->make(&e);
		if (c.type.s == NULL)
			c.type = type;
	} else {
		wrong_type(&e, forms, type);
		e.any_key = true;
	}
	reader_close(r, &e, c);
}

void
reader_entries(
    struct reader *r, const struct json *list, const struct forms *forms)
{
	for (json_each(v, list))
		reader_entry(r, v, forms);
}

void
reader_capture(struct reader *r, struct capture c)
{
	struct scenario *s = current(r);

	*arena_push(r->arena, s->captures, s->ncaptures) = c;
}
