/* Says what was there in place of what a rule wants: calls with their arguments
 * and places; for an absence, what was called. */
#include "check/rule/run.h"

#include "base/suggest.h"
#include "check/got.h"

struct str
rule_got_call(struct rule_run *run, size_t call)
{
	const struct rule_text *t = rule_text_at(run, call);

	if (t == NULL)
		return got_call(
		    run->view, run->whole == NULL ? call : run->numbers[call]);
	return got_text(run->view, t->user ? "user" : "said",
	    json_text(t->text, run->arena), t->step, t->turn);
}

/* ---- absences ---- */

/* Returns the last call whose tool is one of the description's; SIZE_MAX: there
 * is none. */
static size_t
last_named(struct rule_run *run, const struct rule_call *call)
{
	size_t i = run->calls.n;

	while (i-- > 0)
		if (rule_name_fits(rule_name_of(run->group->program, run->view,
				       &run->calls.list[i]),
			call) != RULE_NO)
			return i;
	return SIZE_MAX;
}

/* Returns what comes nearest to a call that is missing: a call of the tool that
 * does not meet the conditions, if such calls are `shown`, or else the nearest name
 * that was called. */
static struct str
nearest(struct rule_run *run, const struct rule_call *call, bool shown)
{
	struct suggest best = { 0 };
	size_t last = last_named(run, call);
	struct str text;

	if (call->kind != RULE_IS_CALL)
		return STR("");
	if (last != SIZE_MAX && (call->nconds == 0 || !shown))
		return STR("");
	if (last != SIZE_MAX) {
		text = rule_got_call(run, last);
		return str_printf(
		    run->arena, " (the last call: %.*s)", STR_FMT(text));
	}
	for (size_t i = 0; i < call->nglobs; i++) {
		struct suggest near = suggest_for(call->globs[i]);

		for (size_t k = 0; k < run->calls.n; k++) {
			const struct trace_call *c = &run->calls.list[k];

			if (k > 0 && str_eq(c->tool, c[-1].tool))
				continue;
			suggest_try(&near, c->tool);
			if (c->name.s != NULL)
				suggest_try(&near, c->name);
		}
		if (near.best.s != NULL)
			best = near;
	}
	return str_of(suggest_text(&best, run->arena));
}

/* Returns the chain that ends with the event, as the rule has it. */
static struct str
chain_written(struct rule_run *run, const struct rule_call *last)
{
	struct str before;

	if (last->after == NULL)
		return last->written;
	before = chain_written(run, last->after);
	return str_printf(run->arena, "%.*s then %s%.*s", STR_FMT(before),
	    last->just ? "just " : "", STR_FMT(last->written));
}

static struct str
missing(struct rule_run *run, struct rule_calls calls, bool shown)
{
	struct arena *a = run->arena;
	struct str *list = arena_new_n(a, struct str, calls.n);

	for (size_t i = 0; i < calls.n; i++)
		list[i] = str_cat(a, chain_written(run, &calls.list[i]),
		    nearest(run, &calls.list[i], shown));
	return str_join(a, list, calls.n, STR(", "));
}

/* ---- claims about calls ---- */

/* Returns the calls of the longest beginning of a chain. */
static const struct rule_entry *
longest(const struct rule_claim *c, const struct rule_state *s, size_t *stage)
{
	for (*stage = c->nstages - 1; *stage > 0; (*stage)--) {
		const struct rule_entry *e = s->bags == NULL
		    ? NULL
		    : rule_bag_best(&s->bags[*stage - 1]);

		if (e != NULL)
			return e;
	}
	return NULL;
}

static struct str
got_no_chain(struct rule_run *run, const struct rule_claim *c)
{
	const struct rule_state *s = &run->states[c->machine];
	struct arena *a = run->arena;
	size_t stage;
	const struct rule_entry *e = longest(c, s, &stage);
	struct str called = got_tools(run->calls, a);
	struct str lacks = missing(run, c->stages[stage], true), last;

	if (e == NULL)
		return str_printf(
		    a, "%.*s; no %.*s", STR_FMT(called), STR_FMT(lacks));
	last = rule_got_call(run, e->call);
	return str_printf(a, "%.*s, then no %.*s; in all %.*s", STR_FMT(last),
	    STR_FMT(lacks), STR_FMT(called));
}

static struct str
got_chain(struct rule_run *run, const struct rule_claim *c)
{
	const struct rule_state *s = &run->states[c->machine];
	struct str call = rule_got_call(run, s->call), other;

	if (s->other == SIZE_MAX)
		return call;
	other = rule_got_call(run, s->other);
	return str_printf(
	    run->arena, "%.*s after %.*s", STR_FMT(call), STR_FMT(other));
}

/* Returns the limits of a claim as the rule has them, behind a blank. */
static struct str
limits(struct rule_run *run, const struct rule_claim *c)
{
	static const char *const words[RULE_FORMS] = {
		[RULE_CHAIN] = "until",
		[RULE_BEFORE] = "since",
		[RULE_EVERY] = "before",
	};
	struct out o;

	out_open_memory(&o);
	if (c->end.n > 0)
		out_printf(&o, " %s %.*s", words[c->form],
		    STR_FMT(c->end.list->written));
	if (c->timed)
		out_printf(&o, " within %.*s", STR_FMT(c->text));
	return out_keep(&o, run->arena);
}

