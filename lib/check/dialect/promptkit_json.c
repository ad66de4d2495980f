/* PromptKit Arena's assertions about answers that are JSON. */
#include "check/dialect/promptkit_assertion.h"
#include "check/kind/kind.h"
#include "emulate/lang/go.h"

#define NOT_JSON "the response is not JSON"

static struct embedded_json
where(struct fields *p)
{
	return (struct embedded_json){
		.fenced = scenarios_bool(p, "allow_wrapped"),
		.loose = scenarios_bool(p, "extract_json"),
	};
}

static struct check
is_valid_json(struct fields *p)
{
	const struct json_schema_want want = { .where = where(p) };
	struct check c = json_schema_check(p->arena, &want);

	c.cannot = STR(NOT_JSON);
	return c;
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
	const struct json *inner = scenarios_object(p, "schema");

	if (path.n != 0)
		return read_file(p, path);
	if (inner == NULL)
		(void)fields_need(p, "schema");
	return inner;
}

static struct check
json_schema(struct fields *p)
{
	struct str path = { 0 };
	struct json_schema_want want = { .where = where(p) };
	struct jsonschema_error error;
	struct check c;

	if (!promptkit_is_current(p))
		path = scenarios_text(p, "schema_file");
	want.written = schema_of(p, path);
	if (want.written != NULL)
		want.compiled =
		    jsonschema_compile(p->arena, want.written, &error);
	if (want.written != NULL && want.compiled == NULL)
		fields_mistake(p,
		    path.n != 0 ? json_get(p->object, "schema_file") : error.at,
		    "schema: %.*s", STR_FMT(error.why));
	c = json_schema_check(p->arena, &want);
	c.cannot = STR(NOT_JSON);
	return promptkit_about(c, path);
}

/* ---- paths ---- */

/* Returns the expression under its newer or its older key, and sets *at to its
 * value. */
static struct str
expression(struct fields *p, const struct json **at)
{
	struct str text = scenarios_text(p, "jmespath_expression"),
		   older = scenarios_text(p, "expression");

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
selected(struct fields *p)
{
	const struct json *at;
	struct jmespath_error error;
	struct json_query_want want = {
		.where = where(p),
		.written = expression(p, &at),
		.equals = fields_get(p, "expected"),
		.contains = scenarios_list(p, "contains"),
		.least = promptkit_fraction(p, "min"),
		.most = promptkit_fraction(p, "max"),
		.least_items = count(p, "min_results"),
		.most_items = count(p, "max_results"),
	};
	struct check c;

	if (promptkit_is_current(p) && want.equals == NULL)
		want.equals = json_get(p->object, "expected");

	refuse_dates(p, want.equals);
	refuse_dates(p, want.contains);
	if (want.written.s != NULL)
		want.path = jmespath_compile(p->arena, want.written, &error);
	if (want.written.s != NULL && want.path == NULL)
		fields_mistake(p, at, "'%.*s' is no JMESPath: %.*s",
		    STR_FMT(want.written), STR_FMT(error.why));
	c = json_query_check(p->arena, &want);
	c.cannot = STR(NOT_JSON);
	c.reason = str_cat(p->arena, STR("not as expected: "), want.written);
	return promptkit_about(c, want.written);
}

#define WRAPPED KEY("allow_wrapped", BOOL), KEY("extract_json", BOOL)

#define VALID \
	is_valid_json, FAILS(json, NULL, NULL), \
	    .bare = true, .role = ROLE_STRUCTURE, PARAMS(WRAPPED)

const struct form promptkit_json_forms[] = {
	FORM("is_valid_json", VALID, .levels = PROMPTKIT_TURN),
	FORM("json_valid", VALID),
	FORM("valid_json", VALID),
	FORM("json_path", selected, .levels = PROMPTKIT_TURN,
	    FAILS(json, NULL, NULL), .role = ROLE_STRUCTURE,
	    PARAMS(NEED_OR("jmespath_expression", TEXT),
		ALSO("expression", TEXT), KEY("expected", ANY),
		KEY("contains", LIST), KEY("min", NUMBER), KEY("max", NUMBER),
		KEY("min_results", INT), KEY("max_results", INT), WRAPPED)),
	FORM("json_schema", json_schema, .levels = PROMPTKIT_TURN,
	    FAILS(json, "the response does not fit the schema", NULL),
	    .role = ROLE_STRUCTURE,
	    PARAMS(
		NEED_OR("schema", OBJECT), ALSO("schema_file", TEXT), WRAPPED)),
	FORM(NULL, NULL),
};
