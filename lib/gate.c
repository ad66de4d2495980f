#include "gate.h"

#include <stdlib.h>

/* How a sentence says that runs have the status: "2 of 8 runs ...". */
static const char *const said[STATUS_COUNT] = {
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
	};
}

bool
gate_fail_on(struct gate *g, struct str list, struct str *bad)
{
	enum status s;

	for (int i = 0; i < STATUS_COUNT; i++)
		g->fail_on[i] = false;
	if (str_is(list, "none"))
		return true;
	while (list.s != NULL) {
		*bad = str_trim(str_cut(&list, ','));
		if (!status_of(*bad, &s) || s == STATUS_PASSED)
			return false;
		g->fail_on[s] = true;
	}
	return true;
}

bool
gate_fail_under(struct gate *g, const char *rate)
{
	char *end;

	g->fail_under = strtod(rate, &end);
	if (*end == '%') {
		g->fail_under /= 100;
		end++;
	}
	return end != rate && *end == '\0' && g->fail_under >= 0 &&
	    g->fail_under <= 1;
}

bool
gate_fails_on(const struct gate *g, enum status s)
{
	return g->fail_on[s] && !(s == STATUS_FAILED && g->fail_under >= 0);
}

/* "2 of 8 runs failed, 1 in error", of the statuses that fail the gate; of all
 * without a gate. */
static struct str
say_counts(
    const struct tally_group *g, const struct gate *gate, struct arena *a)
{
	size_t checked = tally_checked(g);
	struct str text = { 0 };

	for (int i = 0; i < STATUS_COUNT; i++) {
		if (g->status[i] == 0 ||
		    (gate != NULL && !gate_fails_on(gate, (enum status)i)))
			continue;
		text = str_cat(a, text,
		    text.s != NULL
			? str_printf(a, ", %zu %s", g->status[i], said[i])
			: str_printf(a, "%zu of %zu run%s %s", g->status[i],
			      checked, checked == 1 ? "" : "s", said[i]));
	}
	return text;
}

static struct gate_verdict
decide_checked(
    const struct gate *gate, const struct tally_group *g, struct arena *a)
{
	struct gate_verdict v;
	size_t rated = tally_rated(g), passed = g->status[STATUS_PASSED];
	bool below = gate->fail_under >= 0 &&
	    (double)passed / (double)rated < gate->fail_under;

	v.why = say_counts(g, gate, a);
	v.status = v.why.s != NULL || below;
	if (below)
		v.why = str_printf(a, "%.*s%spass rate %.4g%% is below %.4g%%",
		    STR_FMT(v.why), v.why.s == NULL ? "" : ", ",
		    100 * (double)passed / (double)rated,
		    100 * gate->fail_under);
	if (v.status == 0)
		v.why = say_counts(g, NULL, a);
	return v;
}

static struct gate_verdict
decide(const struct gate *gate, const struct tally_group *g, struct arena *a)
{
	struct gate_verdict v;

	if (g->runs == 0)
		return (struct gate_verdict){ 2, STR("no runs in the input") };
	if (tally_checked(g) == 0)
		return (struct gate_verdict){ 0,
			str_printf(a, "%zu run%s, not checked", g->runs,
			    g->runs == 1 ? "" : "s") };
	if (tally_decided(g) == 0)
		v = (struct gate_verdict){ 2,
			str_printf(a, "no run was decided: %.*s",
			    STR_FMT(say_counts(g, NULL, a))) };
	else
		v = decide_checked(gate, g, a);
	if (tally_checked(g) < g->runs)
		v.why = str_printf(a, "%.*s (%zu more not checked)",
		    STR_FMT(v.why), g->runs - tally_checked(g));
	return v;
}

struct gate_verdict
gate_decide(const struct gate *gate, const struct tally_group *g, size_t errors,
    struct arena *a)
{
	struct gate_verdict v = decide(gate, g, a);

	if (errors == 0)
		return v;
	return (struct gate_verdict){ 2,
		str_printf(a, "%zu error%s, see standard error; %.*s", errors,
		    errors == 1 ? "" : "s", STR_FMT(v.why)) };
}
