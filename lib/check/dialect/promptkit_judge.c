/* PromptKit Arena's assertions that a judge decides. */
#include "check/dialect/promptkit_assertion.h"
#include "check/kind/kind.h"

static struct str
rubric(struct fields *p)
{
	struct str criteria = fields_str_if(p, "criteria"),
		   text = fields_str_if(p, "rubric");

	if (criteria.n == 0 && text.n == 0)
		fields_wrong(p, NULL, "missing key 'criteria' (or 'rubric')");
	if (criteria.n == 0 || text.n == 0)
		return criteria.n == 0 ? text : criteria;
	return str_printf(p->arena, "Criteria: %.*s\n\nRubric: %.*s",
	    STR_FMT(criteria), STR_FMT(text));
}

static struct check
judge(struct fields *e, struct fields *p, struct judge_want *want)
{
	static const char *const ignored[] = { "judge", "judge_provider",
		"model", "prompt", "temperature", "max_tokens", NULL };

	fields_ignore(p, ignored);
	want->rubric = rubric(p);
	return promptkit_finish(
	    e, p, judge_check(e->arena, want), want->rubric);
}

/* Of the answer alone, or in view of what was said before. */
static struct check
llm_judge(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct judge_want want = { .text = JUDGE_FINAL };

	if (promptkit_place_of(e)->scope.part != SCOPE_LAST)
		want.text = JUDGE_TURN;
	if (fields_bool_if(&p, "conversation_aware"))
		want.context = JUDGE_TRANSCRIPT;
	return judge(e, &p, &want);
}

/* Of the conversation, which in a workflow's step is its answer. */
static struct check
llm_judge_conversation(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	const struct json *score = promptkit_fraction(&p, "min_score");
	struct judge_want want = { .text = JUDGE_ALL };

	if (promptkit_place_of(e)->level == PROMPTKIT_STEP)
		want.text = JUDGE_TURN;
	if (json_is(score, JSON_NUMBER)) {
		want.scored = true;
		want.min_score = json_double(score);
		if (!(want.min_score >= 0 && want.min_score <= 1))
			fields_wrong(&p, score,
			    "min_score: expected a number from 0 to 1");
	}
	return judge(e, &p, &want);
}

const struct promptkit_type promptkit_judge[] = {
	{ "llm_judge", llm_judge, PROMPTKIT_TURN },
	{ "llm_judge_conversation", llm_judge_conversation, PROMPTKIT_WIDE },
	{ NULL, NULL, 0 },
};
