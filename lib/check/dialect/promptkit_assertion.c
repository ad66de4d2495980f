#include "check/dialect/promptkit_assertion.h"

#include <string.h>

#include "check/dialect/dialect.h"
#include "check/kind/kind.h"
#include "json/decimal.h"

const struct promptkit_place *
promptkit_place_of(const struct fields *e)
{
	return scenarios_part_of(e);
}

bool
promptkit_is_wide(const struct fields *e)
{
	return !(promptkit_place_of(e)->level & PROMPTKIT_TURN);
}

bool
promptkit_is_current(const struct fields *e)
{
	return promptkit_place_of(e)->current;
}

struct fields *
promptkit_outer(const struct fields *p)
{
	return promptkit_place_of(p)->assertion;
}

/* Returns the assertion's parameters. If they are needed and missing, reports
 * that once. */
static struct fields
params_of(struct fields *e, bool needed)
{
	static const char limits[] = "min_score max_score";
	const struct promptkit_place *place = promptkit_place_of(e);
	const struct json *v =
	    needed ? fields_need(e, "params") : fields_get(e, "params");
	struct fields none = { .arena = e->arena,
		.doc = e->doc,
		.where = e->where,
		.context = e->context,
		.wrong = STR("no params") },
		      p;

	if (place->inner.s != NULL) {
		for (; v != place->params; v = json_get(v, "eval_params"))
			fields_check_within(e, v, limits);
	}
	if (v == NULL)
		return none;
	p = fields_open(e->arena, e->doc, v, e->where);
	p.context = e->context;
	p.times = true;
	p.is_assertion = true;
	return p;
}

/* Returns the author's message, or the type and `about`. */
static struct str
label_of(struct fields *e, struct fields *p, struct str about)
{
	struct str message = fields_str_if(e, "message"),
		   inner = fields_str_if(p, "message"),
		   type = promptkit_place_of(e)->inner;

	if (message.s == NULL)
		message = inner;
	if (message.s != NULL)
		return message;
	if (type.s == NULL)
		type = e->where;
	return about.n == 0
	    ? type
	    : str_printf(e->arena, "%.*s %.*s", STR_FMT(type), STR_FMT(about));
}

/* ---- scores ---- */

/* Returns the limit under a key; NULL if it is no number. PromptKit ignores
 * what is no number, which is reported. */
static const double *
bound(struct fields *p, const char *key)
{
	const struct json *v = fields_get(p, key);
	double *n;

	if (v == NULL)
		return NULL;
	if (!json_is(v, JSON_NUMBER)) {
		fields_remark(p, v,
		    "%s: expected a number, found %s, which PromptKit ignores",
		    key, json_type_name(v));
		return NULL;
	}
	n = arena_new(p->arena, double);
	*n = json_double(v);
	return n;
}

/* Returns the limits of the score in the parameters, or NULL. */
static const struct check_bounds *
bounds_of(struct fields *p)
{
	const struct check_bounds b = { .least = bound(p, "min_score"),
		.most = bound(p, "max_score") };
	struct check_bounds *kept;

	if (b.least == NULL && b.most == NULL)
		return NULL;
	kept = arena_new(p->arena, struct check_bounds);
	*kept = b;
	return kept;
}

const struct check_bounds *
promptkit_bounds(struct fields *p)
{
	const struct promptkit_place *place = promptkit_place_of(p);

	return place->inner.s != NULL ? place->bounds : bounds_of(p);
}

/* ---- conditions (when) ---- */

/* Adds a condition. Conditions look at the calls of the turn alone. */
static void
add_condition(struct fields *e, struct check *c, const char *key,
    struct str about, struct check condition)
{
	struct check *list = arena_new_n(e->arena, struct check, c->nwhen + 1);

	for (size_t i = 0; i < c->nwhen; i++)
		list[i] = c->when[i];
	condition.label = about.n == 0
	    ? str_of(key)
	    : str_printf(e->arena, "%s %.*s", key, STR_FMT(about));
	condition.scope = promptkit_place_of(e)->scope;
	list[c->nwhen++] = condition;
	c->when = list;
}

