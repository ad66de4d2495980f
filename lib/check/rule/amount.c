/* Claims about amounts: calls, errors, turns, tokens, cost, time. */
#include "check/rule/run.h"

#include <math.h>

#include "trace/usage.h"

/* An amount that is known to be within two limits. */
struct amount {
	double least, most;
	const char *lacking; /* why the limits differ */
};

static const char cut[] = "cut short in the log: tool_sequence",
		  uncalled[] = "not recorded: tool_sequence";

static struct amount
calls(const struct rule_run *run)
{
	double n = (double)run->calls.n;

	if (!run->recorded)
		return (struct amount){ 0, INFINITY, uncalled };
	return (struct amount){ n, rule_may_lack(run) ? INFINITY : n,
		run->holes ? uncalled : cut };
}

static struct amount
errors(const struct rule_run *run)
{
	struct amount n = { 0 };

	if (!run->recorded)
		return calls(run);
	for (size_t i = 0; i < run->calls.n; i++) {
		enum rule_fit failed = rule_failed(&run->calls.list[i]);

		n.least += failed == RULE_YES;
		n.most += failed != RULE_NO;
		if (failed == RULE_MAYBE)
			n.lacking = "not recorded: whether a call failed";
	}
	if (rule_may_lack(run)) {
		n.most = INFINITY;
		n.lacking = calls(run).lacking;
	}
	return n;
}

static struct amount
turns(const struct rule_run *run)
{
	const struct json *list = run->view->trace->member[TRACE_TURNS];
	double n = run->turn != NULL ? 1 : (double)json_count(list);

	if (list == NULL)
		return (struct amount){ 0, INFINITY, "not recorded: turns" };
	return (struct amount){ n, run->cut ? INFINITY : n, cut };
}

/* Adds the number to the sum; NAN is a number that is not recorded, of which
 * `lacking` says so, or which is 0 (NULL). */
static void
add(struct amount *sum, double n, const char *lacking)
{
	if (!isnan(n)) {
		sum->least += n;
		sum->most += n;
	} else if (lacking != NULL) {
		sum->most = INFINITY;
		if (sum->lacking == NULL)
			sum->lacking = lacking;
	}
}

/* Returns the usage of the run or the turn. */
static const struct json *
usage_in(const struct rule_run *run)
{
	return run->turn != NULL ? json_get(run->turn, "usage")
				 : run->view->trace->member[TRACE_USAGE];
}

/* Returns the seconds that the run or the turn took; NaN if they are not recorded. */
static double
seconds_of(const struct rule_run *run)
{
	const struct json *ms = run->turn != NULL
	    ? json_get(run->turn, "duration_ms")
	    : run->view->trace->member[TRACE_DURATION_MS];

	return json_is(ms, JSON_NUMBER) ? json_double(ms) / 1000 : NAN;
}

static struct amount
tokens(const struct rule_run *run)
{
	struct amount n = { 0 };
	double counts[USAGE_COUNT];

	usage_amounts(usage_in(run), counts);
	add(&n, counts[USAGE_INPUT], "not recorded: usage.input_tokens");
	add(&n, counts[USAGE_OUTPUT], "not recorded: usage.output_tokens");
	add(&n, counts[USAGE_CACHE_READ], NULL);
	add(&n, counts[USAGE_CACHE_WRITE], NULL);
	if (json_is(json_get(run->view->trace->member[TRACE_META],
			"output_tokens_partial"),
		JSON_TRUE)) {
		n.most = INFINITY;
		n.lacking = "not recorded in full: usage.output_tokens";
	}
	return n;
}

static struct amount
cost(const struct rule_run *run)
{
	struct amount n = { 0 };
	double amounts[USAGE_COUNT];

	usage_amounts(usage_in(run), amounts);
	add(&n, amounts[USAGE_COST], "not recorded: usage.cost_usd");
	return n;
}

static struct amount
amount_of(const struct rule_run *run, enum rule_form form)
{
	struct amount n = { 0 };

	if (form == RULE_CALLS)
		return calls(run);
	if (form == RULE_ERRORS)
		return errors(run);
	if (form == RULE_TURNS)
		return turns(run);
	if (form == RULE_TOKENS)
		n = tokens(run);
	if (form == RULE_COST)
		n = cost(run);
	if (form == RULE_TIME)
		add(&n, seconds_of(run), "not recorded: duration_ms");
	if (run->cut) {
		n.most = INFINITY;
		if (n.lacking == NULL)
			n.lacking = cut;
	}
	return n;
}

/* The error that a sum of decimals may have, so that 0.1 + 0.2 is 0.3. */
static double
rounded(double n, double wanted)
{
	return fabs(n - wanted) < 1e-9 ? wanted : n;
}

struct rule_outcome
rule_decide_amount(struct rule_run *run, const struct rule_claim *c)
{
	struct amount n = amount_of(run, c->form);

	if (run->whole != NULL && run->turn == NULL && c->form != RULE_CALLS &&
	    c->form != RULE_ERRORS)
		return rule_unknown("not recorded: the amounts of a part");
	return rule_interval(c->op, c->n, rounded(n.least, c->n),
	    rounded(n.most, c->n), n.lacking);
}

/* Returns the first call that failed, for the reader; empty if none did. */
static struct str
first_error(struct rule_run *run)
{
	for (size_t i = 0; i < run->calls.n; i++)
		if (rule_failed(&run->calls.list[i]) == RULE_YES)
			return str_cat(run->arena, STR(", first: "),
			    rule_got_call(run, i));
	return STR("");
}

struct str
rule_got_amount(struct rule_run *run, const struct rule_claim *c)
{
	struct amount n = amount_of(run, c->form);
	static const char *const units[] = {
		[RULE_CALLS] = "calls",
		[RULE_ERRORS] = "errors",
		[RULE_TURNS] = "turns",
		[RULE_TOKENS] = "tokens",
		[RULE_COST] = "US dollars",
		[RULE_TIME] = "seconds",
	};

	return str_printf(run->arena, "%s: %s%.15g%.*s", units[c->form],
	    n.most > n.least ? "at least " : "", n.least,
	    STR_FMT(c->form == RULE_ERRORS ? first_error(run) : STR("")));
}
