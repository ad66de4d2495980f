/* MCPLab's checks of calls, with its labels, and its reasons for failures. */
#include "check/dialect/mcplab.h"

/* ---- tools ---- */

static struct check
named(struct arena *a, struct check c, const char *type, const char *what,
    struct str label)
{
	c.type = str_of(type);
	c.label = str_cat3(a, str_of(what), STR(" · "), label);
	return c;
}

struct check
mcplab_tool(struct arena *a, const char *type, struct str tool)
{
	const struct form *form = form_find(mcplab_types, str_of(type));
	struct check c =
	    named(a, called_check(a, tool), type, form->label, tool);

	c.negate = form->role == ROLE_NOT_CALLED;
	c.reason = str_cat3(a, str_of(form->fails), STR(" used: "), tool);
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
	out_open_json(&o, '[');
	for (size_t i = 0; i < calls.n; i++)
		out_json_str(&o, calls.list[i].tool);
	return out_keep_json(&o, ']', v->arena);
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
	c.detail = str_cat3(a, STR("["), STR(""),
	    str_cat(a, json_lists(a, lists, n), STR("]")));
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
