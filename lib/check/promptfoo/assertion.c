/* The keys of promptfoo's assertions, and the forms of all types. */
#include "check/promptfoo/program.h"

#include "check/kind/kind.h"
#include "io/out.h"

const struct promptfoo_test *
promptfoo_test_of(const struct fields *e)
{
	return scenarios_part_of(e);
}

bool
promptfoo_is_negated(const struct fields *e)
{
	bool negated = str_starts(str_of(scenarios_form(e)->name), "not-");

	if (!promptfoo_test_of(e)->config->agentv)
		return negated;
	return negated != json_is(json_get(e->object, "negate"), JSON_TRUE);
}

void(promptfoo_undecided)(struct fields *e, struct str why)
{
	struct promptfoo_now *now = promptfoo_test_of(e)->now;

	if (now->undecided.s == NULL)
		now->undecided = why;
}

/* ---- the value ---- */

/* Returns the value of the file that a text names. */
static const struct json *
read_file(struct fields *e, const struct json *v, struct str text)
{
	struct promptfoo_config *c = promptfoo_test_of(e)->config;
	struct promptfoo_part part =
	    promptfoo_resolve(c, (struct promptfoo_part){ v, e->doc });

	if (part.v != v)
		return part.v;
	if (promptfoo_is_program(text)) {
		promptfoo_test_of(e)->now->programmed = true;
		return v;
	}
	if (!str_ends(text, ".txt"))
		fields_spoil(e, v,
		    "value: expected a file of YAML, JSON or text, found "
		    "'%.*s'",
		    STR_FMT(text));
	else {
		text =
		    promptfoo_read_text(c, promptfoo_path(c, c->folder, text));
		if (text.s != NULL)
			return promptfoo_quoted(text, e->arena);
		fields_mistake(e, v, "value: cannot read '%.*s'",
		    STR_FMT(json_text(v, e->arena)));
	}
	return NULL;
}

/* Returns the text with the vars filled in. */
static const struct json *
fill(struct fields *e, const struct json *v)
{
	struct str text = json_text(v, e->arena), why = { 0 }, filled;

	if (str_starts(text, "file://"))
		return read_file(e, v, text);
	if (str_starts(text, "package:"))
		promptfoo_undecided(
		    e, "the value comes from a program, which is not run");
	filled =
	    promptfoo_render(text, &promptfoo_test_of(e)->vars, e->arena, &why);
	if (filled.s == text.s)
		return v;
	if (filled.s == NULL)
		promptfoo_undecided(e, why);
	return promptfoo_quoted(filled, e->arena);
}

/* Returns the list with the vars filled in its texts. */
static const struct json *
fill_list(struct fields *e, const struct json *list)
{
	const struct json *v;
	bool changed = false;
	struct out o;

	out_open_json(&o, '[');
	for (json_each(item, list)) {
		fields_note(e->doc, item, NULL, IS(TEMPLATE));
		v = json_is(item, JSON_STRING) ? fill(e, item) : item;
		changed |= v != item;
		out_json_raw(&o, v == NULL ? STR("null") : v->text);
	}
	v = json_parse(e->arena, out_keep_json(&o, ']', e->arena));
	return changed ? v : list;
}

static const struct json *
read_value(struct fields *e)
{
	const struct json *v = fields_get(e, "value");

	fields_note(e->doc, e->object, "value", IS(TEMPLATE));
	if (json_is(v, JSON_STRING))
		return fill(e, v);
	return json_is(v, JSON_ARRAY) ? fill_list(e, v) : v;
}

const struct json *
promptfoo_value(struct fields *e)
{
	return promptfoo_test_of(e)->now->value;
}

struct str
promptfoo_text(struct fields *e)
{
	const struct json *v = promptfoo_value(e);

	if (json_is(v, JSON_NUMBER))
		return promptfoo_string(v, e->arena);
	if (json_is(v, JSON_STRING))
		return json_text(v, e->arena);
	if (v == NULL)
		fields_spoil(e, NULL, "missing key 'value'");
	else
		fields_spoil(e, json_get(e->object, "value"),
		    "value: expected text, found %s", json_type_name(v));
	return STR("");
}

/* ---- the end ---- */

/* Writes the metric and the weight, if there are any. */
static struct str
metadata(struct fields *e, const struct json *weight)
{
	struct str metric = fields_str_if(e, "metric"), why, rendered;
	struct out o;

	if (metric.s == NULL && weight == NULL)
		return (struct str){ 0 };
	rendered = promptfoo_render(
	    metric, &promptfoo_test_of(e)->vars, e->arena, &why);
	out_open_json(&o, '{');
	out_member_str(&o, "metric", rendered.s == NULL ? metric : rendered);
	if (weight != NULL)
		out_member_double(&o, "weight", json_double(weight));
	return out_keep_json(&o, '}', e->arena);
}

