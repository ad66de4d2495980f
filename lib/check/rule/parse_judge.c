/*
 * Rules: claims that a judge decides. A rule asks the judge at most once, not under
 * `not`, and not behind `if`.
 */
#include "check/rule/parse.h"
#include "text/rubric_words.h"

static const struct {
	const char *word;
	unsigned context; /* 0: the answer */
} parts_shown[] = {
	{ "answer", 0 },
	{ "transcript", JUDGE_TRANSCRIPT },
	{ "results", JUDGE_RESULTS },
	{ "files", JUDGE_WORKSPACE },
	{ "prompt", JUDGE_PROMPT },
	{ "system", JUDGE_SYSTEM },
};

enum { PARTS_SHOWN = sizeof parts_shown / sizeof parts_shown[0] };

/* Records a mistake if `and` joins a word of the list, which then is a call. */
static void
check_and(struct rules_parser *p)
{
	size_t at = p->at;
	struct str word;

	if (!rules_take_word(p, "and"))
		return;
	word = rules_peek_word(p);
	if (rules_word_at(word, RULES_OF) != NULL && !rules_is_reserved(word))
		rules_mistake(p, p->at,
		    "'and %.*s' means that %.*s was called (write ', %.*s', or "
		    "'and \"%.*s\"' if that is meant)",
		    STR_FMT(word), STR_FMT(word), STR_FMT(word), STR_FMT(word));
	p->at = at;
}

/* Parses what the judge is shown, and nothing else. */
static void
shown(struct rules_parser *p, struct rule_claim *c, struct judge_want *want)
{
	bool answer = false;
	size_t from = rules_start(p);

	*want = (struct judge_want){ .rubric = want->rubric, .whole = true };
	do {
		size_t i = 0;

		while (
		    i < PARTS_SHOWN && !rules_take_word(p, parts_shown[i].word))
			i++;
		if (i == PARTS_SHOWN)
			rules_expected(p,
			    "answer, transcript, results, files, prompt or "
			    "system",
			    RULES_OF);
		else if (parts_shown[i].context == 0)
			answer = true;
		else
			want->context |= parts_shown[i].context;
	} while (rules_ok(p) && rules_take_sign(p, ","));
	c->folded = rules_written(p, from);
	check_and(p);
	if (rules_word_at(rules_peek_word(p), RULES_OF) != NULL)
		rules_expected(p, "',', >=, and, or, if or the end of the rule",
		    RULES_LIST);
	want->text = answer ? JUDGE_FINAL : JUDGE_NONE;
	if (!answer && want->context & JUDGE_TRANSCRIPT) {
		want->text = JUDGE_ALL;
		want->context &= ~(unsigned)JUDGE_TRANSCRIPT;
	}
}

/* Parses the least score, if one is next: from 0 to 1, or one of the rubric's own
 * scale. */
static void
least_score(
    struct rules_parser *p, struct rule_claim *c, struct judge_want *want)
{
	size_t at = rules_start(p);
	enum rule_op op;
	double share;

	if (!rules_op(p, &op))
		return;
	want->scored = true;
	c->n = rules_number(p, RULES_AMOUNT);
	if (rubric_share(want->rubric, c->n, &share))
		c->n = share;
	want->min_score = c->n;
	if (rules_ok(p) && (op != RULE_GE || c->n > 1))
		rules_mistake(p, at,
		    "expected >= and a score from 0 to 1, found '%.*s'",
		    STR_FMT(rules_written(p, at)));
	if (rules_ok(p) && str_is(rules_peek_word(p), "of"))
		rules_mistake(p, p->at,
		    "expected of before the least score (write 'judge ... of "
		    "... %.*s')",
		    STR_FMT(rules_written(p, at)));
}

/* Parses the question, behind which the words are that some write before it. */
static struct str
question(struct rules_parser *p)
{
	struct str word = rules_peek_word(p);

	if (rules_word_at(word, RULES_OF | RULES_ASKED) != NULL)
		rules_mistake(p, p->at,
		    "expected a text in quotes, found '%.*s' (write 'judge "
		    "\"...\" of ...')",
		    STR_FMT(word));
	return rules_string(p, "a text in quotes");
}

void
rules_judge(struct rules_parser *p, struct rule_claim *c, size_t at)
{
	struct judge_want want = { .text = JUDGE_FINAL,
		.context = JUDGE_PROMPT | JUDGE_TOOL_SEQUENCE };
	struct check *check = arena_new(p->arena, struct check);

	if (p->judged)
		rules_mistake(p, at,
		    "expected one claim for the judge in a rule, found two");
	p->judged = true;
	c->form = RULE_JUDGE;
	want.rubric = c->text = question(p);
	if (rules_ok(p) && str_trim(c->text).n == 0)
		rules_mistake(p, at, "the question for the judge is empty");
	if (rules_take_word(p, "of"))
		shown(p, c, &want);
	else if (rules_meant(rules_peek_word(p), RULES_ASKED).s != NULL)
		rules_expected(p, "of, >=, and, or, if or the end of the rule",
		    RULES_ASKED);
	least_score(p, c, &want);
	*check = judge_check(p->arena, &want);
	c->judge = check;
}
