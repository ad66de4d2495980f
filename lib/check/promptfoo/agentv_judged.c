/* Statements and rubrics of AgentV, which a judge verifies. */
#include "check/promptfoo/promptfoo.h"

#include "check/dialect/rubric.h"
#include "check/kind/kind.h"

const char promptfoo_own_judge[] =
    "a judge's prompt of the author, which mcpl-judge does not use";

/* Returns what AgentV shows to its grader (packages/core/src/evaluation/graders,
 * llm-grader-prompt.ts): the answer, the question, the expected answer, and the calls
 * if there are any. */
static struct judge_want
shown(const struct promptfoo_test *t)
{
	const struct promptfoo_var *expected =
	    promptfoo_var(&t->vars, STR("expected_output"));
	struct judge_want want = { .text = JUDGE_FINAL,
		.context = JUDGE_PROMPT | JUDGE_TOOL_INPUTS,
		.optional = JUDGE_TOOL_INPUTS };

	if (expected != NULL) {
		want.context |= JUDGE_EXPECTED;
		want.expected =
		    promptfoo_string(expected->value, t->config->arena);
	}
	return want;
}

struct check
promptfoo_statement(
    const struct promptfoo_test *t, struct promptfoo_part at, struct str text)
{
	struct arena *a = t->config->arena;
	struct judge_want want = shown(t);
	struct str why = { 0 };
	struct check c;

	want.rubric = promptfoo_render(text, &t->vars, a, &why);
	if (want.rubric.s == NULL) {
		c = media_check_live(a, why, NULL);
		c.label = text;
	} else {
		rubric_remark(at.doc, at.v, &want, NULL);
		c = judge_check(a, &want);
		c.label = want.rubric;
	}
	c.type = STR("llm-rubric");
	c.reason = c.label;
	if (t->part)
		c.severity = "note";
	return c;
}

/* Adds a criterion to the rubric: a text, or an object with an outcome. */
static struct str
add_criterion(struct fields *e, struct str rubric, const struct json *v)
{
	static const char keys[] = "min_score required_min_score";
	struct str text = json_text(v, e->arena);

	fields_check_within(e, v, keys);
	if (text.s == NULL)
		text = json_text(json_get(v, "outcome"), e->arena);
	if (text.s == NULL || json_has(v, "score_ranges") ||
	    json_has(v, "min_score") || json_has(v, "required_min_score"))
		promptfoo_undecided(
		    e, "a criterion with a score of its own is not judged");
	return str_printf(e->arena, "%.*s%s%.*s", STR_FMT(rubric),
	    json_str_is(json_get(v, "operator"), "contradiction")
		? "The answer does not contradict this: "
		: "",
	    STR_FMT(text));
}

struct check
promptfoo_rubrics(struct fields *e, const struct json *list)
{
	struct judge_want want = shown(promptfoo_test_of(e));
	size_t n = 0;

	want.rubric = STR("Each of these statements is true of the answer:");
	if (json_is(list, JSON_OBJECT))
		want.rubric = add_criterion(e, (struct str){ 0 }, list);
	else
		for (json_each(v, list))
			want.rubric = add_criterion(e,
			    str_printf(e->arena, "%.*s\n%zu. ",
				STR_FMT(want.rubric), ++n),
			    v);
	if (n == 0 && !json_is(list, JSON_OBJECT))
		fields_spoil(e, NULL, "criteria: expected a list");
	rubric_remark(e->doc, e->object, &want, NULL);
	return promptfoo_finish(e, judge_check(e->arena, &want), want.rubric);
}

struct check
promptfoo_llm_rubric(struct fields *e)
{
	const struct promptfoo_test *t = promptfoo_test_of(e);
	const struct json *v = promptfoo_value(e);
	struct str text;
	struct check c = { 0 };

	fields_ignore(e,
	    "max_steps maxSteps temperature model score_ranges preprocessors "
	    "postprocess");
	if (json_has(e->object, "prompt"))
		promptfoo_undecided(e, promptfoo_own_judge);
	else if (v == NULL)
		promptfoo_undecided(
		    e, "neither 'value' nor 'prompt': AgentV passes over it");
	if (json_is(v, JSON_OBJECT) || json_is(v, JSON_ARRAY))
		return promptfoo_rubrics(e, v);
	text = json_text(v, e->arena);
	if (text.s != NULL)
		c = promptfoo_statement(
		    t, (struct promptfoo_part){ e->object, e->doc }, text);
	return promptfoo_finish(e, c, text);
}
