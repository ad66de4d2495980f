/* mcp-eval's checks of what the answer is. */
#include "check/dialect/mcp_eval_checks.h"
#include "check/kind/kind.h"

struct check
mcp_eval_contains(struct fields *e, bool negate)
{
	struct str text = fields_str(e, "text");
	bool exact = mcp_eval_bool_or(e, "case_sensitive", false);
	struct check c = text_check(e->arena, TEXT_CONTAINS,
	    exact ? VIEW_AS_WRITTEN : VIEW_LOWER_JS, text);

	c.negate = negate;
	c.reason = str_printf(e->arena, "expected %s'%.*s' in the answer",
	    negate ? "no " : "", STR_FMT(text));
	return mcp_eval_labelled(e, c, text);
}

/* Letters are made alike in the search: the pattern stays as it is written. */
struct check
mcp_eval_pattern(struct fields *e, bool negate)
{
	struct str text = fields_str(e, "text");
	bool exact = mcp_eval_bool_or(e, "case_sensitive", false);
	unsigned flags = exact ? 0 : REGEX_CASELESS;
	struct regex_error error;
	struct regex *regex;
	struct check c;

	if (!fields_good(e))
		return (struct check){ .label = e->where };
	regex = regex_compile(e->arena, REGEX_PYTHON, text, flags, &error);
	if (regex == NULL) {
		fields_wrong(e, json_get(e->object, "text"), "text: %.*s",
		    STR_FMT(error.why));
		return (struct check){ .label = e->where };
	}
	c = pattern_check(e->arena, regex, text, flags);
	c.negate = negate;
	c.reason = str_printf(e->arena, "expected %s/%.*s/ in the answer",
	    negate ? "no " : "", STR_FMT(text));
	return mcp_eval_labelled(e, c, text);
}

struct check
mcp_eval_instance(struct fields *e)
{
	struct str type = fields_str(e, "type_name");
	struct check c = answer_value_type(e->arena, type);

	c.detail = str_printf(
	    e->arena, "expected an answer of type %.*s", STR_FMT(type));
	c.explain = check_explain_found;
	return mcp_eval_labelled(e, c, type);
}

struct check
mcp_eval_equals(struct fields *e)
{
	struct answer_value_want want = {
		.expected = mcp_eval_scenario_of(e)->expected,
		.within = !mcp_eval_bool_or(e, "exact_match", true),
		.caseless = !mcp_eval_bool_or(e, "case_sensitive", true),
	};
	struct check c = answer_value_equals(e->arena, &want);
	struct str expected = mcp_eval_source(e->arena, want.expected);

	c.detail = str_printf(e->arena, "expected the answer to %s %.*s",
	    want.within ? "contain" : "be", STR_FMT(expected));
	c.explain = check_explain_found;
	return mcp_eval_labelled(e, c, expected);
}
