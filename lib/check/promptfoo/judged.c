/* promptfoo's assertions that a judge decides, and those that nothing here
 * can. */
#include "check/promptfoo/promptfoo.h"

#include "check/dialect/rubric.h"
#include "check/kind/kind.h"

/* ---- what all share ---- */

/* Sets the least score of the assertion, its threshold; no score at all if that is
 * negative. */
static void
set_score(struct fields *e, struct judge_want *want)
{
	double least = rubric_least(want, scenarios_number(e, "threshold"));

	want->scored = least >= 0;
	want->min_score = want->scored ? least : 0;
	if (fields_get(e, "threshold") != NULL && !(least >= 0 && least <= 1))
		fields_spoil(e, json_get(e->object, "threshold"),
		    "threshold: expected a number from 0 to 1");
}

/* Ends an assertion. The judge knows no `not-`, so that the rubric says the
 * contrary; of a score there is none. */
static struct check
finish(struct fields *e, struct judge_want *want, struct str about)
{
	struct check c;

	rubric_remark(e->doc, e->object, want, NULL);
	if (promptfoo_is_negated(e) && want->scored)
		promptfoo_undecided(
		    e, "no judge knows an upper limit of the score");
	if (promptfoo_is_negated(e))
		want->rubric = str_printf(e->arena,
		    "The contrary of the following is true. If the following "
		    "is true of the answer, the answer fails.\n\n%.*s",
		    STR_FMT(want->rubric));
	if (want->text != JUDGE_FINAL &&
	    (fields_get(e, "transform") != NULL ||
		promptfoo_test_of(e)->transform != NULL))
		promptfoo_undecided(e,
		    "the answer is changed by 'transform', and the judge sees "
		    "the run as recorded");
	c = promptfoo_finish(e, judge_check(e->arena, want), about);
	c.negate = false;
	return c;
}

static struct str
section(struct arena *a, struct str text, const char *title, struct str more)
{
	return str_printf(
	    a, "%.*s\n\n%s:\n%.*s", STR_FMT(text), title, STR_FMT(more));
}

/* Returns a value that is a rubric: a text, or any other value as JSON. */
static struct str
rubric(struct fields *e)
{
	const struct json *v = promptfoo_value(e);

	if (json_is(v, JSON_OBJECT) || json_is(v, JSON_ARRAY))
		return v->text;
	return promptfoo_text(e);
}

/* ---- the author's rubric ---- */

static struct check
llm_rubric(struct fields *e)
{
	static const struct promptfoo_names names = { .rubric = "rubric",
		.answer = "output" };
	bool valued =
	    promptfoo_value(e) != NULL || fields_get(e, "rubricPrompt") == NULL;
	struct judge_want want = { .text = JUDGE_FINAL };
	struct str about;

	if (promptfoo_test_of(e)->config->agentv &&
	    !json_has(e->object, "rubricPrompt"))
		return promptfoo_llm_rubric(e);
	about = valued ? rubric(e) : STR("");
	want.rubric = promptfoo_question(e, &names, about);
	if (!valued && want.rubric.n == 0)
		promptfoo_undecided(e,
		    "'rubricPrompt' is not understood, and there is no "
		    "'value'");
	set_score(e, &want);
	return finish(e, &want, about);
}

static struct check
closed_qa(struct fields *e)
{
	static const struct promptfoo_names names = {
		.rubric = "criteria", .answer = "completion", .input = "input"
	};
	struct str criteria = promptfoo_text(e);
	struct judge_want want = { .text = JUDGE_FINAL,
		.rubric = promptfoo_question(e, &names, criteria),
		.context = JUDGE_PROMPT };

	if (promptfoo_is_negated(e))
		promptfoo_undecided(
		    e, "promptfoo decides this type as if it had no 'not-'");
	return finish(e, &want, criteria);
}

static struct check
factuality(struct fields *e)
{
	static const struct promptfoo_names names = {
		.rubric = "ideal", .answer = "completion", .input = "input"
	};
	struct judge_want want = { .text = JUDGE_FINAL,
		.expected = promptfoo_text(e),
		.ours = true,
		.context = JUDGE_PROMPT | JUDGE_EXPECTED };
	struct str question = promptfoo_question(e, &names, want.expected);

	want.rubric =
	    STR("The answer does not disagree with the facts of the expected "
		"answer. The answer may say less or more, or the same in other "
		"words; style and grammar do not count.");
	if (!str_eq(question, want.expected))
		want.rubric = question;
	if (promptfoo_is_negated(e))
		promptfoo_undecided(
		    e, "promptfoo decides this type as if it had no 'not-'");
	return finish(e, &want, want.expected);
}

