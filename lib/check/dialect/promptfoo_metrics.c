/* promptfoo's assertions that measure how much the output is like other texts,
 * and those about its language. */
#include "check/dialect/promptfoo.h"
#include "check/kind/kind.h"
#include "lang/js.h"

/* ---- likeness ---- */

/* Returns the texts in the value, which is a text or, if `several`, a list of
 * texts as well. */
static struct str_list
references(struct fields *e, bool several)
{
	const struct json *v = promptfoo_value(e);
	struct str *text = arena_new(e->arena, struct str);

	if (several && json_is(v, JSON_ARRAY)) {
		if (json_count(v) == 0)
			fields_spoil(e, v, "value: the list is empty");
		return fields_strs(e, v, "value");
	}
	if (json_is(v, JSON_STRING))
		*text = json_text(v, e->arena);
	else if (v == NULL)
		fields_spoil(e, NULL, "missing key 'value'");
	else
		fields_spoil(e, v, "value: expected %s, found %s",
		    several ? "text or a list of texts" : "text",
		    json_type_name(v));
	return (struct str_list){ text, 1 };
}

static double
number(struct fields *e, const char *key, double otherwise)
{
	return fields_get(e, key) == NULL ? otherwise
					  : fields_number_if(e, key);
}

/* Makes a check of a metric whose score is at least `least` by default. */
static struct check
metric(struct fields *e, enum metric how, double least)
{
	bool negated = promptfoo_is_negated(e),
	     edits = how == METRIC_LEVENSHTEIN;
	struct metric_want want = { .how = how,
		.references = references(e, how != METRIC_ROUGE && !edits),
		.limit = promptfoo_threshold(e, least) };
	char room[JS_NUMBER_SIZE];
	struct str limit = js_number(want.limit, room);
	struct check c;

	if (how == METRIC_METEOR) {
		want.alpha = number(e, "alpha", 0.9);
		want.beta = number(e, "beta", 3);
		want.gamma = number(e, "gamma", 0.5);
	}
	c = metric_check(e->arena, &want);
	c.explain = check_explain_found;
	c.detail = str_printf(e->arena, "%s: expected %s %.*s",
	    edits ? "distance" : "score",
	    edits == negated ? negated ? "more than" : "at least"
		: negated    ? "less than"
			     : "at most",
	    STR_FMT(limit));
	return promptfoo_finish(e, c,
	    want.references.n == 0 ? (struct str){ 0 }
				   : want.references.list[0]);
}

static struct check
levenshtein(struct fields *e)
{
	return metric(e, METRIC_LEVENSHTEIN, 5);
}

static struct check
rouge(struct fields *e)
{
	return metric(e, METRIC_ROUGE, 0.75);
}

static struct check
bleu(struct fields *e)
{
	return metric(e, METRIC_BLEU, 0.5);
}

static struct check
gleu(struct fields *e)
{
	return metric(e, METRIC_GLEU, 0.5);
}

static struct check
meteor(struct fields *e)
{
	return metric(e, METRIC_METEOR, 0.5);
}

/* ---- language ---- */

static struct check
refusal(struct fields *e)
{
	return promptfoo_finish(e, refusal_check(e->arena), (struct str){ 0 });
}

const struct form promptfoo_metric_forms[] = {
	FORM("levenshtein", levenshtein),
	FORM("rouge-n", rouge),
	FORM("bleu", bleu),
	FORM("gleu", gleu),
	FORM("meteor", meteor),
	FORM("is-refusal", refusal),
	FORM(NULL, NULL),
};
