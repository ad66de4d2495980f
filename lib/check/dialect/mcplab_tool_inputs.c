/* MCPLab's checks of what tools were given. */
#include "check/dialect/mcplab.h"
#include "check/kind/kind.h"
#include "lang/js.h"

static void
explain_inputs(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	r->metadata = str_printf(v->arena,
	    "{%.*s,\"matched_call_count\":%zu,\"observed_call_count\":%zu}",
	    STR_FMT(c->detail), f->matched, f->seen);
}

/* What an assertion on inputs says of itself. */
struct input {
	const char *type;
	struct str tool;
	const char *key; /* of what it wants, which is the value */
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
	c.label = mcplab_say(
	    a, str_cat(a, STR("Tool input · "), in->tool), " ", in->label);
	return c;
}

static struct check
on_inputs(struct arena *a, struct check inner, const struct input *in)
{
	struct check *kept = arena_new(a, struct check);
	struct check c;

	*kept = inner;
	c = described(a, args_pass_check(a, in->tool, kept), in);
	c.reason = mcplab_say(a,
	    str_cat(a, STR("Tool input assertion failed: "), in->tool),
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
	    : str_cat(a, STR(" == "), mcplab_string(a, equals));
	struct input in = { .type = "tool_input_jsonpath",
		.tool = tool,
		.key = "path",
		.value = path,
		.equals = equals,
		.label = mcplab_say(
		    a, STR("JSONPath "), "", str_cat(a, path, tail)) };

	in.expected = in.label;
	return on_inputs(a, mcplab_path_on(a, path, equals, wrong), &in);
}
