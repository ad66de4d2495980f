/* MCPLab's assertions by type, a row each, and the checks that are made of rows. */
#include "check/dialect/mcplab.h"

#include "emulate/jsonpath/jsonpath.h"
#include "emulate/lang/js.h"

/* form->how: an enum text_how, or one of: */
enum { PATTERN = 16, PATH, NEGATE = 32 /* | one of these */ };

/* ---- checks of a text ---- */

struct regex *
mcplab_compile(
    struct arena *a, struct str pattern, unsigned flags, struct str *wrong)
{
	struct regex_error error;
	struct regex *regex =
	    regex_compile(a, REGEX_JS, pattern, flags, &error);

	if (regex == NULL)
		*wrong = regex_error_text(a, &error);
	return regex;
}

/* Returns the pattern without a leading group of flags, which MCPLab removes,
 * since JavaScript refuses it. */
static struct str
without_flags(struct str pattern)
{
	size_t n = 2;

	if (!str_starts(pattern, "(?"))
		return pattern;
	while (n < pattern.n && str_find_char(STR("imsx"), pattern.s[n]) < 4)
		n++;
	if (n == 2 || n == pattern.n || pattern.s[n] != ')')
		return pattern;
	return str_from(pattern, n + 1);
}

/* Returns the String(value) of JavaScript for a scalar. */
static struct str
string_of(struct arena *a, const struct json *v)
{
	char buf[JS_NUMBER_SIZE];

	if (v->type == JSON_STRING)
		return json_text(v, a);
	if (v->type == JSON_NUMBER)
		return str_dup(a, js_number(json_double(v), buf));
	return v->text;
}

/* The keys of an assertion. */
struct keys {
	const struct form *form;
	bool input;      /* of tool_input_assertions, which name a tool */
	const char *key; /* of `value`, which is behind that of the tool */
	struct str tool, value;
	const struct json *equals;
	struct str wrong;
};

/* Returns the check of a path of MCPLab's flavour. */
static struct check
path_check(struct arena *a, struct keys *k)
{
	struct jsonpath_error error;
	struct jsonpath *compiled =
	    jsonpath_compile(a, k->value, JSONPATH_PLUS, &error);

	if (compiled != NULL && jsonpath_is_open(k->value, &error.offset)) {
		error.why = STR("the bracket is not closed");
		jsonpath_free(compiled);
		compiled = NULL;
	}
	if (compiled != NULL)
		return json_path_check(a, compiled, k->value, k->equals);
	k->wrong = str_printf(
	    a, "%.*s (at offset %zu)", STR_FMT(error.why), error.offset);
	return (struct check){ 0 };
}

/* Returns the check of a pattern, in which the case counts for a tool's arguments
 * alone. */
static struct check
regex_check(struct arena *a, struct keys *k)
{
	unsigned flags = k->input ? 0 : REGEX_CASELESS;
	struct str invalid = k->input
	    ? STR("Tool input assertion failed: invalid regex ")
	    : STR("Invalid regex: ");
	struct regex *regex = mcplab_compile(
	    a, k->input ? k->value : without_flags(k->value), flags, &k->wrong);

	return regex != NULL
	    ? pattern_check(a, regex, k->value, flags)
	    : check_broken(a, STR("regex"), str_cat(a, invalid, k->value));
}

static struct check
check_of(struct arena *a, struct keys *k)
{
	switch (k->form->how & ~NEGATE) {
	case PATTERN:
		return regex_check(a, k);
	case PATH:
		return path_check(a, k);
	default:
		return text_check(a, (enum text_how)(k->form->how & ~NEGATE),
		    VIEW_LOWER_JS, k->value);
	}
}

/* ---- the answer ---- */

