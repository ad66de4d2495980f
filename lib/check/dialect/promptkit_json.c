/* PromptKit Arena's assertions about answers that are JSON. */
#include "check/dialect/promptkit_assertion.h"
#include "check/kind/kind.h"
#include "emulate/lang/go.h"

static struct embedded_json
where(struct fields *p)
{
	return (struct embedded_json){
		.fenced = fields_bool_if(p, "allow_wrapped"),
		.loose = fields_bool_if(p, "extract_json"),
	};
}

static struct check
explained(struct check c, struct str reason)
{
	c.explain = promptkit_reason_json;
	c.reason = reason;
	c.cannot = STR("the response is not JSON");
	return c;
}

static struct check
is_valid_json(struct fields *e)
{
	struct fields p = promptkit_params(e, false);
	const struct json_schema_want want = { .where = where(&p) };
	const struct str nothing = { 0 };

	return promptkit_finish(e, &p,
	    explained(json_schema_check(e->arena, &want), nothing), nothing);
}

/* ---- schemas ---- */

/* Returns the schema in a file. Reports it and returns NULL if there is
 * none. */
static const struct json *
read_file(struct fields *p, struct str path)
{
	const struct json *at = json_get(p->object, "schema_file");
	struct document *doc;

	if (path.n == 0 || *path.s != '/') {
		fields_mistake(p, at, "schema_file: expected an absolute path");
		return NULL;
	}
	doc = document_read_regular(
	    p->arena, str_c(p->arena, path), p->doc->policy);
	if (doc == NULL || doc->yaml || doc->n != 1) {
		fields_mistake(
		    p, at, "schema_file: expected one JSON value in it");
		return NULL;
	}
	return doc->roots[0];
}

static const struct json *
schema_of(struct fields *p, struct str path)
{
	const struct json *inner = fields_object_if(p, "schema");

	if (path.n != 0)
		return read_file(p, path);
	if (inner == NULL)
		(void)fields_need(p, "schema");
	return inner;
}

static struct check
json_schema(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct str path = { 0 };
	struct json_schema_want want = { .where = where(&p) };
	struct jsonschema_error error;

	if (!promptkit_is_current(e))
		path = fields_str_if(&p, "schema_file");
	want.written = schema_of(&p, path);
	if (want.written != NULL)
		want.compiled =
		    jsonschema_compile(e->arena, want.written, &error);
	if (want.written != NULL && want.compiled == NULL)
		fields_mistake(&p,
		    path.n != 0 ? json_get(p.object, "schema_file") : error.at,
		    "schema: %.*s", STR_FMT(error.why));
	return promptkit_finish(e, &p,
	    explained(json_schema_check(e->arena, &want),
		STR("the response does not fit the schema")),
	    path);
}

/* ---- paths ---- */

/* Returns the expression under its newer or its older key, and sets *at to its
 * value. */
static struct str
expression(struct fields *p, const struct json **at)
{
	struct str text = fields_str_if(p, "jmespath_expression"),
		   older = fields_str_if(p, "expression");

	*at = json_get(p->object, "jmespath_expression");
	if (older.s != NULL &&
	    (text.n == 0 || (promptkit_is_current(p) && older.n != 0))) {
		text = older;
		*at = json_get(p->object, "expression");
	} else if (text.s == NULL) {
		(void)fields_need(p, "jmespath_expression");
	}
	return text;
}

/* Reports unquoted dates in an expected value, which no JSON value can
 * equal. */
static void
refuse_dates(struct fields *p, const struct json *v)
{
	for (uint32_t i = 0; v != NULL && i < v->span; i++)
		if (document_is_time(p->doc, &v[i]))
			fields_mistake(p, &v[i],
			    "expected a JSON value, found a date (quote a date "
			    "that is text: \"%.*s\")",
			    STR_FMT(document_source(p->doc, &v[i])));
}

static int64_t
count(struct fields *p, const char *key)
{
	const int64_t *n = promptkit_int(p, key);

	return n == NULL ? 0 : *n;
}

static struct check
selected(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	const struct json *at;
	struct jmespath_error error;
	struct json_query_want want = {
		.where = where(&p),
		.written = expression(&p, &at),
		.equals = fields_get(&p, "expected"),
		.contains = fields_list_if(&p, "contains"),
		.least = promptkit_fraction(&p, "min"),
		.most = promptkit_fraction(&p, "max"),
		.least_items = count(&p, "min_results"),
		.most_items = count(&p, "max_results"),
	};

	if (promptkit_is_current(e) && want.equals == NULL)
		want.equals = json_get(p.object, "expected");

	refuse_dates(&p, want.equals);
	refuse_dates(&p, want.contains);
	if (want.written.s != NULL)
		want.path = jmespath_compile(e->arena, want.written, &error);
	if (want.written.s != NULL && want.path == NULL)
		fields_mistake(&p, at, "'%.*s' is no JMESPath: %.*s",
		    STR_FMT(want.written), STR_FMT(error.why));
	return promptkit_finish(e, &p,
	    explained(json_query_check(e->arena, &want),
		str_cat(e->arena, STR("not as expected: "), want.written)),
	    want.written);
}

const struct form promptkit_json_forms[] = {
	FORM("is_valid_json", is_valid_json, .levels = PROMPTKIT_TURN,
	    .role = ROLE_STRUCTURE),
	FORM("json_valid", is_valid_json, .role = ROLE_STRUCTURE),
	FORM("valid_json", is_valid_json, .role = ROLE_STRUCTURE),
	FORM("json_path", selected, .levels = PROMPTKIT_TURN,
	    .role = ROLE_STRUCTURE),
	FORM("json_schema", json_schema, .levels = PROMPTKIT_TURN,
	    .role = ROLE_STRUCTURE),
	FORM(NULL, NULL),
};
