#include "check/dialect/rubric.h"

#include "text/rubric_words.h"

double
rubric_least(const struct judge_want *w, double given)
{
	double share;

	return !w->ours && rubric_share(w->rubric, given, &share) ? share
								  : given;
}

static void
remark_scale(struct policy *policy, struct place at, struct str rubric,
    bool scored, double least)
{
	struct rubric_scale s;

	if (!rubric_scale(rubric, &s))
		return;
	if (!scored)
		policy_report(policy, MISTAKE_REMARK, at,
		    "the rubric has its own scale, %g to %g, but the check has "
		    "no least score: the judge answers pass or fail",
		    s.min, s.max);
	else
		policy_report(policy, MISTAKE_REMARK, at,
		    "the judge is asked on the rubric's own scale, %g to %g: "
		    "the least score %g is %g there",
		    s.min, s.max, least, s.min + least * (s.max - s.min));
}

static void
remark_scales(
    struct policy *policy, struct place at, const struct judge_want *w)
{
	const struct judge_criteria *c = w->criteria;

	for (size_t i = 0; c != NULL && i < c->n; i++)
		remark_scale(policy, at, c->list[i].description, true,
		    c->list[i].min_score);
	if (c == NULL && !w->ours)
		remark_scale(policy, at, w->rubric, w->scored, w->min_score);
}

static void
remark(struct policy *policy, struct place at, const struct judge_want *w,
    const struct rubric_remedy *remedy, const char *of)
{
	unsigned lacks = judge_lacks(w, true);

	for (const struct judge_kind *k = judge_kinds; k->name != NULL; k++) {
		const char *see = of;

		if (remedy != NULL && remedy->shows & k->context)
			see = remedy->key;
		if (lacks & k->kind)
			policy_report(policy, MISTAKE_REMARK, at,
			    "the rubric speaks of %s, which the judge is not "
			    "shown%s%s%s%s",
			    k->shown, see == NULL ? "" : "; see ",
			    see == NULL ? "" : see, of == NULL ? "" : k->word,
			    of == NULL ? "" : "'");
	}
	remark_scales(policy, at, w);
}

void
rubric_remark(const struct document *doc, const struct json *at,
    const struct judge_want *w, const struct rubric_remedy *remedy)
{
	remark(doc->policy, document_place(doc, at), w, remedy, NULL);
}

void
rubric_remark_rule(
    struct policy *policy, struct place at, const struct judge_want *w)
{
	remark(policy, at, w, NULL,
	    w->text == JUDGE_FINAL ? "'of answer, " : "'of ");
}