/* Returns the event that the claim needs others for, and that they are not
 * there. */
static struct str
got_alone(struct rule_run *run, const struct rule_claim *c, const char *where)
{
	const struct rule_state *s = &run->states[c->machine];
	struct str event = rule_got_call(run, s->call), limit = limits(run, c);
	struct str *list = arena_new_n(run->arena, struct str, c->nstages);
	struct str lacks;
	bool just = c->stages[0].list->just || c->stages[1].list->just;

	for (size_t i = 1; i < c->nstages; i++)
		list[i - 1] = missing(run, c->stages[i], false);
	lacks = str_join(run->arena, list, c->nstages - 1, STR(" then "));
	return str_printf(run->arena, "%.*s, with no %.*s %s%s it%.*s",
	    STR_FMT(event), STR_FMT(lacks), just ? "just " : "", where,
	    STR_FMT(limit));
}

static struct str
got_count(struct rule_run *run, const struct rule_claim *c)
{
	const struct rule_state *s = &run->states[c->machine];
	const char *which = c->form == RULE_ROW ? " in a row"
	    : c->timed                          ? " within the time"
	    : c->stages[0].list[0].binds != 0   ? " with one value"
						: "";
	struct str call;

	if (s->call == SIZE_MAX)
		return str_cat(run->arena,
		    c->calls ? STR("0 calls; ") : STR("0 texts; "),
		    got_tools(run->calls, run->arena));
	call = rule_got_call(run, s->call);
	return str_printf(run->arena, "%zu %s%s%s, among them %.*s", s->sure,
	    c->calls ? "call" : "text", s->sure == 1 ? "" : "s", which,
	    STR_FMT(call));
}

static struct str
got_total(struct rule_run *run, const struct rule_claim *c)
{
	const struct rule_state *s = &run->states[c->machine];
	bool sum = c->form == RULE_SUM;
	struct str text = str_printf(run->arena, "%s%.15g%s",
	    sum ? "the sum is " : "", s->total,
	    sum                   ? ""
		: s->total == 1.0 ? " value"
				  : " different values");

	if (s->call == SIZE_MAX)
		return text;
	return str_printf(run->arena, "%.*s, with %.*s", STR_FMT(text),
	    STR_FMT(rule_got_call(run, s->call)));
}

static struct str
got_calls(struct rule_run *run, const struct rule_claim *c, bool holds)
{
	if (c->form == RULE_FIRST || c->form == RULE_LAST)
		return run->states[c->machine].call == SIZE_MAX
		    ? missing(run, c->stages[0], false)
		    : rule_got_call(run, run->states[c->machine].call);
	if (c->form == RULE_CHAIN)
		return run->states[c->machine].decided ? got_chain(run, c)
						       : got_no_chain(run, c);
	if (c->form == RULE_COUNT || c->form == RULE_ROW)
		return got_count(run, c);
	if (c->form == RULE_SUM || c->form == RULE_DISTINCT)
		return got_total(run, c);
	if (holds)
		return got_tools(run->calls, run->arena);
	if (c->form == RULE_BEFORE)
		return got_alone(run, c, "before");
	if (c->form == RULE_EVERY)
		return got_alone(run, c, "after");
	if (c->form == RULE_SAME)
		return rule_got_same(run, c);
	return rule_got_call(run, run->states[c->machine].call);
}

/* ---- all claims ---- */

/* Joins what each part got that has this truth. */
static struct str
got_parts(struct rule_run *run, const struct rule_claim *c, bool holds)
{
	struct str_list got = { 0 };

	for (size_t i = 0; i < c->nparts; i++) {
		struct rule_outcome o = rule_decide(run, c->parts[i]);

		if (o.truth == (holds ? RULE_TRUE : RULE_FALSE))
			str_list_add(run->arena, &got,
			    rule_got(run, c->parts[i], holds));
		if (got.n != 0 && holds == (c->form == RULE_OR))
			break;
	}
	return str_join(run->arena, got.list, got.n, STR("; "));
}

static struct str
got_trace(struct rule_run *run, const struct rule_claim *c)
{
	const struct json **list;

	if (rule_trace_subjects(run, c->cond, &list) == 0 || list[0] == NULL)
		return STR("nothing");
	return list[0]->text;
}

struct str
rule_got(struct rule_run *run, const struct rule_claim *c, bool holds)
{
	switch (rule_about(c->form)) {
	case RULE_ABOUT_CALLS:
		return got_calls(run, c, holds);
	case RULE_ABOUT_TEXTS:
		return rule_got_text(run, c, holds);
	case RULE_ABOUT_AMOUNTS:
		return rule_got_amount(run, c);
	case RULE_ABOUT_RECORD:
		return got_trace(run, c);
	case RULE_ABOUT_JUDGE:
		return STR("");
	case RULE_ABOUT_CLAIMS:
		break;
	}
	return c->form == RULE_NOT ? rule_got(run, c->parts[0], !holds)
				   : got_parts(run, c, holds);
}
