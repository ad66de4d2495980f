/* Tells what a calibration came to, as text and as JSON. */
#include "judge/calibration.h"

#include <math.h>
#include <stdio.h>

#include "text/layout.h"

struct figure {
	const char *name, *about;
	double value;
	struct stats_interval at; /* low is NaN: none */
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
	f[2] = (struct figure){ "constant",
		"agreement of always the same "
		"verdict",
		fmax(base, 1 - base), none };
	f[3] = (struct figure){ "tpr", "passed of what people pass",
		agreement_tpr(a), wilson(a->pass_pass, a->fail_pass) };
	f[4] = (struct figure){ "tnr", "failed of what people fail",
		agreement_tnr(a), wilson(a->fail_fail, a->pass_fail) };
	f[5] = (struct figure){ .name = "kappa",
		.about = "agreement beyond chance (Cohen)" };
	f[5].value = agreement_kappa(a, &f[5].at);
	f[6] = (struct figure){ "pass_rate", "of all that was judged",
		c->judged == 0 ? (double)NAN
			       : (double)c->passed / (double)c->judged,
		wilson(c->passed, c->judged - c->passed) };
	f[7] = (struct figure){ .name = "corrected_pass_rate",
		.about = "less the judge's errors (Rogan and Gladen)" };
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