static struct check
response_check(struct arena *a, struct keys *k)
{
	const struct form *form = k->form;
	struct check c = check_of(a, k);
	struct str fails = str_of(form->fails);

	c.type = str_cat(a, STR("response_"), str_of(form->name));
	c.label = str_cat3(a, str_of(form->label), STR(" · "), k->value);
	if (k->equals != NULL) {
		fails = STR("JSONPath equals");
		c.label = str_cat3(a, str_cat3(a, fails, STR(" · "), k->value),
		    STR(" == "), string_of(a, k->equals));
	}
	c.negate = form->how & NEGATE;
	c.reason = str_cat3(a, fails, STR(" assertion failed: "), k->value);
	if ((form->how & ~NEGATE) == PATH)
		c.cannot = str_cat(a,
		    STR("JSONPath assertion failed: invalid JSON for path "),
		    k->value);
	return c;
}

/* ---- tool inputs ---- */

static void
explain_inputs(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	r->metadata = str_printf(v->arena,
	    "{%.*s,\"matched_call_count\":%zu,\"observed_call_count\":%zu}",
	    STR_FMT(c->detail), f->matched, f->seen);
}

static struct str
metadata_of(struct arena *a, const struct keys *k)
{
	struct out o;

	out_open_memory(&o);
	out_member_text(&o, "tool", k->tool);
	out_key(&o, k->key);
	out_json_str(&o, k->value);
	if (k->equals != NULL) {
		out_key(&o, "equals");
		js_stringify(&o, k->equals, a);
	}
	return out_keep(&o, a);
}

static struct check
input_check(struct arena *a, struct keys *k)
{
	const struct form *form = k->form;
	struct check *inner = arena_new(a, struct check), c;
	struct str failed =
	    str_cat(a, STR("Tool input assertion failed: "), k->tool);
	struct str wanted = k->value;

	if (form->how == PATH)
		wanted = k->equals == NULL
		    ? str_cat(a, wanted, STR(" exists"))
		    : str_cat3(a, wanted, STR(" == "), string_of(a, k->equals));
	c = *inner = check_of(a, k);
	if (!check_is_broken(inner)) {
		c = args_pass_check(a, k->tool, inner);
		c.reason =
		    str_cat3(a, failed, STR(" input did not match (expected: "),
			str_cat3(a,
			    str_cat3(a, str_of(form->fails), STR(" "), wanted),
			    STR(")"), STR("")));
		c.cannot = str_cat(a,
		    STR("Tool input assertion failed: tool not used: "),
		    k->tool);
		c.explain = explain_inputs;
		c.detail = metadata_of(a, k);
	}
	c.type = str_cat(a, STR("tool_input_"), str_of(form->name));
	c.label = str_cat3(a, str_cat(a, STR("Tool input · "), k->tool),
	    STR(" "), str_cat3(a, str_of(form->label), STR(" "), wanted));
	return c;
}

/* ---- reading ---- */

/* Returns the value that a selected value must be identical to; NULL: any. */
static const struct json *
equals_if(struct fields *e)
{
	const struct json *value = scenarios_value(e, "equals");

	if (!json_is(value, JSON_ARRAY) && !json_is(value, JSON_OBJECT))
		return value;
	fields_mistake(e, value,
	    "equals: expected text, a number, true, false or null, found %s "
	    "(which equals nothing)",
	    json_type_name(value));
	return NULL;
}

/* Warns of a JSONPath that MCPLab's library hardly reads as the author means. */
static void
warn_misread(struct fields *e, struct str path)
{
	struct str name;

	if (path.s != NULL && jsonpath_misread(e->arena, path, &name))
		fields_remark(e, json_get(e->object, "path"),
		    "path: jsonpath-plus, and so MCPLab, looks for the name "
		    "'%.*s' here",
		    STR_FMT(name));
}

/* Reads the keys of an assertion, and makes its check of them. */
static struct check
make(struct fields *e, bool input,
    struct check (*check)(struct arena *, struct keys *))
{
	const struct form *form = scenarios_form(e);
	struct keys k = {
		.form = form, .input = input, .key = form->params[input].key
	};
	struct check c;

	if (input)
		k.tool = scenarios_text(e, "tool");
	k.equals = equals_if(e);
	k.value = scenarios_text(e, k.key);
	if ((form->how & ~NEGATE) == PATH)
		warn_misread(e, k.value);
	c = check(e->arena, &k);
	if (k.wrong.s != NULL)
		fields_mistake(e, json_get(e->object, k.key), "%s: %.*s", k.key,
		    STR_FMT(k.wrong));
	return c;
}

