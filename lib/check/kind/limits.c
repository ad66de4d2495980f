#include "check/kind/kind.h"

#include <math.h>

#include "trace/usage.h"

/* The error that a sum of decimals may have, so that 0.1 + 0.2 is 0.3. */
static const double slack = 1e-9;

/* ---- amounts ---- */

/* The members that are added up. If one of `needed` is missing, the sum is not
 * known; a member of `more` is missing if its amount is 0. */
static const struct amount {
	const char *needed[2], *more[2];
	double unit; /* the sum is divided by this for the limit */
} amounts[] = {
	[LIMIT_LLM_CALLS] = { { "usage.llm_calls" }, { 0 }, 1 },
	[LIMIT_TOKENS] = { { "usage.input_tokens", "usage.output_tokens" },
	    { "usage.cache_read_tokens", "usage.cache_write_tokens" }, 1 },
	[LIMIT_COST] = { { "usage.cost_usd" }, { 0 }, 1 },
	[LIMIT_SECONDS] = { { "duration_ms" }, { 0 }, 1000 },
};

/* Returns the amount of the usage by its name there; NAN: not recorded. */
static double
usage_named(const struct json *usage, const char *name)
{
	double amounts_of[USAGE_COUNT];
	int i = 0;

	usage_amounts(usage, amounts_of);
	while (!str_is(usage_names[i], name))
		i++;
	return amounts_of[i];
}

struct limit_want {
	const struct amount *amount;
	double most;
};

/* Adds the recorded members to *sum. Returns the first that is not recorded, or
 * NULL. */
static const char *
add_up(const struct json *record, const char *const names[2], double *sum)
{
	const char *lacking = NULL;

	for (size_t i = 0; i < 2 && names[i] != NULL; i++) {
		struct str name = str_of(names[i]);
		const struct json *time = json_get(record, names[i]);
		double n = json_is(time, JSON_NUMBER) ? json_double(time) : NAN;

		if (str_starts(name, "usage."))
			n = usage_named(json_get(record, "usage"),
			    names[i] + strlen("usage."));
		if (!isnan(n))
			*sum += n;
		else if (lacking == NULL)
			lacking = names[i];
	}
	return lacking;
}

/* Returns why the recorded amount may be incomplete; absent if it is
 * complete. */
static struct str
not_all(const struct limit_want *w, const struct view *v)
{
	if (v->cut & VIEW_CALLS)
		return STR("cut short in the log: tool_sequence");
	if (w->amount == &amounts[LIMIT_TOKENS] &&
	    json_is(json_path(v->trace->record, "meta.output_tokens_partial"),
		JSON_TRUE))
		return STR("not recorded in full: usage.output_tokens");
	return (struct str){ 0 };
}

/* An amount beyond the limit is a NO even if some of it was not recorded: the
 * rest can only add to it. */
static struct finding
find_amount(const void *want, struct view *v)
{
	const struct limit_want *w = want;
	const struct json *record = v->trace->record;
	double sum = 0;
	const char *lacking = add_up(record, w->amount->needed, &sum);
	struct finding f = { .found = FOUND_SKIP };

	add_up(record, w->amount->more, &sum);
	sum /= w->amount->unit;
	if (!(sum <= w->most + slack))
		return finding_why(
		    FOUND_NO, str_printf(v->arena, "%.15g", sum));
	if (lacking != NULL)
		f.why = str_printf(v->arena, "not recorded: %s", lacking);
	else
		f.why = not_all(w, v);
	if (f.why.s == NULL)
		f.found = FOUND_YES;
	return f;
}

struct check
limits_check(struct arena *a, enum limit limit, double most)
{
	static const struct check_want wants[] = {
		WANT("most", WANT_DOUBLE, limit_want, most),
		{ NULL, WANT_END, 0 },
	};
	static const struct check_kind kinds[] = {
		[LIMIT_LLM_CALLS] = { .name = "llm_calls",
		    .find = find_amount,
		    .wants = wants },
		[LIMIT_TOKENS] = { .name = "tokens",
		    .find = find_amount,
		    .wants = wants },
		[LIMIT_COST] = { .name = "cost",
		    .find = find_amount,
		    .wants = wants },
		[LIMIT_SECONDS] = { .name = "seconds",
		    .find = find_amount,
		    .wants = wants },
	};
	const struct limit_want w = { &amounts[limit], most };

	return check_new(a, &kinds[limit], &w, sizeof w, 0);
}

/* ---- time of the calls ---- */

