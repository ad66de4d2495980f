/* promptfoo's assertions about values, JSON and its schemas. */
#include "check/promptfoo/promptfoo.h"

#include "base/diag.h"
#include "check/kind/kind.h"

/* Says what was found in place of what is wanted. */
static void
explain(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	if (r->status == STATUS_FAILED && f->found == FOUND_NO)
		r->reason = str_printf(
		    v->arena, "%.*s: %.*s", STR_FMT(c->label), STR_FMT(f->why));
}

static struct check
equals(struct fields *e)
{
	const struct json *written = json_get(e->object, "value"),
			  *v = json_is(written, JSON_NULL) ? written
							   : promptfoo_value(e);
	struct json_text_want want = { .equals = v };
	struct str wanted = promptfoo_string(v, e->arena);
	struct check c;

	if (v == NULL)
		fields_spoil(e, NULL, "missing key 'value'");
	if (!json_is(v, JSON_OBJECT) && !json_is(v, JSON_ARRAY) &&
	    !json_is(v, JSON_NULL))
		return promptfoo_finish(e,
		    text_check(e->arena, TEXT_EQUALS, VIEW_AS_WRITTEN, wanted),
		    wanted);
	c = json_text_check(e->arena, &want);
	c.explain = explain;
	return promptfoo_finish(e, c, v->text);
}

/* Returns the schema: a value, or a text that is YAML; NULL if there is none. */
static const struct json *
schema_of(struct fields *e)
{
	const struct json *v = promptfoo_value(e);
	struct str text = json_text(v, e->arena);

	if (!json_is(v, JSON_STRING) || text.n == 0)
		return json_is(v, JSON_STRING) || json_is(v, JSON_FALSE) ? NULL
									 : v;
	v = promptfoo_yaml(text, e->arena);
	if (v == NULL)
		fields_spoil(e, json_get(e->object, "value"),
		    "value: expected a schema, found text that is no YAML");
	return v;
}

static struct check
json(struct fields *e)
{
	struct json_text_want want = { .within = scenarios_form(e)->how,
		.schema = schema_of(e) };
	struct jsonschema_error error;
	struct check c;

	if (want.schema != NULL && !json_is(want.schema, JSON_OBJECT))
		fields_spoil(e, json_get(e->object, "value"),
		    "value: expected a schema, found %s",
		    json_type_name(want.schema));
	else if (json_is(want.schema, JSON_OBJECT)) {
		want.compiled =
		    jsonschema_compile(e->arena, want.schema, &error);
		if (want.compiled == NULL)
			fields_spoil(e, error.at, "value: not a schema: %.*s",
			    STR_FMT(error.why));
	}
	c = json_text_check(e->arena, &want);
	c.explain = explain;
	return promptfoo_finish(
	    e, c, want.schema == NULL ? STR("") : STR("with a schema"));
}

#define SCHEMA PARAMS(KEY_ONE_OF("value", IS(OBJECT) | IS(TEXT) | IS(BOOL)))

const struct form promptfoo_json_forms[] = {
	FORM("equals", equals, ROLE(EQUALS, "value"), .negated = ROLE_LACKS,
	    PARAMS(NEED("value", ANY))),
	FORM("is-json", json, ROLE(STRUCTURE, "value"), SCHEMA),
	FORM("contains-json", json, .how = true, ROLE(STRUCTURE, "value"),
	    SCHEMA),
	FORM(NULL, NULL),
};