/* Adds the condition that the tool (absent: any) was called this often. */
static void
add_count(struct fields *e, struct check *c, const char *key, struct str tool,
    int64_t least)
{
	struct str *name = arena_new(e->arena, struct str);
	const struct call_limits_want want = { .names = { name, tool.n != 0 },
		.least = least };

	*name = tool;
	add_condition(e, c, key,
	    tool.n != 0     ? tool
		: least > 1 ? str_int(e->arena, least)
			    : STR(""),
	    call_limits_check(e->arena, &want));
}

static void
add_pattern(struct fields *e, struct check *c, struct fields *w)
{
	struct str pattern = fields_str_if(w, "tool_called_pattern");
	const struct call_matches_want want = { .tool_pattern = pattern,
		.tool = promptkit_compile(w, "tool_called_pattern",
		    json_get(w->object, "tool_called_pattern"), pattern) };

	if (want.tool != NULL)
		add_condition(e, c, "tool_called_pattern", pattern,
		    call_matches_check(e->arena, &want));
}

/* Sets the conditions without which the check is skipped. */
static void
set_conditions(struct fields *e, struct check *c)
{
	const struct json *v = fields_object_if(e, "when");
	struct fields w;
	struct str tool, why;
	int64_t least;

	if (v == NULL)
		return;
	w = fields_open(e->arena, e->doc, v,
	    str_printf(e->arena, "%.*s: when", STR_FMT(e->where)));
	w.is_assertion = true;
	tool = fields_str_if(&w, "tool_called");
	if (tool.n != 0)
		add_count(e, c, "tool_called", tool, 1);
	add_pattern(e, c, &w);
	if (fields_bool_if(&w, "any_tool_called"))
		add_count(e, c, "any_tool_called", STR(""), 1);
	least = fields_int_if(&w, "min_tool_calls");
	if (least > 0)
		add_count(e, c, "min_tool_calls", STR(""), least);
	if (!fields_close(&w, &why) && !check_is_broken(c)) {
		check_close(c);
		*c = check_broken(e->arena, e->where, why);
	}
}

/* ---- parts of assertions ---- */

/* Ends an assertion: reports mistakes in its parameters, and returns the check
 * with its label, which is the author's message, or the type and its own label. */
static struct check
finish(struct fields *e, struct fields *p, struct check c)
{
	struct str label = label_of(e, p, c.label), why;
	bool last = c.scope.part == SCOPE_LAST;
	const struct check_bounds *bounds =
	    c.kind->ask != NULL ? NULL : promptkit_bounds(p);

	if (p->object != NULL && !fields_close(p, &why)) {
		check_close(&c);
		c = check_broken(e->arena, e->where, why);
	}
	set_conditions(e, &c);
	c.bounds = check_is_broken(&c) ? NULL : bounds;
	c.label = label;
	c.scope = promptkit_place_of(e)->scope;
	c.scope.until = promptkit_is_current(e) && c.scope.part != SCOPE_RUN;
	if (last && c.scope.part == SCOPE_RUN)
		c.scope.part = SCOPE_LAST;
	c.after_error = AFTER_ERROR_DECIDED;
	return c;
}

/* Reads an assertion as the row of its type says. */
static struct check
by_row(struct fields *e)
{
	struct promptkit_place place = *promptkit_place_of(e);
	const struct form *form = scenarios_form(e);
	struct assertion assertion = { form, &place };
	struct fields p = params_of(e, !form->bare);
	struct check c;

	place.assertion = e;
	p.context = &assertion;
	c = form->make(&p);
	form = scenarios_form(&p);
	if (c.explain == NULL && form->explain != NULL) {
		c.explain = form->explain;
		if (c.detail.s == NULL)
			c.detail = str_of(form->key);
	}
	if (c.reason.s == NULL)
		c.reason = str_of(form->fails);
	return finish(e, &p, c);
}

