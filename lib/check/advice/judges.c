/* Rubrics of judges, and what their scores must be. */
#include "check/advice/set.h"
#include "check/advice/words.h"
#include "text/rubric_words.h"

/* Words that say nothing by which an answer could be judged. */
static const char vague[] =
    "a an the is are be was it its this that and or of to in for with must "
    "should shall can will has have does do response answer output result "
    "agent assistant model quality good great nice fine ok okay well better "
    "best right proper properly appropriate appropriately correct correctly "
    "helpful useful complete relevant high looks seems very";

enum { WORDS_NEEDED = 3 };

size_t
advice_words_of_rubric(struct str rubric)
{
	return words_besides(rubric, vague);
}

bool
advice_is_vague(struct str rubric)
{
	return rubric.s != NULL &&
	    advice_words_of_rubric(rubric) < WORDS_NEEDED;
}

bool
advice_score_is_far(const struct advice_item *item)
{
	const struct json *v = advice_key(item, "min_score");
	double score = json_double(v);

	if (item->texts.n != 0)
		(void)rubric_share(item->texts.list[0], score, &score);
	return json_is(v, JSON_NUMBER) && !(score >= 0.7 && score <= 0.8) &&
	    !(score >= 70 && score <= 80);
}

static void
advise_rubric(struct advice_set *set, struct place at, struct str rubric)
{
	if (advice_is_vague(rubric))
		advice_add(set->notes, VAGUE_RUBRIC, at,
		    "the rubric '%.*s' says little",
		    STR_FMT(str_ellipsize(set->arena, rubric, 60)));
}

static void
advise_criteria(struct advice_set *set, const struct advice_item *item)
{
	for (json_each(one, item->value)) {
		const struct json *text = json_get(one, "description");

		advise_rubric(set, advice_place_of(item, text),
		    json_text(text, set->arena));
	}
}

static void
advise_score(struct advice_set *set, const struct advice_item *item)
{
	const struct json *v = advice_key(item, "min_score");

	if (!advice_score_is_far(item))
		return;
	advice_add(set->notes, MIN_SCORE, advice_place_of(item, v),
	    "the least score is %.*s", STR_FMT(v->text));
}

void
advise_judges(struct advice_set *set)
{
	for (size_t i = 0; i < set->n; i++) {
		const struct advice_item *item = &set->items[i];

		if (item->type->role != ROLE_JUDGE)
			continue;
		if (item->texts.n != 0)
			advise_rubric(
			    set, advice_value_place(item), item->texts.list[0]);
		advise_criteria(set, item);
		advise_score(set, item);
		if (json_is(advice_key(item, "require_reasoning"), JSON_FALSE))
			advice_add(set->notes, NO_REASONING,
			    item->check->source.place,
			    "require_reasoning is false");
	}
}
