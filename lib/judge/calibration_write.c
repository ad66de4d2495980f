/* Writes what a comparison of verdicts came to. */
#include <math.h>
#include <stdio.h>

#include "judge/calibration.h"
#include "text/layout.h"
#include "text/table.h"

/* ---- figures ---- */

struct figure {
	const char *name, *about;
	double value;
	struct stats_interval at; /* low is NaN: no interval */
};

/* Indices of figures that the rows of rubrics show. */
enum {
	AGREEMENT = 0,
	FAIL_PRECISION = 5,
	FAIL_RECALL,
	KAPPA,
	PASS_RATE,
	PPI = 10,
	FIGURES = 13,
};

static struct figure
share(const char *name, const char *about, size_t part, size_t rest)
{
	struct figure f = { name, about, (double)NAN,
		{ (double)NAN, (double)NAN } };

	if (part + rest != 0) {
		f.value = (double)part / (double)(part + rest);
		f.at = stats_wilson(part, part + rest);
	}
	return f;
}

static struct figure
number(const char *name, const char *about, double value)
{
	return (
	    struct figure){ name, about, value, { (double)NAN, (double)NAN } };
}

static void
figures_of(const struct calibration_part *p, struct figure f[FIGURES])
{
	const struct agreement *a = &p->agreement;
	struct agreement_ppi ppi = agreement_ppi(a, p->passed, p->judged);
	double base = agreement_base_rate(a);

	*f++ = share("agreement", "the same verdict",
	    a->pass_pass + a->fail_fail, a->pass_fail + a->fail_pass);
	*f++ = share("base_rate", "people pass", a->pass_pass + a->fail_pass,
	    a->pass_fail + a->fail_fail);
	*f++ = number("constant", "agreement of a constant verdict",
	    fmax(base, 1 - base));
	*f++ = share("tpr", "judge passes, where people pass", a->pass_pass,
	    a->fail_pass);
	*f++ = share("tnr", "judge fails, where people fail", a->fail_fail,
	    a->pass_fail);
	*f++ = share("fail_precision", "people fail, where the judge fails",
	    a->fail_fail, a->fail_pass);
	*f++ = share("fail_recall", "judge fails, where people fail (tnr)",
	    a->fail_fail, a->pass_fail);
	*f = number("kappa", "agreement beyond chance (Cohen)", 0);
	f->value = agreement_kappa(a, &f->at);
	f++;
	*f++ = share("pass_rate", "passed checks of all judged checks",
	    p->passed, p->judged - p->passed);
	*f = number("corrected_pass_rate",
	    "corrected for the judge's errors (Rogan and Gladen)", 0);
	f->value = agreement_corrected(a, p->passed, p->judged, &f->at);
	f++;
	*f = number("ppi_pass_rate",
	    "the same, by prediction-powered inference", ppi.rate);
	f++->at = ppi.at;
	*f++ = share("unanimous", "checks whose votes all agree", p->unanimous,
	    p->voted - p->unanimous);
	*f = number("self_agreement", "pairs of votes that agree",
	    p->pairs == 0 ? (double)NAN : p->agreeing / p->pairs);
}

/* ---- text ---- */

static void
put_figure(struct out *o, const struct figure *f)
{
	out_printf(o, "%-20s", f->name);
	if (isnan(f->value))
		out_printf(o, "%6s", "-");
	else
		out_printf(o, "%6.3f", f->value);
	if (isnan(f->at.low))
		out_printf(o, "%18s", "");
	else
		out_printf(o, "  %6.3f to %6.3f", f->at.low, f->at.high);
	out_printf(o, "  %s\n", f->about);
}

static void
put_confusion(const struct calibration *c, struct out *o, struct arena *moment)
{
	const struct agreement *a = &c->all.agreement;

	out_printf(
	    o, "judge: %.*s\n", STR_FMT(layout_clean(moment, c->judge, false)));
	out_printf(o,
	    "checks with a label: %zu; judged: %zu; without a verdict: %zu\n\n",
	    agreement_n(a) + c->all.without, c->all.judged, c->all.without);
	out_printf(o, "%-12s %13s %13s\n", "", "people pass", "people fail");
	out_printf(o, "%-12s %13zu %13zu\n", "judge passes", a->pass_pass,
	    a->pass_fail);
	out_printf(o, "%-12s %13zu %13zu\n\n", "judge fails", a->fail_pass,
	    a->fail_fail);
}

