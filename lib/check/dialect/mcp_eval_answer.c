/* mcp-eval's checks of the answer, and those that a judge decides. */
#include "check/dialect/mcp_eval.h"

#include "check/dialect/rubric.h"
#include "check/kind/kind.h"
#include "text/rubric_words.h"

/* ---- the answer ---- */

struct check
mcp_eval_contains(struct fields *e)
{
	bool negate = scenarios_form(e)->how;
	struct str text = scenarios_text(e, "text");
	bool exact = mcp_eval_bool(e, "case_sensitive");
	struct check c = text_check(e->arena, TEXT_CONTAINS,
	    exact ? VIEW_AS_WRITTEN : VIEW_LOWER_JS, text);

	c.negate = negate;
	c.reason = str_printf(e->arena, "expected %s'%.*s' in the answer",
	    negate ? "no " : "", STR_FMT(text));
	return mcp_eval_labelled(e, c, text);
}

/* Makes a check of a pattern, which ignores case in the search; the pattern
 * itself is not folded. */
static struct check
matches(struct fields *e)
{
	bool negate = scenarios_form(e)->how;
	struct str text = scenarios_text(e, "text");
	bool exact = mcp_eval_bool(e, "case_sensitive");
	unsigned flags = exact ? 0 : REGEX_CASELESS;
	struct regex_error error;
	struct regex *regex;
	struct check c;

	if (!fields_ok(e))
		return (struct check){ .label = e->where };
	regex = regex_compile(e->arena, REGEX_PYTHON, text, flags, &error);
	if (regex == NULL) {
		fields_mistake(e, json_get(e->object, "text"), "text: %.*s",
		    STR_FMT(regex_error_text(e->arena, &error)));
		return (struct check){ .label = e->where };
	}
	c = pattern_check(e->arena, regex, text, flags);
	c.negate = negate;
	c.reason = str_printf(e->arena, "expected %s/%.*s/ in the answer",
	    negate ? "no " : "", STR_FMT(text));
	return mcp_eval_labelled(e, c, text);
}

struct check
mcp_eval_contains_or_matches(struct fields *e)
{
	return mcp_eval_bool(e, "regex") ? matches(e) : mcp_eval_contains(e);
}

struct check
mcp_eval_instance(struct fields *e)
{
	struct str type = scenarios_text(e, "type_name");
	struct check c = answer_value_type(e->arena, type);

	c.detail = str_printf(
	    e->arena, "expected an answer of type %.*s", STR_FMT(type));
	return mcp_eval_labelled(e, c, type);
}

struct check
mcp_eval_equals(struct fields *e)
{
	struct answer_value_want want = {
		.expected = mcp_eval_scenario_of(e)->expected,
		.within = !mcp_eval_bool(e, "exact_match"),
		.caseless = !mcp_eval_bool(e, "case_sensitive"),
	};
	struct check c = answer_value_equals(e->arena, &want);
	struct str expected = mcp_eval_source(e->arena, want.expected);

	c.detail = str_printf(e->arena, "expected the answer to %s %.*s",
	    want.within ? "contain" : "be", STR_FMT(expected));
	return mcp_eval_labelled(e, c, expected);
}

/* ---- the judge ---- */

/* Returns the text for a judge; a value that is no text is written as JSON. */
static struct str
text_of(struct fields *e, const struct json *v)
{
	return json_is(v, JSON_STRING) ? json_text(v, e->arena)
				       : mcp_eval_source(e->arena, v);
}

static void
show_input(struct fields *e, struct judge_want *want)
{
	want->context |= JUDGE_PROMPT;
	want->prompt = text_of(e, mcp_eval_scenario_of(e)->inputs);
}

static void
show_expected(struct fields *e, struct judge_want *want)
{
	const struct json *expected = mcp_eval_scenario_of(e)->expected;

	if (expected == NULL)
		return;
	want->context |= JUDGE_EXPECTED;
	want->expected = text_of(e, expected);
}

/* Returns the least score of the rubric, on whose own scale it may be; else
 * that of its row. */
