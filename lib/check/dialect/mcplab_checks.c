/* MCPLab's checks: what each is called, and what it says when it fails. */
#include "check/dialect/mcplab.h"
#include "check/kind/kind.h"
#include "lang/js.h"

struct str
mcplab_say(struct arena *a, struct str one, const char *between, struct str two)
{
	return str_cat(a, str_cat(a, one, str_of(between)), two);
}

/* ---- tools ---- */

static struct check
named(struct arena *a, struct check c, const char *type, const char *what,
    struct str label)
{
	c.type = str_of(type);
	c.label = mcplab_say(a, str_of(what), " · ", label);
	return c;
}

struct check
mcplab_forbidden(struct arena *a, struct str tool)
{
	struct check c = named(
	    a, called_check(a, tool), "forbidden_tool", "Forbidden tool", tool);

	c.negate = true;
	c.reason = str_cat(a, STR("Forbidden tool used: "), tool);
	return c;
}

struct check
mcplab_required(struct arena *a, struct str tool)
{
	struct check c = named(
	    a, called_check(a, tool), "required_tool", "Required tool", tool);

	c.reason = str_cat(a, STR("Required tool not used: "), tool);
	return c;
}

/* Metadata: what was called, and detail. */
static void
explain_calls(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	struct str parts[] = { STR("{\"actual\":"),
		v->trace->member[TRACE_TOOL_SEQUENCE]->text,
		STR(",\"expected\":"), c->detail, STR("}") };

	r->metadata = str_join(v->arena, parts, 5, STR(""));
	if (r->status == STATUS_FAILED && f->why.s != NULL && f->seen == 0)
		r->reason = str_cat(v->arena,
		    STR("Required tool in sequence not used: "), f->why);
}

static struct str
json_lists(struct arena *a, const struct str_list *lists, size_t n)
{
	struct out o;

	out_open_memory(&o);
	for (size_t i = 0; i < n; i++)
		out_json_strs(&o, lists[i]);
	return out_keep(&o, a);
}

struct check
mcplab_sequence(struct arena *a, struct str_list tools)
{
	struct str joined = str_join(a, tools.list, tools.n, STR(" -> "));
	struct check c = named(a, sequence_check(a, tools), "tool_sequence",
	    "Tool sequence", joined);

	c.reason =
	    str_cat(a, STR("Tool sequence order was not satisfied: "), joined);
	c.explain = explain_calls;
	c.detail = json_lists(a, &tools, 1);
	return c;
}

struct check
mcplab_allow(struct arena *a, const struct str_list *lists, size_t n)
{
	struct check c = sequence_check_exact(a, lists, n);

	c.type = STR("tool_sequence");
	c.label = STR("Tool sequence");
	c.reason = STR("Tool sequence did not match any allowed sequence");
	c.explain = explain_calls;
	c.detail = mcplab_say(
	    a, STR("["), "", str_cat(a, json_lists(a, lists, n), STR("]")));
	return c;
}

/* ---- answers ---- */

struct check
mcplab_text(struct arena *a, enum mcplab_text form, struct str value)
{
	static const struct {
		enum text_how how;
		const char *type, *label, *reason;
	} rows[] = {
		[MCPLAB_CONTAINS] = { TEXT_CONTAINS, "response_contains",
		    "Text contains", "Contains" },
		[MCPLAB_NOT_CONTAINS] = { TEXT_CONTAINS,
		    "response_not_contains", "Text does not contain",
		    "Not-contains" },
		[MCPLAB_STARTS_WITH] = { TEXT_STARTS, "response_starts_with",
		    "Text starts with", "Starts-with" },
		[MCPLAB_ENDS_WITH] = { TEXT_ENDS, "response_ends_with",
		    "Text ends with", "Ends-with" },
		[MCPLAB_EQUALS] = { TEXT_EQUALS, "response_equals",
		    "Text equals", "Equals" },
	};
	struct check c =
	    named(a, text_check(a, rows[form].how, VIEW_LOWER_JS, value),
		rows[form].type, rows[form].label, value);

	c.negate = form == MCPLAB_NOT_CONTAINS;
	c.reason = mcplab_say(
	    a, str_of(rows[form].reason), " assertion failed: ", value);
	return c;
}