/* Reads the keys that all types have. */
static void
read_common(struct fields *e, struct check *c)
{
	const struct json *weight = fields_get(e, "weight");

	(void)fields_number_if(e, "weight");
	fields_ignore(e,
	    "provider rubricPrompt config value threshold description comment");
	if (promptfoo_test_of(e)->config->agentv) {
		fields_ignore(e, "name required min_score prompt target");
		(void)fields_bool_if(e, "negate");
	}
	(void)fields_get(e, "contextTransform");
	c->metadata = metadata(e, weight);
	if (promptfoo_test_of(e)->part ||
	    (json_is(weight, JSON_NUMBER) && json_double(weight) == 0))
		c->severity = "note";
}

struct check
promptfoo_finish(struct fields *e, struct check c, struct str about)
{
	struct promptfoo_now *now = promptfoo_test_of(e)->now;
	struct str type = str_of(scenarios_form(e)->name);

	c = promptfoo_made(e, c);
	read_common(e, &c);
	if (now->undecided.s != NULL) {
		struct check skipped =
		    media_check_live(e->arena, now->undecided, NULL);

		if (c.kind != NULL)
			check_close(&c);
		skipped.metadata = c.metadata;
		skipped.severity = c.severity;
		c = skipped;
	}
	c.negate = promptfoo_is_negated(e);
	c.type = type;
	if (c.negate && !str_starts(type, "not-"))
		type = str_cat(e->arena, STR("not "), type);
	c.label = about.n == 0
	    ? type
	    : str_printf(e->arena, "%.*s %.*s", STR_FMT(type), STR_FMT(about));
	if (c.reason.s == NULL)
		c.reason = c.label;
	return c;
}

/* ---- forms ---- */

/* Reports keys of the value, a mapping, that mean nothing. */
static void
check_parts(struct fields *e, const struct json *v, const struct param *parts)
{
	for (const struct param *p = parts; p->key != NULL; p++)
		scenarios_note(e->doc, v, p);
	for (json_members(key, v)) {
		struct suggest near = suggest_for(json_text(key, e->arena));

		for (const struct param *p = parts; p->key != NULL; p++)
			suggest_try(&near, str_of(p->key));
		if (!str_eq(near.best, near.word))
			fields_spoil(e, key, "value: unknown key '%.*s'%s",
			    STR_FMT(near.word), suggest_text(&near, e->arena));
	}
}

const struct form_list promptfoo_lists[] = {
	{ .rows = promptfoo_text_forms },
	{ .rows = promptfoo_metric_forms },
	{ .rows = promptfoo_json_forms },
	{ .rows = promptfoo_run_forms },
	{ .rows = promptfoo_trajectory_forms },
	{ .rows = promptfoo_span_forms },
	{ .rows = promptfoo_judged_forms },
	{ .rows = promptfoo_outside_forms },
	{ .rows = promptfoo_program_forms },
	{ .rows = promptfoo_agentv_forms },
	{ 0 },
};

/* Makes the check of an assertion of any type: skipped if its test or its value
 * cannot be known, else by the form of its type. */
static struct check
make(struct fields *e)
{
	const struct promptfoo_test *t = promptfoo_test_of(e);
	const struct param *value = scenarios_param(e, "value");
	form_make *own = scenarios_form(e)->make;

	*t->now = (struct promptfoo_now){ .undecided = t->undecided };
	t->now->value = read_value(e);
	if (t->now->programmed && t->now->undecided.s == NULL &&
	    own != promptfoo_program_forms[0].make)
		return promptfoo_of_value(e);
	if (t->now->undecided.s == NULL && fields_ok(e)) {
		if (value != NULL)
			scenarios_note(e->doc, e->object, value);
		if (value != NULL && value->parts != NULL)
			check_parts(e, t->now->value, value->parts);
		return own(e);
	}
	e->any_key = true;
	return promptfoo_finish(e, (struct check){ 0 }, STR(""));
}

/* Sets all forms, each also with `not-` before its name. */
void
promptfoo_set_forms(struct promptfoo_config *c)
{
	struct form *all = NULL, *negated;
	size_t n = 0;

	for (const struct form_list *l = promptfoo_lists; l->rows != NULL; l++)
		for (const struct form *f = l->rows; f->name != NULL; f++) {
			*arena_push(c->arena, all, n) = *f;
			negated = arena_push(c->arena, all, n);
			*negated = *f;
			negated->name = str_c(c->arena,
			    str_cat(c->arena, STR("not-"), str_of(f->name)));
		}
	c->forms = (struct forms){ .key = "type",
		.what = "assert",
		.list = all,
		.n = n,
		.make = make };
}

bool
promptfoo_has_type(const struct promptfoo_config *c, struct str type)
{
	for (size_t i = 0; i < c->forms.n; i++)
		if (str_is(type, c->forms.list[i].name))
			return true;
	return false;
}

struct str_list
promptfoo_types(const struct promptfoo_config *c)
{
	struct str *list = arena_new_n(c->arena, struct str, c->forms.n);
	size_t n = 0;

	for (size_t i = 0; i < c->forms.n; i++)
		if (c->forms.list[i].levels != PROMPTFOO_AGENTV)
			list[n++] = str_of(c->forms.list[i].name);
	return (struct str_list){ list, n };
}
