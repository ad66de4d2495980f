#include "report/tally/gate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stats.h"
#include "base/suggest.h"
#include "text/humanize.h"

/* The words for a status after "2 of 8 runs ". */
static const char *const status_words[STATUS_COUNT] = {
	[STATUS_PASSED] = "passed",
	[STATUS_FAILED] = "failed",
	[STATUS_ERROR] = "in error",
	[STATUS_PENDING] = "pending",
	[STATUS_SKIPPED] = "skipped",
	[STATUS_UNCHECKED] = "unchecked",
};

struct gate
gate_default(void)
{
	return (struct gate){
		.fail_on = { [STATUS_FAILED] = true,
		    [STATUS_ERROR] = true,
		    [STATUS_PENDING] = true },
		.fail_under = -1,
		.fail_under_ci = -1,
		.severity = SEVERITY_COUNT,
	};
}

const char *
gate_cause_name(int cause)
{
	switch (cause) {
	case GATE_FLAKY:
		return "flaky";
	case GATE_REGRESSION:
		return "regression";
	case GATE_USAGE:
		return "usage";
	case GATE_TOOLS:
		return "tools";
	case GATE_DRIFT:
		return "drift";
	case GATE_DROP:
		return "drop";
	default:
		return status_name((enum status)cause);
	}
}

const char *
gate_cause_near(struct str word, int first, int end, struct arena *a)
{
	struct suggest near = suggest_for(word);

	for (int i = first; i < end; i++) {
		struct str name = str_of(gate_cause_name(i));

		if (word.n > 2 && str_starts(name, word))
			return str_printf(
			    a, " (did you mean '%.*s'?)", STR_FMT(name))
			    .s;
		suggest_try(&near, name);
	}
	return suggest_text(&near, a);
}

bool
gate_fail_on(struct gate *g, struct str list, struct str *bad)
{
	for (int i = 0; i < GATE_CAUSES; i++)
		g->fail_on[i] = false;
	if (str_is(list, "none"))
		return true;
	while (list.s != NULL) {
		int i = STATUS_PASSED + 1;

		*bad = str_trim(str_cut(&list, ','));
		while (i < GATE_CAUSES && !str_is(*bad, gate_cause_name(i)))
			i++;
		if (i == GATE_CAUSES)
			return false;
		g->fail_on[i] = true;
	}
	return true;
}

bool
gate_margin(const char *text, double *margin)
{
	char *end;

	*margin = strtod(text, &end);
	if (end == text) /* "%" alone is no number either */
		return false;
	if (*end == '%') {
		*margin /= 100;
		end++;
	}
	return *end == '\0' && *margin >= 0 && isfinite(*margin);
}

bool
gate_rate(const char *text, double *rate)
{
	return gate_margin(text, rate) && *rate <= 1;
}

bool
gate_fails_on(const struct gate *g, int cause)
{
	bool by_rate = g->fail_under >= 0 || g->fail_under_ci >= 0;

	return g->fail_on[cause] && !(cause == STATUS_FAILED && by_rate);
}

bool
gate_counts(const struct gate *gate, enum severity severity)
{
	if (gate->severity == SEVERITY_COUNT)
		return severity == SEVERITY_ERROR;
	return severity <= gate->severity;
}

/* Returns "2 of 8 runs failed, 1 in error" with the statuses that fail the
 * gate, or with all statuses if `gate` is NULL. */
static struct str
counts_text(
    const struct tally_group *g, const struct gate *gate, struct arena *a)
{
	size_t checked = tally_checked(g);
	struct str text = { 0 };

	for (int i = 0; i < STATUS_COUNT; i++) {
		if (g->status[i] == 0 ||
		    (gate != NULL && !gate_fails_on(gate, i)))
			continue;
		text = str_cat(a, text,
		    text.s != NULL
			? str_printf(
			      a, ", %zu %s", g->status[i], status_words[i])
			: str_printf(a, "%zu of %zu run%s %s", g->status[i],
			      checked, checked == 1 ? "" : "s",
			      status_words[i]));
	}
	return text;
}

/* Appends "N NOUNs" to the reason if the gate fails on that cause and n is not
 * 0. */
static void
add_cause(struct gate_verdict *v, bool fails, size_t n, const char *noun,
    struct arena *a)
{
	if (!fails || n == 0)
		return;
	v->why = str_printf(a, "%.*s%s%.*s", STR_FMT(v->why),
	    v->why.s == NULL ? "" : ", ", STR_FMT(humanize_of(a, n, noun)));
}

/* Appends the causes that need no status of runs. */
static void
add_behaviour(struct gate_verdict *v, const struct gate *gate,
    const struct gate_facts *f, struct arena *a)
{
	add_cause(
	    v, gate->fail_on[GATE_USAGE], f->usage_rises, "usage rise", a);
	add_cause(
	    v, gate->fail_on[GATE_TOOLS], f->tool_changes, "tool change", a);
	add_cause(
	    v, gate->fail_on[GATE_DRIFT], f->drifted, "drifted scenario", a);
}

static struct str
percent(double rate, int digits, struct arena *a)
{
	return str_printf(a, "%.*g%%", digits, 100 * rate);
}

/* Appends that a rate is below its bound, with as many digits as show the
 * difference; a bound of -1 is none. The slack is needed because 93.9% as a
 * double is a little more than 939 of 1000; no two rates are that close. */
static void
add_rate(struct gate_verdict *v, const char *what, double rate, double least,
    struct arena *a)
{
	const double slack = 1e-12;
	int digits = 4;

