/* MCPLab's assertions by type: their keys, read into checks. */
#include "check/dialect/mcplab.h"
#include "emulate/jsonpath/jsonpath.h"

static struct check
text(struct fields *e)
{
	enum mcplab_text how = (enum mcplab_text)scenarios_form(e)->how;

	return mcplab_text(e->arena, how, fields_str(e, "value"));
}

/* Reports why the key's text does not compile, unless `wrong` is absent. */
static void
check_compiled(struct fields *e, const char *key, struct str wrong)
{
	if (wrong.s != NULL)
		fields_mistake(e, json_get(e->object, str_of(key)), "%s: %.*s",
		    key, STR_FMT(wrong));
}

static struct check
regex(struct fields *e)
{
	struct str wrong = { 0 };
	struct check c =
	    mcplab_regex(e->arena, fields_str(e, "pattern"), &wrong);

	check_compiled(e, "pattern", wrong);
	return c;
}

/* Reads a JSONPath, and warns of one that MCPLab's library hardly reads as the
 * author means. */
static struct str
read_path(struct fields *e)
{
	struct str path = fields_str(e, "path"), name;

	if (path.s != NULL && jsonpath_misread(e->arena, path, &name))
		fields_remark(e, json_get(e->object, "path"),
		    "path: jsonpath-plus, and so MCPLab, looks for the name "
		    "'%.*s' here",
		    STR_FMT(name));
	return path;
}

/* Returns the value that a selected value must be identical to; NULL: any. */
static const struct json *
equals_if(struct fields *e)
{
	const struct json *value = json_get(e->object, "equals");

	(void)fields_get(e, "equals");
	if (!json_is(value, JSON_ARRAY) && !json_is(value, JSON_OBJECT))
		return value;
	fields_mistake(e, value,
	    "equals: expected text, a number, true, false or null, found %s "
	    "(which equals nothing)",
	    json_type_name(value));
	return NULL;
}

static struct check
path(struct fields *e)
{
	enum mcplab_path how = (enum mcplab_path)scenarios_form(e)->how;
	struct str wrong = { 0 };
	const struct json *equal = how == MCPLAB_PATH ? equals_if(e) : NULL;
	struct check c =
	    mcplab_path(e->arena, how, read_path(e), equal, &wrong);

	check_compiled(e, "path", wrong);
	return c;
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

	check_compiled(e, "pattern", wrong);
	return c;
}

static struct check
input_jsonpath(struct fields *e)
{
	struct str wrong = { 0 }, tool = fields_str(e, "tool");
	struct check c = mcplab_input_path(
	    e->arena, tool, read_path(e), equals_if(e), &wrong);

	check_compiled(e, "path", wrong);
	return c;
}

static const struct form response_forms[] = {
	FORM("contains", text, .how = MCPLAB_CONTAINS, ROLE(HAS, "value")),
	FORM("not_contains", text, .how = MCPLAB_NOT_CONTAINS,
	    ROLE(LACKS, "value")),
	FORM("starts_with", text, .how = MCPLAB_STARTS_WITH,
	    ROLE(BOUND, "value")),
	FORM("ends_with", text, .how = MCPLAB_ENDS_WITH, ROLE(BOUND, "value")),
	FORM("equals", text, .how = MCPLAB_EQUALS, ROLE(EQUALS, "value")),
	FORM("regex", regex, ROLE(REGEX, "pattern")),
	FORM("jsonpath", path, .how = MCPLAB_PATH, ROLE(STRUCTURE, "path")),
	FORM("jsonpath_exists", path, .how = MCPLAB_PATH_EXISTS,
	    ROLE(STRUCTURE, "path")),
	FORM("jsonpath_not_exists", path, .how = MCPLAB_PATH_NOT_EXISTS,
	    ROLE(STRUCTURE, "path")),
};

const struct forms mcplab_response_forms = {
	.key = "type",
	.what = "response_assertions",
	.list = response_forms,
	.n = sizeof response_forms / sizeof response_forms[0],
};

static const struct form input_forms[] = {
	FORM("contains", input_contains, ROLE(ARGUMENTS, "tool")),
	FORM("regex", input_regex, ROLE(ARGUMENTS, "tool")),
	FORM("jsonpath", input_jsonpath, ROLE(ARGUMENTS, "tool")),
};

const struct forms mcplab_input_forms = {
	.key = "type",
	.what = "tool_input_assertions",
	.list = input_forms,
	.n = sizeof input_forms / sizeof input_forms[0],
};

/* Lists of their own in a scenario. */
static const struct form own_lists[] = {
	FORM("required_tool", NULL, .role = ROLE_CALLED),
	FORM("forbidden_tool", NULL, .role = ROLE_NOT_CALLED),
	FORM("tool_sequence", NULL, .role = ROLE_ORDER),
	FORM("agent_check", NULL, ROLE(JUDGE, "prompt")),
};

const struct form_list mcplab_types[] = {
	{ response_forms, sizeof response_forms / sizeof response_forms[0],
	    "response_" },
	{ input_forms, sizeof input_forms / sizeof input_forms[0],
	    "tool_input_" },
	FORM_LIST(own_lists),
	{ 0 },
};
