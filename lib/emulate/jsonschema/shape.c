/* Checks that the value of each keyword has the right shape. gojsonschema's
 * parser is stricter than the drafts in some places, and less strict in
 * others. */
#include "emulate/jsonschema/compile.h"

bool
jsonschema_all_strings(const struct json *list)
{
	for (json_each(v, list))
		if (!json_is(v, JSON_STRING))
			return false;
	return json_is(list, JSON_ARRAY);
}

static bool
is_type_name(const struct json *v)
{
	static const char *const names[] = { "null", "boolean", "object",
		"array", "number", "string", "integer" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (json_str_is(v, str_of(names[i])))
			return true;
	return false;
}

static bool
are_types(const struct json *v)
{
	if (!json_is(v, JSON_ARRAY))
		return is_type_name(v);
	for (json_each(name, v))
		if (!is_type_name(name))
			return false;
	return true;
}

bool
jsonschema_is_bool(const struct json *v)
{
	return json_is(v, JSON_TRUE) || json_is(v, JSON_FALSE);
}

/* Returns whether the value is a whole number, not negative, that 64 bits
 * hold. */
static bool
is_count(struct compiler *c, const struct json *v)
{
	return jsonschema_integer(c->arena, v) && json_double(v) >= 0 &&
	    json_double(v) < 0x1p63;
}

static bool
is_step(struct compiler *c, const struct json *v)
{
	return json_is(v, JSON_NUMBER) &&
	    decimal_of(c->arena, v->text).sign > 0;
}

/* Returns the error in the value itself, or NULL. */
static const char *
shape_error(struct compiler *c, enum shape shape, const struct json *v)
{
	switch (shape) {
	case SHAPE_SCHEMAS:
	case SHAPE_LIST:
		return json_is(v, JSON_ARRAY) ? NULL : "expected a list";
	case SHAPE_MAP:
	case SHAPE_PATTERNS:
	case SHAPE_DEPENDENCIES:
		return json_is(v, JSON_OBJECT) ? NULL : "expected an object";
	case SHAPE_NUMBER:
		return json_is(v, JSON_NUMBER) ? NULL : "expected a number";
	case SHAPE_STEP:
		return is_step(c, v) ? NULL : "expected a number above 0";
	case SHAPE_BOUND:
		if (json_is(v, JSON_NUMBER) && c->draft & DRAFT6_ON)
			return NULL;
		return jsonschema_is_bool(v) && c->draft & DRAFT4
		    ? NULL
		    : "expected a number (in draft 4 a boolean)";
	case SHAPE_COUNT:
		return is_count(c, v) ? NULL : "expected a whole number";
	case SHAPE_BOOL:
		return jsonschema_is_bool(v) ? NULL : "expected a boolean";
	case SHAPE_TEXT:
	case SHAPE_PATTERN:
		return json_is(v, JSON_STRING) ? NULL : "expected a string";
	case SHAPE_NAMES:
		return jsonschema_all_strings(v) ? NULL
						 : "expected a list of names";
	case SHAPE_TYPES:
		return are_types(v) ? NULL : "expected the name of a type";
	default:
		return NULL;
	}
}

/* Returns whether the keyword is a lower limit above the upper limit beside it;
 * gojsonschema does not check this for items. */
static bool
beyond_other(struct compiler *c, const struct json *schema,
    const struct keyword *k, const struct json *v)
{
	const struct json *other;

	if (!str_is(str_of(k->name), "minLength") &&
	    !str_is(str_of(k->name), "minProperties"))
		return false;
	other = json_get(
	    schema, str_printf(c->arena, "max%s", k->name + strlen("min")));
	return is_count(c, other) && json_double(v) > json_double(other);
}

/* Returns the bound that a boolean makes exclusive. */
static const char *
bound_of(const struct keyword *k)
{
	return str_is(str_of(k->name), "exclusiveMinimum") ? "minimum"
							   : "maximum";
}

const char *
jsonschema_shape_error(struct compiler *c, const struct json *schema,
    const struct keyword *k, const struct json *v)
{
	const char *wrong = shape_error(c, k->shape, v);

	if (wrong != NULL)
		return wrong;
	if (k->shape == SHAPE_BOUND && jsonschema_is_bool(v) &&
	    json_get(schema, str_of(bound_of(k))) == NULL)
		return "a boolean needs the bound beside it";
	if (beyond_other(c, schema, k, v))
		return "expected no more than the upper limit beside it";
	if ((k->shape == SHAPE_LIST || k->shape == SHAPE_NAMES ||
		k->shape == SHAPE_TYPES) &&
	    jsonschema_duplicate(c->arena, v) != NULL)
		return "expected values that differ";
	return NULL;
}
