/* JSON Schema's keywords. The functions check an instance against one keyword.
 * The table at the end has, for each keyword, the drafts that have it, the
 * shape of its value, and its function. */
#include "emulate/jsonschema/tree.h"
#include "json/json.h"

static bool
matches(
    struct validation *c, const struct regex *regex, const struct json *text)
{
	enum regex_found found =
	    regex_search(regex, json_text(text, c->arena), NULL, c->arena);

	*c->limit |= found == REGEX_LIMIT;
	return found == REGEX_YES;
}

/* ---- instances of any type ---- */

static bool
has_type(struct validation *c, const struct json *v, const struct json *type)
{
	static const char *const names[] = { [JSON_NULL] = "null",
		[JSON_FALSE] = "boolean",
		[JSON_TRUE] = "boolean",
		[JSON_NUMBER] = "number",
		[JSON_STRING] = "string",
		[JSON_ARRAY] = "array",
		[JSON_OBJECT] = "object" };

	if (json_str_is(type, "integer"))
		return jsonschema_integer(c->arena, v);
	return json_str_is(type, str_of(names[v->type]));
}

/* Returns whether the list is empty; then it requires nothing, whatever the
 * keyword, as in gojsonschema. */
static bool
is_empty(const struct json *list)
{
	return json_is(list, JSON_ARRAY) && json_first(list) == NULL;
}

static bool
rule_type(struct validation *c, const struct rule *r, const struct json *v,
    const struct location *location)
{
	bool found = has_type(c, v, r->value) || is_empty(r->value);

	for (json_each(type, r->value))
		found |= has_type(c, v, type);
	return jsonschema_require(c, found, r, location);
}

static bool
rule_enum(struct validation *c, const struct rule *r, const struct json *v,
    const struct location *location)
{
	for (json_each(allowed, r->value))
		if (json_equal(allowed, v))
			return true;
	return jsonschema_require(c, is_empty(r->value), r, location);
}

static bool
rule_const(struct validation *c, const struct rule *r, const struct json *v,
    const struct location *location)
{
	return jsonschema_require(c, json_equal(r->value, v), r, location);
}

static bool
rule_all_of(struct validation *c, const struct rule *r, const struct json *v,
    const struct location *location)
{
	for (size_t i = 0; i < r->n; i++)
		if (!jsonschema_holds(c, r->parts[i].schema, v, location))
			return false;
	return true;
}

static size_t
matching(struct validation *c, const struct rule *r, const struct json *v,
    const struct location *location)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		n += jsonschema_holds_quietly(
		    c, r->parts[i].schema, v, location);
	return n;
}

static bool
rule_any_of(struct validation *c, const struct rule *r, const struct json *v,
    const struct location *location)
{
	return r->n == 0 || matching(c, r, v, location) != 0 ||
	    jsonschema_violation(
		c, location, "no schema of anyOf fits", STR(""));
}

static bool
rule_one_of(struct validation *c, const struct rule *r, const struct json *v,
    const struct location *location)
{
	return r->n == 0 || matching(c, r, v, location) == 1 ||
	    jsonschema_violation(
		c, location, "not exactly one schema of oneOf fits", STR(""));
}

static bool
rule_not(struct validation *c, const struct rule *r, const struct json *v,
    const struct location *location)
{
	return matching(c, r, v, location) == 0 ||
	    jsonschema_violation(
		c, location, "the schema of not fits", STR(""));
}

static bool
rule_if(struct validation *c, const struct rule *r, const struct json *v,
    const struct location *location)
{
	bool yes = jsonschema_holds_quietly(c, r->parts[0].schema, v, location);
	const struct rule *then = jsonschema_sibling(r, yes ? "then" : "else");

	return then == NULL ||
	    jsonschema_holds(c, then->parts[0].schema, v, location);
}

/* ---- numbers and strings, and counts ---- */

static bool
is_true(const struct rule *r)
{
	return r != NULL && json_is(r->value, JSON_TRUE);
}

/* Returns whether the number is on the right side of the bound; `sign` is 1 for
 * a lower bound, -1 for an upper bound. */
static bool
beyond(struct validation *c, const struct rule *r, const struct json *v,
    int sign, bool exclusive)
{
	struct decimal d = decimal_of(c->arena, v->text);
	int order = decimal_compare(&d, &r->number) * sign;

	return exclusive ? order > 0 : order >= 0;
}

static bool
rule_bound(struct validation *c, const struct rule *r, const struct json *v,
    const struct location *location)
{
	bool lower = str_ends(str_of(r->keyword->name), "inimum");
	bool exclusive = str_starts(str_of(r->keyword->name), "exclusive");

	if (!json_is(v, JSON_NUMBER) || !json_is(r->value, JSON_NUMBER))
		return true;
	exclusive |= is_true(jsonschema_sibling(
	    r, lower ? "exclusiveMinimum" : "exclusiveMaximum"));
	return jsonschema_require(
	    c, beyond(c, r, v, lower ? 1 : -1, exclusive), r, location);
}

