#include "judge/calibration.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clamp.h"
#include "base/diag.h"
#include "text/layout.h"
#include "yaml/document.h"

/* ---- labels ---- */

/* A label: the verdict of people on a check. */
struct human {
	struct str id, label, at; /* at: absent if not given */
	bool pass;
	struct place place;
	size_t uses; /* number of checks that the label fits */
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

/* Compares labels, and those of one check by their lines. */
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

/* Sorts the labels. Returns false after a message if two are of the same
 * check. */
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
	struct document *doc = document_read(&c->arena, path, NULL);
	bool good = doc != NULL;

	if (doc == NULL)
		return false;
	if (doc->n == 0) {
		diag_error(
		    (struct place){ .file = path }, "the file has no labels");
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
		return; /* reported by calibration_warn */
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
	if (!pass && !json_str_is(verdict, "fail")) {
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
			    h->at.s == NULL ? "; choose one with \"at\"" : "");
	}
	if (unplaced != 0)
		diag_warn((struct place){ 0 }, "labels without a check: %zu",
		    unplaced);
	if (c->mixed)
		diag_warn((struct place){ 0 },
		    "the verdicts come from more than one judge");
	if (agreement_n(&c->agreement) == 0)
		diag_system_error("no check has both a label and a verdict");
	return doubtful == 0 && agreement_n(&c->agreement) != 0;
}

/* ---- figures ---- */

struct figure {
	const char *name, *about;
	double value;
	struct stats_interval at; /* low is NaN: no interval */
};

enum { FIGURES = 10 };

static struct stats_interval
wilson(size_t part, size_t rest)
{
	struct stats_interval none = { (double)NAN, (double)NAN };

	return part + rest == 0 ? none : stats_wilson(part, part + rest);
}

static void
figures_of(const struct calibration *c, struct figure f[FIGURES])
{
	const struct agreement *a = &c->agreement;
	struct stats_interval none = { (double)NAN, (double)NAN };
	double base = agreement_base_rate(a);

	f[0] = (struct figure){
		"agreement", "the same verdict", agreement_rate(a),
		wilson(a->pass_pass + a->fail_fail, a->pass_fail + a->fail_pass)
	};
	f[1] = (struct figure){ "base_rate", "people pass", base,
		wilson(
		    a->pass_pass + a->fail_pass, a->pass_fail + a->fail_fail) };
	f[2] = (struct figure){ "constant", "agreement of a constant verdict",
		fmax(base, 1 - base), none };
	f[3] = (struct figure){ "tpr", "judge passes, where people pass",
		agreement_tpr(a), wilson(a->pass_pass, a->fail_pass) };
	f[4] = (struct figure){ "tnr", "judge fails, where people fail",
		agreement_tnr(a), wilson(a->fail_fail, a->pass_fail) };
	f[5] = (struct figure){ .name = "kappa",
		.about = "agreement beyond chance (Cohen)" };
	f[5].value = agreement_kappa(a, &f[5].at);
	f[6] =
	    (struct figure){ "pass_rate", "passed checks of all judged checks",
		    c->judged == 0 ? (double)NAN
				   : (double)c->passed / (double)c->judged,
		    wilson(c->passed, c->judged - c->passed) };
	f[7] = (struct figure){ .name = "corrected_pass_rate",
		.about =
		    "corrected for the judge's errors (Rogan and Gladen)" };
	f[7].value = agreement_corrected(a, c->passed, c->judged, &f[7].at);
	f[8] = (struct figure){ "unanimous", "checks whose votes all agree",
		c->voted == 0 ? (double)NAN
			      : (double)c->unanimous / (double)c->voted,
		wilson(c->unanimous, c->voted - c->unanimous) };
	f[9] = (struct figure){ "self_agreement", "pairs of votes that agree",
		c->pairs == 0 ? (double)NAN : c->agreeing / c->pairs, none };
}

void
calibration_text(const struct calibration *c, struct out *o)
{
	const struct agreement *a = &c->agreement;
	struct figure f[FIGURES];
	struct arena moment = { 0 };

	figures_of(c, f);
	out_printf(o, "judge: %.*s\n",
	    STR_FMT(layout_clean(&moment, c->judge, false)));
	arena_free(&moment);
	out_printf(o,
	    "checks with a label: %zu; judged: %zu; without a verdict: %zu\n\n",
	    agreement_n(a) + c->without, c->judged, c->without);
	out_printf(o, "%-12s %13s %13s\n", "", "people pass", "people fail");
	out_printf(o, "%-12s %13zu %13zu\n", "judge passes", a->pass_pass,
	    a->pass_fail);
	out_printf(o, "%-12s %13zu %13zu\n\n", "judge fails", a->fail_pass,
	    a->fail_fail);
	for (size_t i = 0; i < FIGURES; i++) {
		out_printf(o, "%-20s", f[i].name);
		if (isnan(f[i].value))
			out_printf(o, "%6s", "-");
		else
			out_printf(o, "%6.3f", f[i].value);
		if (isnan(f[i].at.low))
			out_printf(o, "%18s", "");
		else
			out_printf(
			    o, "  %6.3f to %6.3f", f[i].at.low, f[i].at.high);
		out_printf(o, "  %s\n", f[i].about);
	}
}

void
calibration_json(const struct calibration *c, struct out *o)
{
	const struct agreement *a = &c->agreement;
	struct figure f[FIGURES];
	char name[64];

	figures_of(c, f);
	out_begin(o, '{');
	out_key(o, "judge");
	out_json_str(o, c->judge);
	out_member_size(o, "labelled", agreement_n(a) + c->without);
	out_member_size(o, "judged", c->judged);
	out_member_size(o, "without_verdict", c->without);
	out_member_begin(o, "confusion", '{');
	out_member_size(o, "pass_pass", a->pass_pass);
	out_member_size(o, "pass_fail", a->pass_fail);
	out_member_size(o, "fail_pass", a->fail_pass);
	out_member_size(o, "fail_fail", a->fail_fail);
	out_end(o, '}');
	for (size_t i = 0; i < FIGURES; i++) {
		out_key(o, f[i].name);
		out_json_double(o, f[i].value);
		if (isnan(f[i].at.low))
			continue;
		snprintf(name, sizeof name, "%s_95", f[i].name);
		out_key(o, name);
		out_begin(o, '[');
		out_json_double(o, f[i].at.low);
		out_json_double(o, f[i].at.high);
		out_end(o, ']');
	}
	out_end(o, '}');
	out_char(o, '\n');
}

void
calibration_close(struct calibration *c)
{
	arena_free(&c->arena);
}