	if (rate >= least - slack)
		return;
	while (str_eq(percent(rate, digits, a), percent(least, digits, a)))
		digits++;
	v->why = str_printf(a, "%.*s%s%s %.*s is below %.*s", STR_FMT(v->why),
	    v->why.s == NULL ? "" : ", ", what,
	    STR_FMT(percent(rate, digits, a)),
	    STR_FMT(percent(least, digits, a)));
}

/* Decides where the gate is passed, but only because no run was decided. That
 * is no trouble if the authors of the assertions wanted it so. */
static struct gate_verdict
decide_undecided(
    const struct gate_facts *f, const struct tally_group *g, struct arena *a)
{
	size_t skipped = g->status[STATUS_SKIPPED];
	bool wanted = skipped != 0 && skipped <= f->tally->by_author &&
	    g->status[STATUS_PENDING] == 0;

	return (struct gate_verdict){
		.status = wanted ? 0 : 2,
		.undecided = wanted,
		.why = str_printf(a, "no run was decided: %.*s%s",
		    STR_FMT(counts_text(g, NULL, a)),
		    wanted ? " (skipped by conditions in their assertions)"
			   : ""),
	};
}

/* Returns whether runs failed, ended in an error or are pending that the gate
 * was told not to count. */
static bool
overlooks(const struct gate *gate, const struct tally_group *g)
{
	bool any = false;

	for (int i = STATUS_FAILED; i <= STATUS_PENDING; i++)
		any |= g->status[i] != 0 && !gate->fail_on[i];
	return any;
}

/* Returns the reason why runs that failed pass the gate. */
static struct str
no_regression(const struct gate_facts *f, struct arena *a)
{
	if (f->noise == 0)
		return STR(", no regression");
	return str_printf(
	    a, ", no regression (%zu worse within noise)", f->noise);
}

static struct gate_verdict
decide_checked(const struct gate *gate, const struct gate_facts *f,
    const struct tally_group *g, struct arena *a)
{
	size_t rated = tally_rated(g), passed = g->status[STATUS_PASSED];
	struct gate_verdict v = { .why = counts_text(g, gate, a) };

	add_cause(&v, gate->fail_on[GATE_FLAKY], g->flaky, "flaky task", a);
	add_cause(&v, gate->fail_on[GATE_REGRESSION], f->regressions,
	    "regression", a);
	add_cause(&v, gate->fail_on[GATE_DROP], f->drops, "pass rate drop", a);
	add_behaviour(&v, gate, f, a);
	if (rated != 0) {
		add_rate(&v, "pass rate", (double)passed / (double)rated,
		    gate->fail_under, a);
		add_rate(&v, "lower bound of the pass rate",
		    stats_wilson(passed, rated).low, gate->fail_under_ci, a);
	}
	v.status = v.why.s != NULL;
	if (v.status == 0 && tally_decided(g) == 0)
		return decide_undecided(f, g, a);
	if (v.status != 0)
		return v;
	v.why = counts_text(g, NULL, a);
	if (gate->fail_on[GATE_REGRESSION] && f->errors == 0 &&
	    overlooks(gate, g))
		v.why = str_cat(a, v.why, no_regression(f, a));
	return v;
}

/* Decides on runs that have no status, which behaviour does not need. */
static struct gate_verdict
decide_unchecked(const struct gate *gate, const struct gate_facts *f,
    const struct tally_group *g, struct arena *a)
{
	struct gate_verdict v = { .why =
				      str_cat(a, humanize_of(a, g->runs, "run"),
					  STR(", not checked")) };
	struct str bare;

	if (g->errors != 0)
		v.why = str_printf(a, "%.*s, %zu of them ended in an error",
		    STR_FMT(v.why), g->errors);
	bare = v.why;
	add_behaviour(&v, gate, f, a);
	v.status = v.why.n != bare.n;
	return v;
}

static struct gate_verdict
decide(const struct gate *gate, const struct gate_facts *f,
    const struct tally_group *g, struct arena *a)
{
	struct gate_verdict v;

	if (g->runs == 0 && f->tally->filtered != 0)
		return (struct gate_verdict){
			.why = str_cat(a,
			    str_cat(a, STR("none of "),
				humanize_of(a, f->tally->filtered, "run")),
			    STR(" has a status of --filter"))
		};
	if (g->runs == 0)
		return (struct gate_verdict){ .status = 2,
			.why = STR("no runs in the input") };
	if (tally_checked(g) == 0)
		return decide_unchecked(gate, f, g, a);
	if (g->status[STATUS_UNCHECKED] == tally_checked(g))
		v = decide_undecided(f, g, a);
	else
		v = decide_checked(gate, f, g, a);
	if (tally_checked(g) < g->runs)
		v.why = str_printf(a, "%.*s (%zu more not checked)",
		    STR_FMT(v.why), g->runs - tally_checked(g));
	if (gate->severity == SEVERITY_ERROR)
		v.why = str_cat(a, v.why, STR(" by checks of severity error"));
	else if (gate->severity == SEVERITY_WARNING)
		v.why = str_cat(
		    a, v.why, STR(" by checks of severity error or warning"));
	return v;
}

struct gate_verdict
gate_decide(
    const struct gate *gate, const struct gate_facts *f, struct arena *a)
{
	struct tally_group total = f->tally->total;
	struct gate_verdict v;

	if (gate->severity != SEVERITY_COUNT)
		memcpy(total.status, f->tally->at_least[gate->severity],
		    sizeof total.status);
	v = decide(gate, f, &total, a);
	v.passed = v.status == 0 && total.status[STATUS_PASSED] != 0 &&
	    !overlooks(gate, &total);
	if (f->errors == 0)
		return v;
	return (struct gate_verdict){ .status = 2,
		.why = str_printf(a, "%.*s, see standard error; %.*s",
		    STR_FMT(humanize_of(a, f->errors, "error")),
		    STR_FMT(v.why)) };
}