static bool
rule_multiple_of(struct validation *c, const struct rule *r,
    const struct json *v, const struct location *location)
{
	struct decimal d;

	if (!json_is(v, JSON_NUMBER))
		return true;
	d = decimal_of(c->arena, v->text);
	return jsonschema_require(
	    c, decimal_is_multiple(&d, &r->number), r, location);
}

/* Checks minX and maxX, which count characters, elements or members. */
static bool
rule_count(struct validation *c, const struct rule *r, const struct json *v,
    const struct location *location)
{
	struct str name = str_of(r->keyword->name);
	enum json_type wanted = str_ends(name, "Length") ? JSON_STRING
	    : str_ends(name, "Items")                    ? JSON_ARRAY
							 : JSON_OBJECT;
	double limit = json_double(r->value), n;

	if (!json_is(v, wanted))
		return true;
	n = (double)(wanted == JSON_STRING
		? str_characters(json_text(v, c->arena))
		: json_count(v));
	return jsonschema_require(
	    c, str_starts(name, "min") ? n >= limit : n <= limit, r, location);
}

static bool
rule_pattern(struct validation *c, const struct rule *r, const struct json *v,
    const struct location *location)
{
	return !json_is(v, JSON_STRING) ||
	    jsonschema_require(c, matches(c, r->regex, v), r, location);
}

static bool
rule_formatted(struct validation *c, const struct rule *r, const struct json *v,
    const struct location *location)
{
	return !json_is(v, JSON_STRING) ||
	    jsonschema_require(c,
		jsonschema_format(c->arena, json_text(r->value, c->arena),
		    json_text(v, c->arena)),
		r, location);
}

/* ---- arrays and objects ---- */

/* Returns the schema of the element at this index; NULL if there is none. */
static const struct schema *
element_schema(const struct rule *r, size_t index)
{
	const struct rule *more;

	if (!json_is(r->value, JSON_ARRAY))
		return r->parts[0].schema;
	if (index < r->n)
		return r->parts[index].schema;
	more = jsonschema_sibling(r, "additionalItems");
	return more == NULL ? NULL : more->parts[0].schema;
}

static bool
rule_items(struct validation *c, const struct rule *r, const struct json *v,
    const struct location *location)
{
	struct location at = { .parent = location };

	for (json_each(item, v)) {
		const struct schema *s = element_schema(r, at.index);

		if (s != NULL && !jsonschema_holds(c, s, item, &at))
			return false;
		at.index++;
	}
	return true;
}

static bool
rule_contains(struct validation *c, const struct rule *r, const struct json *v,
    const struct location *location)
{
	struct location at = { .parent = location };

	if (!json_is(v, JSON_ARRAY))
		return true;
	for (json_each(item, v)) {
		if (jsonschema_holds_quietly(c, r->parts[0].schema, item, &at))
			return true;
		at.index++;
	}
	return jsonschema_violation(
	    c, location, "no element fits contains", STR(""));
}

static bool
rule_unique(struct validation *c, const struct rule *r, const struct json *v,
    const struct location *location)
{
	return !json_is(r->value, JSON_TRUE) ||
	    jsonschema_require(
		c, jsonschema_duplicate(c->arena, v) == NULL, r, location);
}

static bool
rule_required(struct validation *c, const struct rule *r, const struct json *v,
    const struct location *location)
{
	if (!json_is(v, JSON_OBJECT))
		return true;
	for (json_each(name, r->value))
		if (json_get(v, json_text(name, c->arena)) == NULL)
			return jsonschema_violation(
			    c, location, "missing member ", name->text);
	return true;
}

static bool
rule_properties(struct validation *c, const struct rule *r,
    const struct json *v, const struct location *location)
{
	struct location at = { .parent = location };

	for (json_members(key, v)) {
		at.key = key;
		for (size_t i = 0; i < r->n; i++)
			if (json_str_is(key, r->parts[i].name) &&
			    !jsonschema_holds(
				c, r->parts[i].schema, json_value(key), &at))
				return false;
	}
	return true;
}

static bool
rule_pattern_properties(struct validation *c, const struct rule *r,
    const struct json *v, const struct location *location)
{
	struct location at = { .parent = location };

	for (json_members(key, v)) {
		at.key = key;
		for (size_t i = 0; i < r->n; i++)
			if (matches(c, r->parts[i].regex, key) &&
			    !jsonschema_holds(
				c, r->parts[i].schema, json_value(key), &at))
				return false;
	}
	return true;
}

static bool
named_elsewhere(
    struct validation *c, const struct rule *r, const struct json *key)
{
	const struct rule *names = jsonschema_sibling(r, "properties");
	const struct rule *patterns =
	    jsonschema_sibling(r, "patternProperties");

	for (size_t i = 0; names != NULL && i < names->n; i++)
		if (json_str_is(key, names->parts[i].name))
			return true;
	for (size_t i = 0; patterns != NULL && i < patterns->n; i++)
		if (matches(c, patterns->parts[i].regex, key))
			return true;
	return false;
}

