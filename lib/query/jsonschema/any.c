/* Keywords for instances of any type. */
#include "query/jsonschema/tree.h"

bool
jsonschema_integer(struct arena *a, const struct json *v)
{
	struct decimal d;

	if (!json_is(v, JSON_NUMBER))
		return false;
	d = decimal_of(a, v->text);
	return decimal_is_integer(&d);
}

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

/* A list that is empty asks for nothing, whatever the keyword: so has it
 * gojsonschema. */
static bool
is_empty(const struct json *list)
{
	return json_is(list, JSON_ARRAY) && json_first(list) == NULL;
}

bool
jsonschema_type(struct validation *c, const struct rule *r,
    const struct json *v, const struct spot *spot)
{
	bool found = has_type(c, v, r->value) || is_empty(r->value);

	for (json_each(type, r->value))
		found |= has_type(c, v, type);
	return jsonschema_unless(c, found, r, spot);
}

bool
jsonschema_enum(struct validation *c, const struct rule *r,
    const struct json *v, const struct spot *spot)
{
	for (json_each(allowed, r->value))
		if (json_equal(allowed, v))
			return true;
	return jsonschema_unless(c, is_empty(r->value), r, spot);
}

bool
jsonschema_const(struct validation *c, const struct rule *r,
    const struct json *v, const struct spot *spot)
{
	return jsonschema_unless(c, json_equal(r->value, v), r, spot);
}

bool
jsonschema_all_of(struct validation *c, const struct rule *r,
    const struct json *v, const struct spot *spot)
{
	for (size_t i = 0; i < r->n; i++)
		if (!jsonschema_holds(c, r->parts[i].schema, v, spot))
			return false;
	return true;
}

static size_t
matching(struct validation *c, const struct rule *r, const struct json *v,
    const struct spot *spot)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		n += jsonschema_quietly(c, r->parts[i].schema, v, spot);
	return n;
}

bool
jsonschema_any_of(struct validation *c, const struct rule *r,
    const struct json *v, const struct spot *spot)
{
	return r->n == 0 || matching(c, r, v, spot) != 0 ||
	    jsonschema_broken(c, spot, "no schema of anyOf fits", STR(""));
}

bool
jsonschema_one_of(struct validation *c, const struct rule *r,
    const struct json *v, const struct spot *spot)
{
	return r->n == 0 || matching(c, r, v, spot) == 1 ||
	    jsonschema_broken(
		c, spot, "not exactly one schema of oneOf fits", STR(""));
}

bool
jsonschema_not(struct validation *c, const struct rule *r, const struct json *v,
    const struct spot *spot)
{
	return matching(c, r, v, spot) == 0 ||
	    jsonschema_broken(c, spot, "the schema of not fits", STR(""));
}

bool
jsonschema_if(struct validation *c, const struct rule *r, const struct json *v,
    const struct spot *spot)
{
	bool yes = jsonschema_quietly(c, r->parts[0].schema, v, spot);
	const struct rule *then = jsonschema_sibling(r, yes ? "then" : "else");

	return then == NULL ||
	    jsonschema_holds(c, then->parts[0].schema, v, spot);
}
