#include "judge/calibration.h"

#include <stdlib.h>

#include "base/clamp.h"
#include "base/diag.h"
#include "yaml/document.h"

/* ---- labels ---- */

/* What people say of a check. */
struct human {
	struct str id, label, at; /* at: absent if it is not told */
	bool pass;
	struct place place;
	size_t uses; /* how many checks it is of */
};

static int
compare(const void *one, const void *other)
{
	const struct human *a = one, *b = other;
	int c = str_cmp(a->id, b->id);

	if (c == 0)
		c = str_cmp(a->label, b->label);
	return c != 0 ? c : str_cmp(a->at, b->at);
}

/* As they stand in the file, where they are of the same check. */
static int
compare_lines(const void *one, const void *other)
{
	const struct human *a = one, *b = other;
	int c = compare(a, b);

	if (c != 0)
		return c;
	return (a->place.line > b->place.line) -
	    (a->place.line < b->place.line);
}

static bool
read_label(
    struct calibration *c, const struct document *doc, const struct json *v)
{
	const struct json *verdict = json_get(v, "verdict");
	struct human h = { .place = document_place(doc, v) };

	h.id = json_text(json_get(v, "id"), &c->arena);
	h.label = json_text(json_get(v, "label"), &c->arena);
	h.at = json_text(json_get(v, "at"), &c->arena);
	h.pass = json_str_is(verdict, "pass");
	if (h.id.s == NULL || h.label.s == NULL) {
		diag_error(
		    h.place, "expected an object with id, label and verdict");
		return false;
	}
	if (!h.pass && !json_str_is(verdict, "fail")) {
		diag_error(
		    verdict == NULL ? h.place : document_place(doc, verdict),
		    "verdict: expected \"pass\" or \"fail\", found %.*s",
		    STR_FMT(verdict == NULL ? STR("none") : verdict->text));
		return false;
	}
	*arena_push(&c->arena, c->labels, c->n) = h;
	return true;
}

/* Sorts them; false, and told, if two are of the same check. */
static bool
sort_labels(struct calibration *c)
{
	bool good = true;

	if (c->n != 0)
		qsort(c->labels, c->n, sizeof *c->labels, compare_lines);
	for (size_t i = 1; i < c->n; i++) {
		const struct human *h = &c->labels[i];

		if (compare(h - 1, h) != 0)
			continue;
		diag_error(h->place, "%.*s: %.*s has another label in line %zu",
		    STR_FMT(h->id), STR_FMT(h->label), h[-1].place.line);
		good = false;
	}
	return good;
}

bool
calibration_open(struct calibration *c, const char *path)
{
	struct document *doc = document_read(&c->arena, path);
	bool good = doc != NULL;

	if (doc == NULL)
		return false;
	if (doc->n == 0) {
		diag_error((struct place){ .file = path }, "no label in it");
		return false;
	}
	document_resolve(doc, TYPES_CORE);
	for (size_t i = 0; i < doc->n; i++)
		good &= read_label(c, doc, doc->roots[i]);
	return sort_labels(c) && good;
}

static struct human *
find(struct calibration *c, struct str id, struct str label, struct str at)
{
	struct human key = { .id = id, .label = label, .at = at };
	struct human *h = NULL;

	if (c->n != 0)
		h = bsearch(&key, c->labels, c->n, sizeof *c->labels, compare);
	key.at = (struct str){ 0 };
	if (h == NULL && c->n != 0)
		h = bsearch(&key, c->labels, c->n, sizeof *c->labels, compare);
	return h;
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
add_votes(struct calibration *c, const struct json *votes)
{
	double pass = (double)votes_of(votes, STR("pass"));
	double fail = (double)votes_of(votes, STR("fail"));

	if (pass + fail < 2)
		return;
	c->voted++;
	c->unanimous += pass == 0 || fail == 0;
	c->pairs += (pass + fail) * (pass + fail - 1) / 2;
	c->agreeing += pass * (pass - 1) / 2 + fail * (fail - 1) / 2;
}

static void
add_judge(struct calibration *c, const struct json *judge, struct arena *a)
{
	struct str name = str_printf(a, "%.*s %.*s",
	    STR_FMT(json_text(json_get(judge, "provider"), a)),
	    STR_FMT(json_text(json_get(judge, "model"), a)));

	if (c->judge.s == NULL)
		c->judge = str_dup(&c->arena, name);
	c->mixed |= !str_eq(c->judge, name);
}

static void
compare_with(struct calibration *c, struct human *h, bool pass)
{
	struct agreement *a = &c->agreement;

	if (h->uses++ != 0)
		return; /* told at the end */
	if (pass)
		++*(h->pass ? &a->pass_pass : &a->pass_fail);
	else
		++*(h->pass ? &a->fail_pass : &a->fail_fail);
}

static void
add_check(struct calibration *c, struct str id, const struct json *result,
    struct arena *a)
{
	const struct json *judge = json_get(result, "judge");
	const struct json *verdict = json_get(judge, "verdict");
	bool pass = json_str_is(verdict, "pass");
	struct human *h;

	if (judge == NULL)
		return;
	h = find(c, id, json_text(json_get(result, "label"), a),
	    json_text(json_get(result, "at"), a));
	add_votes(c, json_get(judge, "votes"));
	if (verdict == NULL) {
		c->without += h != NULL;
		if (h != NULL)
			h->uses++;
		return;
	}
	add_judge(c, judge, a);
	c->judged++;
	c->passed += pass;
	if (h != NULL)
		compare_with(c, h, pass);
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

	for (size_t i = 0; i < c->n; i++) {
		const struct human *h = &c->labels[i];

		unplaced += h->uses == 0;
		doubtful += h->uses > 1;
		if (h->uses > 1)
			diag_error(h->place,
			    "%.*s: %.*s is the label of %zu checks%s",
			    STR_FMT(h->id), STR_FMT(h->label), h->uses,
			    h->at.s == NULL ? "; say which by \"at\"" : "");
	}
	if (unplaced != 0)
		diag_warn((struct place){ 0 },
		    "labels of checks that are not there: %zu", unplaced);
	if (c->mixed)
		diag_warn((struct place){ 0 },
		    "the verdicts are of more than one judge");
	if (agreement_n(&c->agreement) == 0)
		diag_trouble("no check has both a label and a verdict");
	return doubtful == 0 && agreement_n(&c->agreement) != 0;
}

void
calibration_close(struct calibration *c)
{
	arena_free(&c->arena);
}