static struct check
g_eval(struct fields *e)
{
	const struct json *v = promptfoo_value(e);
	struct judge_want want = { .text = JUDGE_FINAL,
		.context = JUDGE_PROMPT };
	size_t n = 0;

	if (!json_is(v, JSON_ARRAY))
		want.rubric = promptfoo_text(e);
	for (json_each(item, v))
		want.rubric = str_printf(e->arena, "%.*s\n%zu. %.*s",
		    STR_FMT(want.rubric.s != NULL
			    ? want.rubric
			    : STR("The score is the mean of the scores by each "
				  "of these criteria:")),
		    ++n, STR_FMT(json_text(item, e->arena)));
	if (json_is(v, JSON_ARRAY) && n == 0)
		fields_spoil(e, v, "value: the list is empty");
	(void)promptfoo_question(e, NULL, want.rubric);
	set_score(e, &want);
	return finish(e, &want, want.rubric);
}

static struct check
goal_success(struct fields *e)
{
	const struct json *v = promptfoo_value(e);
	struct str goal = json_is(v, JSON_OBJECT)
	    ? json_text(json_get(v, "goal"), e->arena)
	    : promptfoo_text(e);
	static const struct promptfoo_names names = {
		.rubric = "goal", .answer = "output", .transcript = "trajectory"
	};
	struct judge_want want = { .text = JUDGE_ALL };
	struct str question = promptfoo_question(e, &names, goal);

	fields_note(e->doc, v, "goal", IS(TEXT));
	if (str_trim(goal).n == 0 && fields_ok(e))
		fields_spoil(e, json_get(e->object, "value"),
		    "value: expected a goal, or a mapping with 'goal'");
	want.rubric = str_printf(e->arena,
	    "The agent reached this goal, by what it did and answered: %.*s",
	    STR_FMT(goal));
	if (!str_eq(question, goal))
		want.rubric = question;
	set_score(e, &want);
	return finish(e, &want, goal);
}

/* ---- rubrics of our own ---- */

enum { CONTEXT = 1, QUERY = 2, VALUE = 4, PROMPT = 8, ALL = 16 };

/* Returns the var as a text; a list of texts with empty lines between them. */
static struct str
var_text(struct fields *e, const char *name)
{
	const struct promptfoo_var *var =
	    promptfoo_var(&promptfoo_test_of(e)->vars, str_of(name));
	struct str_list all = { 0 };

	if (var == NULL)
		return (struct str){ 0 };
	if (var->value == NULL)
		promptfoo_undecided(e, var->unknown);
	for (json_each(v, var->value))
		str_list_add(e->arena, &all, promptfoo_string(v, e->arena));
	if (all.n != 0)
		return str_join(e->arena, all.list, all.n, STR("\n\n"));
	return promptfoo_string(var->value, e->arena);
}

static struct check
by_our_rubric(struct fields *e)
{
	int how = scenarios_form(e)->how;
	struct judge_want want = { .text = how & ALL ? JUDGE_ALL : JUDGE_FINAL,
		.ours = true,
		.rubric = str_of(scenarios_form(e)->key) };
	struct str *text = &want.rubric, query = var_text(e, "query"),
		   context = var_text(e, "context");
	struct promptfoo_now *now = promptfoo_test_of(e)->now;
	bool lacking = how & CONTEXT && context.n == 0 &&
	    fields_get(e, "contextTransform") == NULL &&
	    now->undecided.s == NULL;

	now->context = how & CONTEXT;
	if (lacking && how & VALUE) { /* promptfoo takes the prompt for it */
		want.context = JUDGE_PROMPT;
		context = STR("(the user's prompt)");
	} else if (lacking)
		fields_spoil(e, NULL, "missing the test's var 'context'");
	if (how & QUERY && query.n == 0 && !(how & PROMPT))
		fields_spoil(e, NULL, "missing the test's var 'query'");
	if (how & CONTEXT)
		*text = section(e->arena, *text, "Context", context);
	if (how & QUERY && query.n != 0)
		*text = section(e->arena, *text, "Question", query);
	else if (how & PROMPT)
		want.context = JUDGE_PROMPT;
	if (how & VALUE)
		*text = section(
		    e->arena, *text, "Expected answer", promptfoo_text(e));
	(void)promptfoo_question(e, NULL, want.rubric);
	set_score(e, &want);
	return finish(e, &want, STR(""));
}

#define JUDGED ROLE(JUDGE, "value prompt")
#define OURS(flags, text) by_our_rubric, .how = (flags), .key = (text), JUDGED
#define SCORE(least) KEY_OR("threshold", NUMBER, least)

