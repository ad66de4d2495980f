#include "judge/calibration.h"

#include <math.h>

#include "base/clamp.h"
#include "base/diag.h"

bool
calibration_open(struct calibration *c, const char *path)
{
	c->labels.arena = &c->arena;
	c->by_rubric.arena = &c->arena;
	if (!labels_read(&c->labels, path))
		return false;
	if (c->labels.n == 0)
		diag_error(
		    (struct place){ .file = path }, "the file has no labels");
	return c->labels.n != 0;
}

/* ---- verdicts ---- */

static size_t
votes_of(const struct json *votes, struct str side)
{
	int64_t n = 0;

	json_int(json_get(votes, side), &n);
	return clamp_size(n);
}

static void
add_votes(struct calibration_part *part, const struct json *votes)
{
	double pass = (double)votes_of(votes, STR("pass"));
	double fail = (double)votes_of(votes, STR("fail"));

	if (pass + fail < 2)
		return;
	part->voted++;
	part->unanimous += pass == 0 || fail == 0;
	part->pairs += (pass + fail) * (pass + fail - 1) / 2;
	part->agreeing += pass * (pass - 1) / 2 + fail * (fail - 1) / 2;
}

static struct str
name_of(const struct json *judge, struct arena *a)
{
	return str_printf(a, "%.*s %.*s",
	    STR_FMT(json_text(json_get(judge, "provider"), a)),
	    STR_FMT(json_text(json_get(judge, "model"), a)));
}

/* Notes who gave the verdict: a judge, or the members of a panel. */
static void
add_judge(struct calibration *c, const struct json *judge, struct arena *a)
{
	struct str *names = NULL, name = name_of(judge, a);
	size_t n = 0;

	for (json_each(member, json_get(judge, "panel")))
		if (json_get(member, "escalated") == NULL)
			*arena_push(a, names, n) = name_of(member, a);
	if (n > 1)
		name = str_join(a, names, n, STR(" + "));
	if (c->judge.s == NULL)
		c->judge = str_dup(&c->arena, name);
	c->mixed |= !str_eq(c->judge, name);
}

static void
count(struct agreement *a, bool judge, bool people)
{
	if (judge)
		++*(people ? &a->pass_pass : &a->pass_fail);
	else
		++*(people ? &a->fail_pass : &a->fail_fail);
}

/* Returns the part of the check's rubric, which its label stands in for where the
 * check has criteria or none. */
static struct calibration_part *
part_of(struct calibration *c, const struct label *check,
    const struct json *judge, struct arena *a)
{
	struct str rubric = json_text(json_get(judge, "rubric"), a);
	struct str key = str_printf(a, "%c%.*s", rubric.s == NULL ? 'l' : 'r',
	    STR_FMT(rubric.s == NULL ? check->label : rubric));
	void **place = hash_put_copy(&c->by_rubric, key);
	struct calibration_part *part = *place;

	if (part == NULL) {
		part = *place = arena_new(&c->arena, struct calibration_part);
		part->label = str_dup(&c->arena, check->label);
		if (rubric.s != NULL)
			part->rubric = str_dup(&c->arena, rubric);
		*arena_push(&c->arena, c->parts, c->n_parts) = part;
	}
	return part;
}

/* Counts the check in its part or in all checks. */
static void
count_check(struct calibration_part *part, const struct label *l,
    const struct json *judge, int verdict)
{
	add_votes(part, json_get(judge, "votes"));
	if (verdict < 0) {
		part->without += l != NULL;
		return;
	}
	part->judged++;
	part->passed += verdict != 0;
	if (l != NULL && l->uses == 1 && !l->uncertain)
		count(&part->agreement, verdict != 0, l->pass);
}

static void
note_label(struct calibration *c, const struct label *l, bool pass,
    const struct json *result)
{
	struct disagreement *d;

	if (l->uses != 1)
		return; /* reported by calibration_warn */
	if (l->uncertain)
		count(&c->uncertain, pass, l->pass);
	if (l->pass == pass)
		return;
	d = arena_push(&c->arena, c->disagreements, c->n_disagreements);
	d->label = l;
	if (json_is(json_get(result, "reason"), JSON_STRING))
		d->reason = str_dup(&c->arena,
		    json_text(json_get(result, "reason"), &c->arena));
}

static void
add_check(struct calibration *c, struct str id, const struct json *result,
    struct arena *a)
{
	const struct json *judge = json_get(result, "judge");
	const struct json *verdict = json_get(judge, "verdict");
	bool pass = json_str_is(verdict, "pass");
	bool known = pass || json_str_is(verdict, "fail");
	struct calibration_part *parts[2] = { &c->all };
	struct label check = { 0 }, *l;

	if (judge == NULL)
		return;
	label_of_check(&check, a, id, result);
	parts[1] = part_of(c, &check, judge, a);
	l = labels_find(&c->labels, &check);
	if (l != NULL)
		l->uses++;
	for (size_t i = 0; i < 2; i++)
		count_check(parts[i], l, judge, known ? pass : -1);
	if (known)
		add_judge(c, judge, a);
	if (known && l != NULL)
		note_label(c, l, pass, result);
}

void
calibration_add(struct calibration *c, const struct json *record)
{
	struct arena moment = { 0 };
	struct str id = json_text(json_get(record, "id"), &moment);

	for (json_each(result, json_get(record, "check_results")))
		add_check(c, id, result, &moment);
	arena_free(&moment);
}

/* ---- what came of it ---- */

bool
calibration_warn(const struct calibration *c)
{
	size_t unplaced = 0, doubtful = 0;
	size_t compared = agreement_n(&c->all.agreement);

	for (size_t i = 0; i < c->labels.n; i++) {
		const struct label *l = &c->labels.list[i];

		unplaced += l->uses == 0;
		doubtful += l->uses > 1;
		if (l->uses > 1)
			diag_error(l->place,
			    "%.*s: %.*s is the label of %zu checks%s",
			    STR_FMT(l->id), STR_FMT(l->label), l->uses,
			    l->at.s == NULL ? "; choose one with \"at\"" : "");
	}
	if (unplaced != 0)
		diag_warn((struct place){ 0 }, "labels without a check: %zu",
		    unplaced);
	if (c->mixed)
		diag_warn((struct place){ 0 },
		    "the verdicts come from more than one judge");
	if (compared + agreement_n(&c->uncertain) == 0)
		diag_system_error("no check has both a label and a verdict");
	else if (compared == 0)
		diag_warn((struct place){ 0 },
		    "all labels are of checks that were chosen since the judge "
		    "is unsure; for figures, label a random sample (--label "
		    "N)");
	return doubtful == 0 && compared + agreement_n(&c->uncertain) != 0;
}

bool
calibration_reaches(const struct calibration *c, double least)
{
	struct stats_interval at;
	double kappa = agreement_kappa(&c->all.agreement, &at);

	if (isnan(kappa))
		diag_system_error(
		    "--min-kappa: kappa cannot be computed from these labels "
		    "(people or the judge never give one of the verdicts)");
	else if (kappa < least)
		diag_say((struct place){ 0 },
		    "kappa %.3f is below --min-kappa %g", kappa, least);
	return kappa >= least;
}

void
calibration_close(struct calibration *c)
{
	arena_free(&c->arena);
}