/* A time that was not recorded is at least 0, so it matters only if the other
 * times are within the limit. */
static struct finding
find_call_time(const void *want, struct view *v)
{
	const double *most = want;
	struct trace_calls calls = view_calls(v);
	double sum = 0;
	bool all = true;

	for (size_t i = 0; i < calls.n; i++) {
		const struct json *ms = calls.list[i].duration_ms;

		if (json_is(ms, JSON_NUMBER))
			sum += json_double(ms);
		else
			all = false;
	}
	if (!(sum <= *most + slack))
		return finding_why(
		    FOUND_NO, str_printf(v->arena, "%.15g ms", sum));
	if (!all)
		return finding_skip("not recorded: the duration of a call");
	return (
	    struct finding){ .found = FOUND_YES, .open = v->cut & VIEW_CALLS };
}

/* The parameter of checks of a time. */
static const struct check_want most_ms[] = {
	{ "most_ms", WANT_DOUBLE, 0 },
	{ NULL, WANT_END, 0 },
};

struct check
limits_call_time(struct arena *a, double most)
{
	static const struct check_kind kind = {
		.name = "call_time",
		.find = find_call_time,
		.wants = most_ms,
	};

	return check_new(a, &kind, &most, sizeof most, VIEW_CALLS);
}

/* ---- a budget ---- */

/* The last limit that is exceeded decides; else the last that is not known. */
static struct finding
find_budget(const void *want, struct view *v)
{
	const struct budget_want *w = want;
	const struct {
		const char *what;
		const double *most;
		const char *names[2];
	} rows[] = {
		{ "cost in USD", w->cost, { "usage.cost_usd" } },
		{ "input tokens", w->input, { "usage.input_tokens" } },
		{ "output tokens", w->output, { "usage.output_tokens" } },
		{ "tokens", w->total,
		    { "usage.input_tokens", "usage.output_tokens" } },
	};
	struct finding over = { 0 };
	double used[sizeof rows / sizeof rows[0]] = { 0 };
	const char *lacking = NULL;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const double *most = rows[i].most;
		const char *lacks = NULL;

		if (most != NULL)
			lacks =
			    add_up(v->trace->record, rows[i].names, &used[i]);
		if (lacks != NULL)
			lacking = lacks;
		if (most != NULL && !(used[i] <= *most + slack))
			over = (struct finding){ .graded = true,
				.why = str_printf(v->arena,
				    "%s: expected at most %.15g, found %.15g",
				    rows[i].what, *most, used[i]) };
	}
	if (over.graded)
		return over;
	if (lacking != NULL)
		return finding_skip(
		    str_printf(v->arena, "not recorded: %s", lacking));
	return (struct finding){ .found = FOUND_YES,
		.graded = true,
		.share = w->cost == NULL || *w->cost <= 0
		    ? 1
		    : 1 - used[0] / *w->cost };
}

static const struct check_kind limits_budget_kind = { .name = "budget",
	.find = find_budget,
	WANTS(WANT("most_cost", WANT_DOUBLE | WANT_AT, budget_want, cost),
	    WANT(
		"most_input_tokens", WANT_DOUBLE | WANT_AT, budget_want, input),
	    WANT("most_output_tokens", WANT_DOUBLE | WANT_AT, budget_want,
		output),
	    WANT("most_tokens", WANT_DOUBLE | WANT_AT, budget_want, total)) };

struct check
limits_budget(struct arena *a, const struct budget_want *want)
{
	return check_new(a, &limits_budget_kind, want, sizeof *want, 0);
}

/* ---- time of a turn ---- */

static struct finding
find_turn_time(const void *want, struct view *v)
{
	const double *most = want;
	const struct json *n = v->turn != NULL
	    ? json_get(v->turn, "duration_ms")
	    : v->trace->member[TRACE_DURATION_MS];
	double ms = json_is(n, JSON_NUMBER) ? json_double(n) : 0;

	if (!json_is(n, JSON_NUMBER))
		return finding_skip("not recorded: duration_ms of the turn");
	return (struct finding){ .found = ms <= *most ? FOUND_YES : FOUND_NO,
		.graded = true,
		.share = ms <= *most ? 1 : *most / ms,
		.why = str_printf(v->arena, "%.15g ms", ms) };
}

struct check
limits_turn_time(struct arena *a, double most)
{
	static const struct check_kind kind = {
		.name = "latency",
		.find = find_turn_time,
		.wants = most_ms,
	};

	return check_new(a, &kind, &most, sizeof most, 0);
}