struct check
promptkit_about(struct check c, struct str about)
{
	c.label = about;
	return c;
}

struct check
promptkit_about_list(struct fields *p, struct check c, struct str_list list)
{
	if (list.n == 0 && !c.negate)
		c.reason = STR("the list is empty");
	return promptkit_about(c, str_list_text(p->arena, list));
}

struct check
promptkit_as(struct fields *p, const char *type)
{
	const struct form *form = form_find(promptkit_types, str_of(type));
	struct assertion *assertion = arena_new(p->arena, struct assertion);

	assertion->form = form;
	assertion->part_of = scenarios_part_of(p);
	p->context = assertion;
	return form->make(p);
}

static struct str_list
texts_of(struct fields *p, const char *key)
{
	if (json_is(fields_need(p, key), JSON_NULL))
		fields_mistake(p, json_get(p->object, key),
		    "%s: expected a list, found null", key);
	return fields_strs(p, fields_list_if(p, key), key);
}

struct str_list
promptkit_texts(struct fields *p, const char *key)
{
	const struct param *row = scenarios_param(p, key);

	return row != NULL && row->needed ? texts_of(p, key)
					  : scenarios_texts(p, key);
}

struct str_list
promptkit_names(struct fields *p, const char *of_turn)
{
	const char *of_run = scenarios_param(p, of_turn)[1].key;
	bool wide = promptkit_is_wide(p) || promptkit_is_current(p);
	const char *mine = wide ? of_run : of_turn,
		   *other = wide ? of_turn : of_run;
	bool given = fields_get(p, mine) != NULL;

	return texts_of(
	    p, fields_get(p, other) != NULL && !given ? other : mine);
}

const int64_t promptkit_once = 1;

const int64_t *
promptkit_int(struct fields *p, const char *key)
{
	int64_t *n = arena_new(p->arena, int64_t);

	if (scenarios_param(p, key) == NULL || fields_get(p, key) == NULL)
		return NULL;
	*n = promptkit_is_current(p) ? (int64_t)fields_number_if(p, key)
				     : fields_int_if(p, key);
	return n;
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
		fields_mistake(p, at, "%s: %.*s", key,
		    STR_FMT(regex_error_text(p->arena, &error)));
	return re;
}

const struct json *
promptkit_fraction(struct fields *p, const char *key)
{
	const struct json *v = fields_get(p, key);

	if (v == NULL)
		return NULL;
	(void)fields_number_if(p, key);
	if (!json_is(v, JSON_NUMBER) || !decimal_is_plain(v->text) ||
	    promptkit_is_current(p))
		return v;
	fields_remark(p, v,
	    "%s: expected a fraction, found a whole number, which PromptKit "
	    "ignores (write %.*s.0)",
	    key, STR_FMT(v->text));
	return NULL;
}

/* ---- types ---- */

const struct form_list promptkit_types[] = {
	{ .rows = promptkit_calls_forms },
	{ .rows = promptkit_tools_forms },
	{ .rows = promptkit_answer_forms },
	{ .rows = promptkit_json_forms },
	{ .rows = promptkit_judged_forms },
	{ .rows = promptkit_live_forms },
	{ .rows = promptkit_workflow_forms },
	{ 0 },
};

bool
promptkit_has_type(struct str type)
{
	return form_find(promptkit_types, type) != NULL;
}

/* ---- wrappers ---- */

/* Returns the type of the assertion. A type assertion or guardrail names
 * another type, its parameters and the limits of its score in its own
 * parameters; of wrappers within each other, the limits of the first count. */
