/* MCPLab's assertions by type: their keys, read into checks. */
#include "check/dialect/mcplab.h"

static struct check
literal(struct fields *e, enum mcplab_text form)
{
	return mcplab_text(e->arena, form, fields_str(e, "value"));
}

static struct check
contains(struct fields *e)
{
	return literal(e, MCPLAB_CONTAINS);
}

static struct check
not_contains(struct fields *e)
{
	return literal(e, MCPLAB_NOT_CONTAINS);
}

static struct check
starts_with(struct fields *e)
{
	return literal(e, MCPLAB_STARTS_WITH);
}

static struct check
ends_with(struct fields *e)
{
	return literal(e, MCPLAB_ENDS_WITH);
}

static struct check
equals(struct fields *e)
{
	return literal(e, MCPLAB_EQUALS);
}

/* Tells why the key's text does not compile, if it does not. */
static void
tell_wrong(struct fields *e, const char *key, struct str wrong)
{
	if (wrong.s != NULL)
		fields_wrong(e, json_get(e->object, str_of(key)), "%s: %.*s",
		    key, STR_FMT(wrong));
}

static struct check
regex(struct fields *e)
{
	struct str wrong = { 0 };
	struct check c =
	    mcplab_regex(e->arena, fields_str(e, "pattern"), &wrong);

	tell_wrong(e, "pattern", wrong);
	return c;
}

/* What a selected value must be identical to; NULL: whatever it is. */
static const struct json *
equals_if(struct fields *e)
{
	const struct json *value = json_get(e->object, "equals");

	(void)fields_get(e, "equals");
	if (!json_is(value, JSON_ARRAY) && !json_is(value, JSON_OBJECT))
		return value;
	fields_wrong(e, value,
	    "equals: expected text, a number, true, false or null, found %s "
	    "(which equals nothing)",
	    json_type_name(value));
	return NULL;
}

static struct check
path(struct fields *e, enum mcplab_path form)
{
	struct str wrong = { 0 };
	const struct json *equal = form == MCPLAB_PATH ? equals_if(e) : NULL;
	struct check c =
	    mcplab_path(e->arena, form, fields_str(e, "path"), equal, &wrong);

	tell_wrong(e, "path", wrong);
	return c;
}

static struct check
jsonpath(struct fields *e)
{
	return path(e, MCPLAB_PATH);
}

static struct check
jsonpath_exists(struct fields *e)
{
	return path(e, MCPLAB_PATH_EXISTS);
}

static struct check
jsonpath_not_exists(struct fields *e)
{
	return path(e, MCPLAB_PATH_NOT_EXISTS);
}

static struct check
input_contains(struct fields *e)
{
	struct str tool = fields_str(e, "tool");

	return mcplab_input_text(e->arena, tool, fields_str(e, "value"));
}

static struct check
input_regex(struct fields *e)
{
	struct str wrong = { 0 }, tool = fields_str(e, "tool");
	struct check c = mcplab_input_regex(
	    e->arena, tool, fields_str(e, "pattern"), &wrong);

	tell_wrong(e, "pattern", wrong);
	return c;
}

static struct check
input_jsonpath(struct fields *e)
{
	struct str wrong = { 0 }, tool = fields_str(e, "tool");
	struct check c = mcplab_input_path(
	    e->arena, tool, fields_str(e, "path"), equals_if(e), &wrong);

	tell_wrong(e, "path", wrong);
	return c;
}

static const struct form response_forms[] = {
	{ "contains", contains },
	{ "not_contains", not_contains },
	{ "starts_with", starts_with },
	{ "ends_with", ends_with },
	{ "equals", equals },
	{ "regex", regex },
	{ "jsonpath", jsonpath },
	{ "jsonpath_exists", jsonpath_exists },
	{ "jsonpath_not_exists", jsonpath_not_exists },
};

const struct forms mcplab_response_forms = {
	.key = "type",
	.what = "response_assertions",
	.list = response_forms,
	.n = sizeof response_forms / sizeof response_forms[0],
};

static const struct form input_forms[] = {
	{ "contains", input_contains },
	{ "regex", input_regex },
	{ "jsonpath", input_jsonpath },
};

const struct forms mcplab_input_forms = {
	.key = "type",
	.what = "tool_input_assertions",
	.list = input_forms,
	.n = sizeof input_forms / sizeof input_forms[0],
};
