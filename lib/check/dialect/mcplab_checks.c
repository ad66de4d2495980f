/* MCPLab's checks, with its labels, and its reasons for failures. */
#include "check/dialect/mcplab.h"

#include "check/kind/kind.h"
#include "emulate/lang/js.h"

/* Returns two texts with a word of ours between them. An author's text may hold
 * NULs. */
static struct str
join(struct arena *a, struct str one, const char *between, struct str two)
{
	return str_cat(a, str_cat(a, one, str_of(between)), two);
}

/* ---- tools ---- */

static struct check
named(struct arena *a, struct check c, const char *type, const char *what,
    struct str label)
{
	c.type = str_of(type);
	c.label = join(a, str_of(what), " · ", label);
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

/* Returns the names of the calls, as a list. */
static struct str
called(struct view *v)
{
	const struct json *sequence = v->trace->member[TRACE_TOOL_SEQUENCE];
	struct trace_calls calls = view_calls(v);
	struct out o;

	if (sequence != NULL)
		return sequence->text;
	out_open_memory(&o);
	out_begin(&o, '[');
	for (size_t i = 0; i < calls.n; i++)
		out_json_str(&o, calls.list[i].tool);
	out_end(&o, ']');
	return out_keep(&o, v->arena);
}

/* Sets the metadata: the calls, and detail. */
static void
explain_calls(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	struct str parts[] = { STR("{\"actual\":"), called(v),
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
	if (tools.n == 0) { /* it always passes */
		c.label = STR("Tool sequence");
		c.needs = 0;
	}
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
	c.detail = join(
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
	c.reason =
	    join(a, str_of(rows[form].reason), " assertion failed: ", value);
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

/* Returns the check of a path of MCPLab's flavour. */
static struct check
path_of(struct arena *a, struct str path, const struct json *equals,
    struct str *wrong)
{
	struct jsonpath_error error;
	struct jsonpath *compiled =
	    jsonpath_compile(a, path, JSONPATH_PLUS, &error);

	if (compiled != NULL && jsonpath_is_open(path, &error.offset)) {
		error.why = STR("the bracket is not closed");
		jsonpath_free(compiled);
		compiled = NULL;
	}
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
	struct check c = named(a, path_of(a, path, equals, wrong),
	    rows[form].type, rows[form].label, path);
	const char *reason = rows[form].reason;

	if (equals != NULL) {
		c.label = join(a, str_cat(a, STR("JSONPath equals · "), path),
		    " == ", string_of(a, equals));
		reason = "JSONPath equals";
	}
	c.negate = form == MCPLAB_PATH_NOT_EXISTS;
	c.reason = join(a, str_of(reason), " assertion failed: ", path);
	c.cannot = str_cat(
	    a, STR("JSONPath assertion failed: invalid JSON for path "), path);
	return c;
}

/* ---- judge ---- */

struct check
mcplab_agent(struct arena *a, struct str label, const struct judge_want *want)
{
	struct check c = judge_check(a, want);

	c.type = STR("agent_check");
	c.label = label;
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

/* The description of an assertion on a tool's arguments. */
struct input {
	const char *type;
	struct str tool;
	const char *key; /* the key of `value` */
	struct str value;
	const struct json *equals;
	struct str label, expected; /* "contains x" */
};

static struct str
metadata_of(struct arena *a, const struct input *in)
{
	struct out o;

	out_open_memory(&o);
	out_key(&o, "tool");
	out_json_str(&o, in->tool);
	out_key(&o, in->key);
	out_json_str(&o, in->value);
	if (in->equals != NULL) {
		out_key(&o, "equals");
		js_stringify(&o, in->equals, a);
	}
	return out_keep(&o, a);
}

static struct check
described(struct arena *a, struct check c, const struct input *in)
{
	c.type = str_of(in->type);
	c.label =
	    join(a, str_cat(a, STR("Tool input · "), in->tool), " ", in->label);
	return c;
}

static struct check
on_inputs(struct arena *a, struct check inner, const struct input *in)
{
	struct check *kept = arena_new(a, struct check);
	struct check c;

	*kept = inner;
	c = described(a, args_pass_check(a, in->tool, kept), in);
	c.reason =
	    join(a, str_cat(a, STR("Tool input assertion failed: "), in->tool),
		" input did not match (expected: ",
		str_cat(a, in->expected, STR(")")));
	c.cannot = str_cat(
	    a, STR("Tool input assertion failed: tool not used: "), in->tool);
	c.explain = explain_inputs;
	c.detail = metadata_of(a, in);
	return c;
}

struct check
mcplab_input_text(struct arena *a, struct str tool, struct str value)
{
	struct input in = { .type = "tool_input_contains",
		.tool = tool,
		.key = "value",
		.value = value,
		.label = str_cat(a, STR("contains "), value) };

	in.expected = in.label;
	return on_inputs(
	    a, text_check(a, TEXT_CONTAINS, VIEW_LOWER_JS, value), &in);
}

struct check
mcplab_input_regex(
    struct arena *a, struct str tool, struct str pattern, struct str *wrong)
{
	struct input in = { .type = "tool_input_regex",
		.tool = tool,
		.key = "pattern",
		.value = pattern,
		.label = str_cat(a, STR("matches regex "), pattern),
		.expected = str_cat(a, STR("regex "), pattern) };
	struct regex *regex = mcplab_compile(a, pattern, 0, wrong);

	if (regex != NULL)
		return on_inputs(a, pattern_check(a, regex, pattern, 0), &in);
	return described(a,
	    check_broken(a, str_of(in.type),
		str_cat(a, STR("Tool input assertion failed: invalid regex "),
		    pattern)),
	    &in);
}

struct check
mcplab_input_path(struct arena *a, struct str tool, struct str path,
    const struct json *equals, struct str *wrong)
{
	struct str tail = equals == NULL
	    ? STR(" exists")
	    : str_cat(a, STR(" == "), string_of(a, equals));
	struct input in = { .type = "tool_input_jsonpath",
		.tool = tool,
		.key = "path",
		.value = path,
		.equals = equals,
		.label =
		    join(a, STR("JSONPath "), "", str_cat(a, path, tail)) };

	in.expected = in.label;
	return on_inputs(a, path_of(a, path, equals, wrong), &in);
}