struct regex *
mcplab_compile(
    struct arena *a, struct str pattern, unsigned flags, struct str *wrong)
{
	struct regex_error error;
	struct regex *regex =
	    regex_compile(a, REGEX_JS, pattern, flags, &error);

	if (regex == NULL)
		*wrong = str_printf(a, "%.*s (at offset %zu)",
		    STR_FMT(error.why), error.offset);
	return regex;
}

/* What MCPLab cuts off: a first group of flags, which JavaScript refuses. */
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

struct check
mcplab_regex(struct arena *a, struct str pattern, struct str *wrong)
{
	const char *type = "response_regex";
	struct regex *regex =
	    mcplab_compile(a, without_flags(pattern), REGEX_CASELESS, wrong);
	struct check c;

	if (regex == NULL)
		c = check_broken(a, str_of(type),
		    str_cat(a, STR("Invalid regex: "), pattern));
	else
		c = pattern_check(a, regex, pattern, REGEX_CASELESS);
	c = named(a, c, type, "Text matches regex", pattern);
	c.reason = str_cat(a, STR("Regex assertion failed: "), pattern);
	return c;
}

struct str
mcplab_string(struct arena *a, const struct json *v)
{
	char buf[JS_NUMBER_SIZE];

	if (v->type == JSON_STRING)
		return json_text(v, a);
	if (v->type == JSON_NUMBER)
		return str_dup(a, js_number(json_double(v), buf));
	return v->text;
}

struct check
mcplab_path_on(struct arena *a, struct str path, const struct json *equals,
    struct str *wrong)
{
	struct jsonpath_error error;
	struct jsonpath *compiled =
	    jsonpath_compile(a, path, JSONPATH_PLUS, &error);

	if (compiled != NULL)
		return json_path_check(a, compiled, path, equals);
	*wrong = str_printf(
	    a, "%.*s (at offset %zu)", STR_FMT(error.why), error.offset);
	return (struct check){ 0 };
}

struct check
mcplab_path(struct arena *a, enum mcplab_path form, struct str path,
    const struct json *equals, struct str *wrong)
{
	static const struct {
		const char *type, *label, *reason;
	} rows[] = {
		[MCPLAB_PATH] = { "response_jsonpath", "JSONPath exists",
		    "JSONPath" },
		[MCPLAB_PATH_EXISTS] = { "response_jsonpath_exists",
		    "JSONPath exists", "JSONPath" },
		[MCPLAB_PATH_NOT_EXISTS] = { "response_jsonpath_not_exists",
		    "JSONPath not exists", "JSONPath not-exists" },
	};
	struct check c = named(a, mcplab_path_on(a, path, equals, wrong),
	    rows[form].type, rows[form].label, path);
	const char *reason = rows[form].reason;

	if (equals != NULL) {
		c.label =
		    mcplab_say(a, str_cat(a, STR("JSONPath equals · "), path),
			" == ", mcplab_string(a, equals));
		reason = "JSONPath equals";
	}
	c.negate = form == MCPLAB_PATH_NOT_EXISTS;
	c.reason = mcplab_say(a, str_of(reason), " assertion failed: ", path);
	c.cannot = str_cat(
	    a, STR("JSONPath assertion failed: invalid JSON for path "), path);
	return c;
}

/* ---- the judge's ---- */

struct check
mcplab_agent(struct arena *a, struct str label, struct str rubric,
    unsigned context, struct str prompt)
{
	struct check c = judge_check(a,
	    &(struct judge_want){
		.rubric = rubric, .context = context, .prompt = prompt });

	c.type = STR("agent_check");
	c.label = label;
	return c;
}