static double
least_score(struct fields *e, struct str rubric)
{
	const struct json *v = fields_get(e, "min_score");
	double score = mcp_eval_min_score(e), share;

	return json_is(v, JSON_NUMBER) &&
		rubric_share(rubric, json_double(v), &share)
	    ? share
	    : score;
}

/* ---- one rubric ---- */

/* The judge of a scenario, unlike that of a dataset, never sees the input. */
struct check
mcp_eval_llm_judge(struct fields *e)
{
	struct judge_want want = {
		.rubric = scenarios_text(e, "rubric"),
		.scored = true,
		.reasoned = mcp_eval_bool(e, "require_reasoning"),
	};
	bool strict = mcp_eval_scenario_of(e)->strict;

	want.min_score = least_score(e, want.rubric);
	if (strict && mcp_eval_bool(e, "include_input"))
		show_input(e, &want);
	if (!strict || mcp_eval_bool(e, "include_expected"))
		show_expected(e, &want);
	rubric_remark(e->doc, e->object, &want, NULL);
	return mcp_eval_labelled(e, judge_check(e->arena, &want), want.rubric);
}

/* ---- several criteria ---- */

static const struct form criterion = FORM("criterion", NULL,
    PARAMS(NEED("name", TEXT), NEED("description", TEXT),
	KEY_OR("weight", NUMBER, 1), KEY_OR("min_score", NUMBER, 0.7),
	KEY("examples", OBJECT)));

/* Reads a criterion. Returns false and sets *why if it has a mistake. */
static bool
read_criterion(const struct fields *e, const struct json *v,
    struct judge_criterion *c, struct str *why)
{
	const struct assertion context = { &criterion, scenarios_part_of(e) };
	struct fields one = fields_open(e->arena, e->doc, v, STR("criterion"));

	one.context = &context;
	one.is_assertion = one.strict = true;
	c->name = scenarios_text(&one, "name");
	c->description = scenarios_text(&one, "description");
	c->weight = mcp_eval_float(&one, "weight");
	c->min_score = least_score(&one, c->description);
	c->examples = fields_object_if(&one, "examples");
	for (json_members(key, c->examples))
		if (!json_is(json_value(key), JSON_STRING))
			fields_mistake(&one, json_value(key),
			    "examples: expected text, found %s",
			    json_type_name(json_value(key)));
	return fields_close(&one, why);
}

static void
read_criteria(struct fields *e, struct judge_criteria *all, struct str *why)
{
	const struct json *list = mcp_eval_list(e, "criteria");
	struct judge_criterion *read =
	    arena_new_n(e->arena, struct judge_criterion, json_count(list));
	double weights = 0;

	all->list = read;
	for (json_each(v, list)) {
		struct judge_criterion *c = &read[all->n++];
		struct str wrong = { 0 };

		if (!read_criterion(e, v, c, &wrong))
			*why = wrong;
		weights += c->weight;
	}
	if (list != NULL && all->n == 0)
		fields_mistake(e, list, "criteria: expected one or more");
	else if (why->s == NULL && !all->all && weights == 0)
		fields_mistake(
		    e, list, "criteria: the weights add up to nothing");
}

static struct str
names_of(struct arena *a, const struct judge_criteria *all)
{
	struct str *names = arena_new_n(a, struct str, all->n);

	for (size_t i = 0; i < all->n; i++)
		names[i] = all->list[i].name;
	return str_join(a, names, all->n, STR(", "));
}

/* The judge is asked about each criterion separately. */
struct check
mcp_eval_multi_criteria(struct fields *e)
{
	struct judge_criteria *all = arena_new(e->arena, struct judge_criteria);
	struct judge_want want = { .criteria = all };
	struct str why = { 0 };

	all->all = mcp_eval_bool(e, "require_all_pass");
	all->confidence = mcp_eval_bool(e, "include_confidence");
	all->aggregate = scenarios_text(e, "aggregate_method");
	show_input(e, &want);
	read_criteria(e, all, &why);
	if (why.s != NULL)
		return check_broken(e->arena, e->where, why);
	rubric_remark(e->doc, e->object, &want, NULL);
	return mcp_eval_labelled(
	    e, judge_check(e->arena, &want), names_of(e->arena, all));
}
