#include "check/dialect/promptkit_assertion.h"

#include "json/decimal.h"

const struct promptkit_place *
promptkit_place_of(const struct fields *e)
{
	return e->context;
}

bool
promptkit_is_wide(const struct fields *e)
{
	return !(promptkit_place_of(e)->level & PROMPTKIT_TURN);
}

struct fields
promptkit_params(struct fields *e, bool needed)
{
	const struct json *v =
	    needed ? fields_need(e, "params") : fields_get(e, "params");
	struct fields none = { .arena = e->arena,
		.doc = e->doc,
		.where = e->where,
		.context = e->context,
		.wrong = STR("no params") },
		      p;

	if (v == NULL)
		return none;
	p = fields_open(e->arena, e->doc, v, e->where);
	p.context = e->context;
	p.times = true;
	return p;
}

/* The author's message, or the type with what it is about. */
static struct str
label_of(struct fields *e, struct fields *p, struct str about)
{
	struct str message = fields_str_if(e, "message"),
		   inner = fields_str_if(p, "message");

	if (message.s == NULL)
		message = inner;
	if (message.s != NULL)
		return message;
	return about.n == 0 ? e->where
			    : str_printf(e->arena, "%.*s %.*s",
				  STR_FMT(e->where), STR_FMT(about));
}

struct check
promptkit_finish(
    struct fields *e, struct fields *p, struct check c, struct str about)
{
	struct str label = label_of(e, p, about), why;

	if (p->object != NULL && !fields_close(p, &why)) {
		check_close(&c);
		c = check_broken(e->arena, e->where, why);
	}
	c.label = label;
	c.scope = promptkit_place_of(e)->scope;
	c.despite_error = true;
	return c;
}

struct str_list
promptkit_texts(struct fields *p, const char *key)
{
	if (json_is(fields_need(p, key), JSON_NULL))
		fields_wrong(p, json_get(p->object, str_of(key)),
		    "%s: expected a list, found null", key);
	return fields_strs(p, fields_list_if(p, key), key);
}

struct str_list
promptkit_names(struct fields *p, const char *of_turn, const char *of_run)
{
	const char *mine = promptkit_is_wide(p) ? of_run : of_turn;
	bool turn = fields_get(p, of_turn) != NULL,
	     run = fields_get(p, of_run) != NULL;

	if (turn && run)
		fields_wrong(p, NULL, "%s and %s are the same: one too many",
		    of_turn, of_run);
	return promptkit_texts(p, turn ? of_turn : run ? of_run : mine);
}

struct regex *
promptkit_compile(
    struct fields *p, const char *key, const struct json *at, struct str text)
{
	struct regex_error error;
	struct regex *re;

	if (text.s == NULL)
		return NULL;
	re = regex_compile(p->arena, REGEX_RE2, text, 0, &error);
	if (re == NULL)
		fields_wrong(p, at, "%s: %.*s", key, STR_FMT(error.why));
	return re;
}

const struct json *
promptkit_fraction(struct fields *p, const char *key)
{
	const struct json *v = fields_get(p, key);

	if (v == NULL)
		return NULL;
	(void)fields_number_if(p, key);
	if (json_is(v, JSON_NUMBER) && decimal_is_plain(v->text))
		fields_wrong(p, v,
		    "%s: expected a fraction, found a whole number, of which "
		    "PromptKit takes no notice (%.*s.0 will do)",
		    key, STR_FMT(v->text));
	return v;
}

struct str
promptkit_joined(struct arena *a, struct str_list list)
{
	return str_join(a, list.list, list.n, STR(", "));
}
