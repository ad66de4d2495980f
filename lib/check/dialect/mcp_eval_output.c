/* mcp-eval's check of what a tool gave. */
#include "base/suggest.h"
#include "check/dialect/mcp_eval_checks.h"
#include "check/kind/kind.h"

static enum tool_output_how
match_type(struct fields *e)
{
	struct str written = fields_str_if(e, "match_type");
	struct suggest near = suggest_for(written);
	const char *name;

	if (!json_has(e->object, "match_type"))
		return OUTPUT_EXACT;
	fields_str(e, "match_type"); /* nor is null text */
	for (unsigned how = 0; (name = tool_output_how_name(how)) != NULL; how++) {
		if (str_is(written, name))
			return how;
		suggest_try(&near, str_of(name));
	}
	fields_wrong(e, json_get(e->object, "match_type"),
	    "match_type: unknown '%.*s'%s", STR_FMT(written),
	    suggest_text(&near, e->arena));
	return OUTPUT_EXACT;
}

static void
read_field(struct fields *e, struct field_path *field)
{
	struct str path = fields_str_if(e, "field_path"), why;

	if (!field_path_read(field, e->arena, path, &why))
		fields_wrong(e, json_get(e->object, "field_path"),
		    "field_path: %.*s", STR_FMT(why));
}

static void
compile(struct fields *e, struct tool_output_want *w)
{
	struct regex_error error;

	if (w->how != OUTPUT_REGEX || !json_is(w->expected, JSON_STRING))
		return;
	w->regex = regex_compile(e->arena, REGEX_PYTHON,
	    json_text(w->expected, e->arena), w->caseless ? REGEX_CASELESS : 0,
	    &error);
	if (w->regex == NULL)
		fields_wrong(e, w->expected, "expected_output: %.*s",
		    STR_FMT(error.why));
}

static const char *
verb(const struct tool_output_want *w)
{
	switch (w->how) {
	case OUTPUT_EXACT:
		return json_is(w->expected, JSON_STRING) ? "contain" : "be";
	case OUTPUT_CONTAINS:
		return "contain";
	case OUTPUT_REGEX:
		return "match";
	case OUTPUT_PARTIAL:
		return "include";
	default:
		return "be";
	}
}

static struct str
expectation(struct arena *a, const struct tool_output_want *w)
{
	struct str tool = w->tool, field = w->field.written,
		   expected = mcp_eval_source(a, w->expected);

	return str_printf(a, "expected the output of %.*s%s%.*s to %s %.*s",
	    STR_FMT(tool), field.n == 0 ? "" : " at ", STR_FMT(field), verb(w),
	    STR_FMT(expected));
}

/* What is exact is so only without the fallback, whatever the case then. */
static void
read_fallback(struct fields *e, struct tool_output_want *w)
{
	if (mcp_eval_bool_or(e, "contains_fallback_for_exact", true) ||
	    w->how != OUTPUT_EXACT)
		return;
	w->how = OUTPUT_EQUALS;
	w->caseless = false;
}

struct check
mcp_eval_output(struct fields *e)
{
	struct tool_output_want want = {
		.tool = fields_str(e, "tool_name"),
		.call = mcp_eval_int_or(e, "call_index", -1),
		.how = match_type(e),
		.expected = fields_need(e, "expected_output"),
		.caseless = !mcp_eval_bool_or(e, "case_sensitive", true),
	};
	bool strict = mcp_eval_scenario_of(e)->strict;
	struct check c;

	read_field(e, &want.field);
	if (strict)
		read_fallback(e, &want);
	else if (json_is(want.expected, JSON_NULL))
		fields_wrong(e, want.expected,
		    "expected_output: expected a value, found null");
	if (!fields_good(e))
		return (struct check){ .label = e->where };
	compile(e, &want);
	c = tool_output_check(e->arena, &want);
	c.detail = expectation(e->arena, &want);
	c.explain = check_explain_found;
	return mcp_eval_labelled(e, c, want.tool);
}