static struct str
unwrap(struct scenarios *r, const struct json *v, struct promptkit_place *place)
{
	const struct json *params = json_get(v, "params"), *inner;
	struct str type = json_text(json_get(v, "type"), r->arena);

	while (str_is(type, "assertion") || str_is(type, "guardrail")) {
		struct fields p = { .arena = r->arena,
			.doc = r->doc,
			.object = params,
			.where = type };

		inner = json_get(params, "eval_type");
		if (!json_is(inner, JSON_STRING))
			break;
		if (place->bounds == NULL)
			place->bounds = bounds_of(&p);
		params = json_get(params, "eval_params");
		place->params = params;
		type = place->inner = json_text(inner, r->arena);
	}
	return type;
}

/* Reports a wrapper that names no type. */
static struct check
wraps_nothing(struct fields *e)
{
	struct fields p = params_of(e, true);

	(void)fields_str(&p, "eval_type");
	return finish(e, &p, media_check_live(e->arena, "no eval_type", NULL));
}

/* Reports a wrapper of an unknown type. */
static struct check
wraps_unknown(struct fields *e)
{
	struct fields p = params_of(e, false);
	struct str type = promptkit_place_of(e)->inner;
	struct suggest s = suggest_for(type);

	dialect_suggest(&dialect_promptkit, &s, e->arena);
	fields_spoil(e, json_get(json_get(e->object, "params"), "eval_type"),
	    "eval_type: unknown type '%.*s'%s", STR_FMT(type),
	    suggest_text(&s, e->arena));
	p.any_key = true;
	return finish(e, &p, media_check_live(e->arena, "unknown type", NULL));
}

/* ---- reading ---- */

/* Returns what makes the check of a wrapper, whose type this is, that names no known
 * type; NULL: it is none. */
static form_make *
maker_of_wrapper(struct str type, const struct promptkit_place *place)
{
	if (str_is(type, "assertion") || str_is(type, "guardrail"))
		return wraps_nothing;
	return place->inner.s != NULL ? wraps_unknown : NULL;
}

/* Returns all types, for a message that suggests one of them. */
static struct forms
all_forms(struct arena *a)
{
	static const struct form wrappers[] = {
		FORM("assertion", wraps_nothing),
		FORM("guardrail", wraps_nothing),
	};
	struct forms all = { 0 };
	struct form *list = NULL;

	for (size_t i = 0; i < 2; i++)
		*arena_push(a, list, all.n) = wrappers[i];
	for (const struct form_list *l = promptkit_types; l->rows != NULL; l++)
		for (const struct form *f = l->rows; f->name != NULL; f++)
			*arena_push(a, list, all.n) = *f;
	all.list = list;
	return all;
}

/* Gives the checks from `first` on the scope of their place, which a check that
 * is a mistake lacks. */
static void
set_scope(struct scenarios *r, size_t first, const struct scope *scope)
{
	struct scenario *s = scenarios_current(r);

	for (; first < s->n; first++)
		if (check_is_broken(&s->checks[first]))
			s->checks[first].scope = *scope;
}

void
promptkit_assertion(
    struct scenarios *r, const struct json *v, const struct promptkit_place *at)
{
	struct promptkit_place place = *at;
	struct str type = unwrap(r, v, &place);
	const struct form *known = form_find(promptkit_types, type);
	struct form form = { .make = maker_of_wrapper(type, &place) };
	struct forms forms = { .list = &form, .n = 1 };
	size_t before = scenarios_current(r)->n;

	if (known != NULL) {
		form = *known;
		forms.make = by_row;
	}
	/* The name is that of the wrapper, if there is one. */
	form.name = str_c(r->arena, json_text(json_get(v, "type"), r->arena));
	place.only_code = strcmp(r->dialect, "promptkit-2") == 0;
	place.current = place.only_code || !(form.levels & place.level);
	if (form.make == NULL)
		forms = all_forms(r->arena);
	forms.key = "type";
	forms.what = "assertion";
	forms.part_of = &place;
	scenarios_read_assertion(r, v, &forms);
	set_scope(r, before, &place.scope);
}

void
promptkit_assertions(struct scenarios *r, const struct json *list,
    const struct promptkit_place *place)
{
	for (json_each(v, list))
		promptkit_assertion(r, v, place);
}