/* Says how many labels an interval of the caller's width needs. */
static void
put_labels_for(const struct calibration *c, struct out *o)
{
	const struct calibration_part *p = &c->all;
	size_t have = agreement_n(&p->agreement);
	size_t labels =
	    agreement_labels_for(&p->agreement, p->passed, p->judged, c->width);

	if (isnan(agreement_ppi(&p->agreement, p->passed, p->judged).rate))
		return;
	out_printf(o, "\nppi_pass_rate within a width of %g: ", c->width);
	if (labels == SIZE_MAX)
		out_text(o, "more judged checks than these are needed\n");
	else if (labels <= have)
		out_text(o, "the labels suffice\n");
	else
		out_printf(o, "about %zu more labels (%zu in all)\n",
		    labels - have, labels);
}

static void
put_uncertain(const struct calibration *c, struct out *o)
{
	if (agreement_n(&c->uncertain) != 0)
		out_printf(o,
		    "labels of checks chosen since the judge is unsure: %zu, "
		    "agreement %.3f; no figure counts them\n",
		    agreement_n(&c->uncertain), agreement_rate(&c->uncertain));
}

static void
figure_cell(struct table *t, const struct figure *f, bool interval)
{
	struct str text = STR("-");

	if (!isnan(f->value) && !interval)
		text = str_printf(t->arena, "%.3f", f->value);
	else if (!isnan(f->at.low) && interval)
		text =
		    str_printf(t->arena, "%.3f to %.3f", f->at.low, f->at.high);
	table_cell(t, text, TONE_PLAIN);
}

static void
put_part(struct table *t, const struct calibration_part *p)
{
	static const size_t shown[] = { AGREEMENT, FAIL_PRECISION, FAIL_RECALL,
		KAPPA, PASS_RATE, PPI };
	struct figure f[FIGURES];

	figures_of(p, f);
	table_cell(t, layout_clean(t->arena, p->label, false), TONE_PLAIN);
	table_cell(t, str_int(t->arena, (int64_t)agreement_n(&p->agreement)),
	    TONE_PLAIN);
	table_cell(t, str_int(t->arena, (int64_t)p->judged), TONE_PLAIN);
	for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
		figure_cell(t, &f[shown[i]], false);
	figure_cell(t, &f[PPI], true);
}

/* Writes a row for each rubric with a label, if there are several rubrics. */
static void
put_parts(const struct calibration *c, struct out *o, size_t columns,
    struct arena *moment)
{
	static const struct {
		const char *title;
		int optional;
	} titles[] = { { "check", 0 }, { "labels", 0 }, { "judged", 2 },
		{ "agreement", 4 }, { "fail_precision", 1 },
		{ "fail_recall", 0 }, { "kappa", 0 }, { "pass_rate", 3 },
		{ "ppi_pass_rate", 0 }, { "(95%)", 0 } };
	struct table t = { .arena = moment };
	struct str note;
	size_t silent = 0;

	for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
		table_column(&t,
		    (struct table_column){ .title = titles[i].title,
			.right = i != 0,
			.name = i == 0,
			.optional = titles[i].optional });
	for (size_t i = 0; i < c->n_parts; i++) {
		if (agreement_n(&c->parts[i]->agreement) != 0)
			put_part(&t, c->parts[i]);
		else
			silent++;
	}
	if (c->n_parts < 2 || t.n_cells == 0)
		return;
	t = table_fold(&t, columns, &note);
	out_char(o, '\n');
	table_write(o, &t, columns, false);
	if (note.s != NULL)
		out_printf(o, "%.*s\n", STR_FMT(note));
	if (silent != 0)
		out_printf(o, "rubrics without a label: %zu\n", silent);
}

enum { MOST_DISAGREEMENTS = 50, INDENT = 4 };

static void
put_disagreements(const struct calibration *c, struct out *o, size_t columns,
    struct arena *moment)
{
	const struct layout shape = { INDENT, columns, SIZE_MAX, false };