static struct check
response(struct fields *e)
{
	return make(e, false, response_check);
}

static struct check
input(struct fields *e)
{
	return make(e, true, input_check);
}

/* ---- types ---- */

static const struct form response_forms[] = {
	FORM("contains", response, .how = TEXT_CONTAINS,
	    LABEL("Text contains", "Contains"), ROLE(HAS, "value"),
	    PARAMS(NEED("value", TEXT))),
	FORM("not_contains", response, .how = TEXT_CONTAINS | NEGATE,
	    LABEL("Text does not contain", "Not-contains"),
	    ROLE(LACKS, "value"), PARAMS(NEED("value", TEXT))),
	FORM("starts_with", response, .how = TEXT_STARTS,
	    LABEL("Text starts with", "Starts-with"), ROLE(BOUND, "value"),
	    PARAMS(NEED("value", TEXT))),
	FORM("ends_with", response, .how = TEXT_ENDS,
	    LABEL("Text ends with", "Ends-with"), ROLE(BOUND, "value"),
	    PARAMS(NEED("value", TEXT))),
	FORM("equals", response, .how = TEXT_EQUALS,
	    LABEL("Text equals", "Equals"), ROLE(EQUALS, "value"),
	    PARAMS(NEED("value", TEXT))),
	FORM("regex", response, .how = PATTERN,
	    LABEL("Text matches regex", "Regex"), ROLE(REGEX, "pattern"),
	    PARAMS(NEED("pattern", TEXT))),
	FORM("jsonpath", response, .how = PATH,
	    LABEL("JSONPath exists", "JSONPath"), ROLE(STRUCTURE, "path"),
	    PARAMS(NEED("path", TEXT), KEY("equals", LOOSE))),
	FORM("jsonpath_exists", response, .how = PATH,
	    LABEL("JSONPath exists", "JSONPath"), ROLE(STRUCTURE, "path"),
	    PARAMS(NEED("path", TEXT))),
	FORM("jsonpath_not_exists", response, .how = PATH | NEGATE,
	    LABEL("JSONPath not exists", "JSONPath not-exists"),
	    ROLE(STRUCTURE, "path"), PARAMS(NEED("path", TEXT))),
};

const struct forms mcplab_response_forms = {
	.key = "type",
	.what = "response_assertions",
	FORMS(response_forms),
};

struct check
mcplab_response(struct arena *a, const char *type, struct str value,
    const struct json *equals, struct str *wrong)
{
	const struct form_list lists[] = { FORM_LIST(response_forms), { 0 } };
	struct keys k = { .form = form_find(lists, str_of(type)),
		.value = value,
		.equals = equals };
	struct check c = response_check(a, &k);

	if (k.wrong.s != NULL)
		*wrong = k.wrong;
	return c;
}

static const struct form input_forms[] = {
	FORM("contains", input, .how = TEXT_CONTAINS,
	    LABEL("contains", "contains"), ROLE(ARGUMENTS, "tool"),
	    PARAMS(NEED("tool", TEXT), NEED("value", TEXT))),
	FORM("regex", input, .how = PATTERN, LABEL("matches regex", "regex"),
	    ROLE(ARGUMENTS, "tool"),
	    PARAMS(NEED("tool", TEXT), NEED("pattern", TEXT))),
	FORM("jsonpath", input, .how = PATH, LABEL("JSONPath", "JSONPath"),
	    ROLE(ARGUMENTS, "tool"),
	    PARAMS(
		NEED("tool", TEXT), NEED("path", TEXT), KEY("equals", LOOSE))),
};

const struct forms mcplab_input_forms = {
	.key = "type",
	.what = "tool_input_assertions",
	FORMS(input_forms),
};

/* Lists of their own in a scenario. */
static const struct form own_lists[] = {
	FORM("required_tool", NULL, .role = ROLE_CALLED,
	    LABEL("Required tool", "Required tool not")),
	FORM("forbidden_tool", NULL, .role = ROLE_NOT_CALLED,
	    LABEL("Forbidden tool", "Forbidden tool")),
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
