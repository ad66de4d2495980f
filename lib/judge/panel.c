#include "judge/panel.h"

#include <math.h>

void
panel_pair(struct agreement *a, enum vote_side one, enum vote_side other)
{
	size_t *cells[2][2] = { { &a->pass_pass, &a->pass_fail },
		{ &a->fail_pass, &a->fail_fail } };

	if (one <= VOTE_FAIL && other <= VOTE_FAIL)
		++*cells[one][other];
}

void
panel_add(struct panel *panel, const struct judge *j, const struct pending *p,
    struct arena *a)
{
	size_t judges = j->way->panel, votes = j->way->votes;
	size_t n[VOTE_SIDES] = { 0 }, given;
	enum vote_side *said = arena_new_n(j->arena, enum vote_side, judges);

	if (p->n_ballots < judges * votes || judges < 2)
		return;
	if (panel->pairs == NULL)
		*panel = (struct panel){ .lanes = j->lanes,
			.judges = judges,
			.pairs =
			    arena_new_n(a, struct agreement, judges * judges) };
	for (size_t i = 0; i < judges; i++) {
		said[i] = vote_majority(j, p, i * votes, votes).side;
		n[said[i]]++;
		for (size_t k = 0; k < i; k++)
			panel_pair(
			    &panel->pairs[k * judges + i], said[k], said[i]);
	}
	given = n[VOTE_PASS] + n[VOTE_FAIL];
	if (given < 2)
		return;
	panel->checks++;
	panel->pass += n[VOTE_PASS];
	panel->fail += n[VOTE_FAIL];
	panel->disagreement +=
	    (double)n[VOTE_PASS] * (double)n[VOTE_FAIL] / (double)(given - 1);
}

double
panel_alpha(const struct panel *panel)
{
	double pass = (double)panel->pass, fail = (double)panel->fail;

	if (panel->pass == 0 || panel->fail == 0)
		return (double)NAN;
	return 1 - (pass + fail - 1) * panel->disagreement / (pass * fail);
}

const char *
panel_kappa(const struct agreement *agreement, struct arena *a)
{
	struct stats_interval at;
	double kappa = agreement_kappa(agreement, &at);

	if (isnan(kappa))
		return "";
	return str_c(a,
	    str_printf(
		a, "; kappa: %.2f (%.2f to %.2f)", kappa, at.low, at.high));
}

static void
warn_pair(const struct panel *panel, size_t one, size_t other)
{
	const struct agreement *a = &panel->pairs[one * panel->judges + other];
	const struct endpoint *e = &panel->lanes[one].endpoint;
	const struct endpoint *f = &panel->lanes[other].endpoint;
	struct arena arena = { 0 };

	diag_warn((struct place){ 0 },
	    "panel: %s %s and %s %s agree on %zu of %zu checks%s",
	    e->provider->name, e->model, f->provider->name, f->model,
	    a->pass_pass + a->fail_fail, agreement_n(a),
	    panel_kappa(a, &arena));
	arena_free(&arena);
}

void
panel_warn(const struct panel *panel)
{
	double alpha = panel_alpha(panel);

	for (size_t i = 0; i < panel->judges; i++)
		for (size_t k = i + 1; k < panel->judges; k++)
			warn_pair(panel, i, k);
	if (!isnan(alpha))
		diag_warn((struct place){ 0 },
		    "panel: Krippendorff's alpha: %.2f; judges: %zu; checks "
		    "with several verdicts: %zu",
		    alpha, panel->judges, panel->checks);
}