	if (c->n_disagreements != 0)
		out_printf(o, "\ndisagreements: %zu\n", c->n_disagreements);
	for (size_t i = 0; i < c->n_disagreements; i++) {
		const struct disagreement *d = &c->disagreements[i];
		const struct label *l = d->label;

		if (i == MOST_DISAGREEMENTS) {
			out_printf(o, "[%zu more; --json has all]\n",
			    c->n_disagreements - i);
			break;
		}
		out_printf(o, "%.*s: %.*s\n",
		    STR_FMT(layout_clean(moment, l->id, false)),
		    STR_FMT(layout_clean(moment, l->label, false)));
		layout_wrap(o,
		    layout_clean(moment,
			str_printf(moment, "people %s, the judge %s%s%.*s",
			    l->pass ? "pass" : "fail",
			    l->pass ? "fails" : "passes",
			    d->reason.n == 0 ? "" : ": ", STR_FMT(d->reason)),
			false),
		    &shape);
	}
}

void
calibration_text(const struct calibration *c, struct out *o, size_t columns)
{
	struct figure f[FIGURES];
	struct arena moment = { 0 };

	figures_of(&c->all, f);
	put_confusion(c, o, &moment);
	for (size_t i = 0; i < FIGURES; i++)
		put_figure(o, &f[i]);
	put_labels_for(c, o);
	put_uncertain(c, o);
	put_parts(c, o, columns, &moment);
	put_disagreements(c, o, columns, &moment);
	arena_free(&moment);
}

/* ---- JSON ---- */

static void
put_agreement(struct out *o, const char *name, const struct agreement *a)
{
	out_member_begin(o, name, '{');
	out_member_size(o, "pass_pass", a->pass_pass);
	out_member_size(o, "pass_fail", a->pass_fail);
	out_member_size(o, "fail_pass", a->fail_pass);
	out_member_size(o, "fail_fail", a->fail_fail);
	out_end(o, '}');
}

/* Writes the members of a part. */
static void
put_members(struct out *o, const struct calibration_part *p, double width)
{
	struct figure f[FIGURES];
	char name[64];
	size_t labels =
	    agreement_labels_for(&p->agreement, p->passed, p->judged, width);

	out_member_size(o, "labelled", agreement_n(&p->agreement) + p->without);
	out_member_size(o, "judged", p->judged);
	out_member_size(o, "without_verdict", p->without);
	put_agreement(o, "confusion", &p->agreement);
	figures_of(p, f);
	for (size_t i = 0; i < FIGURES; i++) {
		out_member_double(o, f[i].name, f[i].value);
		if (isnan(f[i].at.low))
			continue;
		snprintf(name, sizeof name, "%s_95", f[i].name);
		out_member_begin(o, name, '[');
		out_json_double(o, f[i].at.low);
		out_json_double(o, f[i].at.high);
		out_end(o, ']');
	}
	out_member_begin(o, "labels_for", '{');
	out_member_double(o, "width", width);
	out_member_double(
	    o, "labels", labels == SIZE_MAX ? (double)NAN : (double)labels);
	out_end(o, '}');
}

static void
put_disagreement(struct out *o, const struct disagreement *d)
{
	const struct label *l = d->label;

	out_begin(o, '{');
	out_member_str(o, "id", l->id);
	out_member_str(o, "label", l->label);
	out_member_str(o, "at", l->at);
	out_member_str(o, "people", l->pass ? STR("pass") : STR("fail"));
	out_member_str(o, "judge", l->pass ? STR("fail") : STR("pass"));
	out_member_str(o, "reason", d->reason);
	if (l->uncertain)
		out_member_str(o, "sample", STR("uncertain"));
	out_end(o, '}');
}

void
calibration_json(const struct calibration *c, struct out *o)
{
	out_begin(o, '{');
	out_key(o, "judge");
	out_json_str(o, c->judge);
	put_members(o, &c->all, c->width);
	put_agreement(o, "uncertain", &c->uncertain);
	out_member_begin(o, "rubrics", '[');
	for (size_t i = 0; i < c->n_parts; i++) {
		out_begin(o, '{');
		out_member_str(o, "label", c->parts[i]->label);
		out_member_str(o, "rubric", c->parts[i]->rubric);
		put_members(o, c->parts[i], c->width);
		out_end(o, '}');
	}
	out_end(o, ']');
	out_member_begin(o, "disagreements", '[');
	for (size_t i = 0; i < c->n_disagreements; i++)
		put_disagreement(o, &c->disagreements[i]);
	out_end(o, ']');
	out_end(o, '}');
	out_char(o, '\n');
}