static bool
rule_additional(struct validation *c, const struct rule *r,
    const struct json *v, const struct location *location)
{
	struct location at = { .parent = location };

	for (json_members(key, v)) {
		at.key = key;
		if (!named_elsewhere(c, r, key) &&
		    !jsonschema_holds(
			c, r->parts[0].schema, json_value(key), &at))
			return false;
	}
	return true;
}

static bool
rule_property_names(struct validation *c, const struct rule *r,
    const struct json *v, const struct location *location)
{
	for (json_members(key, v))
		if (!jsonschema_holds(c, r->parts[0].schema, key, location))
			return false;
	return true;
}

static bool
depends(struct validation *c, const struct schema_part *part,
    const struct json *v, const struct location *location)
{
	if (part->names == NULL)
		return jsonschema_holds(c, part->schema, v, location);
	for (json_each(name, part->names))
		if (json_get(v, json_text(name, c->arena)) == NULL)
			return jsonschema_violation(
			    c, location, "missing member ", name->text);
	return true;
}

static bool
rule_dependencies(struct validation *c, const struct rule *r,
    const struct json *v, const struct location *location)
{
	if (!json_is(v, JSON_OBJECT))
		return true;
	for (size_t i = 0; i < r->n; i++)
		if (json_get(v, r->parts[i].name) != NULL &&
		    !depends(c, &r->parts[i], v, location))
			return false;
	return true;
}

/* ---- the table ---- */

const struct keyword jsonschema_keywords[] = {
	{ "$id", DRAFT6_ON, SHAPE_TEXT, NULL },
	{ "$ref", DRAFT_ALL, SHAPE_TEXT, NULL },
	{ "additionalItems", DRAFT_ALL, SHAPE_MORE, NULL },
	{ "additionalProperties", DRAFT_ALL, SHAPE_MORE, rule_additional },
	{ "allOf", DRAFT_ALL, SHAPE_SCHEMAS, rule_all_of },
	{ "anyOf", DRAFT_ALL, SHAPE_SCHEMAS, rule_any_of },
	{ "const", DRAFT6_ON, SHAPE_ANY, rule_const },
	{ "contains", DRAFT6_ON, SHAPE_SCHEMA, rule_contains },
	{ "definitions", DRAFT_ALL, SHAPE_MAP, NULL },
	{ "dependencies", DRAFT_ALL, SHAPE_DEPENDENCIES, rule_dependencies },
	{ "description", DRAFT_ALL, SHAPE_TEXT, NULL },
	{ "else", DRAFT7, SHAPE_SCHEMA, NULL },
	{ "enum", DRAFT_ALL, SHAPE_LIST, rule_enum },
	{ "exclusiveMaximum", DRAFT_ALL, SHAPE_BOUND, rule_bound },
	{ "exclusiveMinimum", DRAFT_ALL, SHAPE_BOUND, rule_bound },
	{ "format", DRAFT_ALL, SHAPE_TEXT, rule_formatted },
	{ "id", DRAFT4, SHAPE_TEXT, NULL },
	{ "if", DRAFT7, SHAPE_SCHEMA, rule_if },
	{ "items", DRAFT_ALL, SHAPE_ITEMS, rule_items },
	{ "maxItems", DRAFT_ALL, SHAPE_COUNT, rule_count },
	{ "maxLength", DRAFT_ALL, SHAPE_COUNT, rule_count },
	{ "maxProperties", DRAFT_ALL, SHAPE_COUNT, rule_count },
	{ "maximum", DRAFT_ALL, SHAPE_NUMBER, rule_bound },
	{ "minItems", DRAFT_ALL, SHAPE_COUNT, rule_count },
	{ "minLength", DRAFT_ALL, SHAPE_COUNT, rule_count },
	{ "minProperties", DRAFT_ALL, SHAPE_COUNT, rule_count },
	{ "minimum", DRAFT_ALL, SHAPE_NUMBER, rule_bound },
	{ "multipleOf", DRAFT_ALL, SHAPE_STEP, rule_multiple_of },
	{ "not", DRAFT_ALL, SHAPE_SCHEMA, rule_not },
	{ "oneOf", DRAFT_ALL, SHAPE_SCHEMAS, rule_one_of },
	{ "pattern", DRAFT_ALL, SHAPE_PATTERN, rule_pattern },
	{ "patternProperties", DRAFT_ALL, SHAPE_PATTERNS,
	    rule_pattern_properties },
	{ "properties", DRAFT_ALL, SHAPE_MAP, rule_properties },
	{ "propertyNames", DRAFT6_ON, SHAPE_SCHEMA, rule_property_names },
	{ "required", DRAFT_ALL, SHAPE_NAMES, rule_required },
	{ "then", DRAFT7, SHAPE_SCHEMA, NULL },
	{ "title", DRAFT_ALL, SHAPE_TEXT, NULL },
	{ "type", DRAFT_ALL, SHAPE_TYPES, rule_type },
	{ "uniqueItems", DRAFT_ALL, SHAPE_BOOL, rule_unique },
};
const size_t jsonschema_nkeywords =
    sizeof jsonschema_keywords / sizeof jsonschema_keywords[0];