const struct form promptfoo_judged_forms[] = {
	FORM("llm-rubric", llm_rubric, JUDGED,
	    PARAMS(KEY_ONE_OF("value", IS(NAME) | IS(OBJECT) | IS(LIST)),
		SCORE(-1))),
	FORM("model-graded-closedqa", closed_qa, JUDGED,
	    PARAMS(NEED("value", NAME))),
	FORM("factuality", factuality, JUDGED, PARAMS(NEED("value", NAME))),
	FORM("model-graded-factuality", factuality, JUDGED,
	    PARAMS(NEED("value", NAME))),
	FORM("g-eval", g_eval, JUDGED,
	    PARAMS(NEED_ONE_OF("value", IS(NAME) | IS(LIST)), SCORE(0.7))),
	FORM("trajectory:goal-success", goal_success, JUDGED,
	    PARAMS(NEED_ONE_OF("value", IS(NAME) | IS(OBJECT)), SCORE(-1))),
	FORM("answer-relevance",
	    OURS(QUERY | PROMPT,
		"The answer is about the question and answers it. The score "
		"falls with each part of the answer that is about something "
		"else."),
	    PARAMS(SCORE(0.5))),
	FORM("context-faithfulness",
	    OURS(CONTEXT | QUERY,
		"The context supports each factual claim of the answer. The "
		"score is the part of the claims that it supports."),
	    PARAMS(SCORE(0.5))),
	FORM("context-recall",
	    OURS(CONTEXT | VALUE,
		"The context holds everything that the expected answer says. "
		"The score is the part of the expected answer's statements "
		"that it holds."),
	    PARAMS(NEED("value", NAME), SCORE(0.5))),
	FORM("context-relevance",
	    OURS(CONTEXT | QUERY,
		"The context is about the question. The score is the part of "
		"the context's sentences that are needed to answer the "
		"question."),
	    PARAMS(SCORE(0.5))),
	FORM("conversation-relevance",
	    OURS(ALL,
		"Each answer of the assistant is about what the user said "
		"before it. The score is the part of the answers that are."),
	    PARAMS(SCORE(0.5))),
	FORM(NULL, NULL),
};

/* ---- what a service measures ---- */

/* Returns the texts of the value: a text, or a list of texts. */
static struct str_list
texts(struct fields *e)
{
	const struct json *v = promptfoo_value(e);
	struct str_list all = { 0 };

	if (!json_is(v, JSON_ARRAY))
		str_list_add(e->arena, &all, promptfoo_text(e));
	for (json_each(item, v)) {
		str_list_add(e->arena, &all, promptfoo_string(item, e->arena));
		if (!json_is(item, JSON_STRING))
			fields_spoil(e, item, "value: expected text, found %s",
			    json_type_name(item));
	}
	if (all.n == 0)
		fields_spoil(e, v, "value: the list is empty");
	return all;
}

static struct check
measured(struct fields *e, struct measure_want *want)
{
	struct check c;

	want->negate = promptfoo_is_negated(e);
	c = promptfoo_finish(e, measure_check(e->arena, want), STR(""));
	c.negate = false;
	return c;
}

static struct check
similar(struct fields *e)
{
	struct measure_want want = { .method = "similar",
		.metric = scenarios_form(e)->key,
		.texts = texts(e),
		.threshold = scenarios_number(e, "threshold"),
		.why = STR("needs an embedding, which is asked of a service "
			   "(see --embedding-model of mcpl-judge)") };

	return measured(e, &want);
}

static struct check
moderation(struct fields *e)
{
	struct measure_want want = { .method = "moderation",
		.passes_empty = true,
		.why = STR(
		    "needs a service (see --moderation-model of mcpl-judge)") };

	if (promptfoo_value(e) != NULL)
		want.texts = texts(e);
	return measured(e, &want);
}

/* ---- what nothing here can decide ---- */

static struct check
outside(struct fields *e)
{
	(void)scenarios_number(e, "threshold");
	promptfoo_undecided(e, scenarios_form(e)->key);
	return promptfoo_finish(e, (struct check){ 0 }, STR(""));
}

#define OUTSIDE(why) outside, .key = (why), PARAMS(KEY("threshold", NUMBER))
#define SIMILAR(how) \
	similar, .key = (how), \
		 PARAMS(NEED_ONE_OF("value", IS(NAME) | IS(LIST)), \
		     KEY_OR("threshold", NUMBER, 0.75))

static const char program[] = "a program in Ruby, which is not run";
static const char service[] = "needs a service";
static const char several[] = "compares the outputs of several runs of a test";

const struct form promptfoo_outside_forms[] = {
	FORM("ruby", OUTSIDE(program)),
	FORM("webhook", OUTSIDE("needs an answer from another machine")),
	FORM("similar", SIMILAR("cosine")),
	FORM("similar:cosine", SIMILAR("cosine")),
	FORM("similar:dot", SIMILAR("dot")),
	FORM("similar:euclidean", SIMILAR("euclidean")),
	FORM("moderation", moderation,
	    PARAMS(KEY_ONE_OF("value", IS(NAME) | IS(LIST)))),
	FORM("classifier", OUTSIDE(service)),
	FORM("guardrails", OUTSIDE(service)),
	FORM("pi", OUTSIDE(service), JUDGED),
	FORM("search-rubric", OUTSIDE("needs a judge that searches the web"),
	    JUDGED),
	FORM("agent-rubric", OUTSIDE("needs a judge that is an agent"), JUDGED),
	FORM("select-best", OUTSIDE(several), JUDGED),
	FORM("max-score", OUTSIDE(several), JUDGED),
	FORM("human", OUTSIDE("a person decides")),
	FORM(NULL, NULL),
};
