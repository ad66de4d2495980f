/*
 * Rules before a call: whether the event that a hook asks about breaks a rule, for good.
 * A pass ends with that event, and looks at each event afresh, so that what an earlier one
 * broke is not taken for the event's fault. What can still be made good is open; when the
 * agent ends its turn, what is open and not made good holds the agent back.
 */
#include "check/rule/guard.h"
#include "check/got.h"

/* ---- the pass ---- */

/* The effects of an event on a claim, by the form of the claim: bits. */
enum {
	BREAKS = 1,   /* an event can break the claim for good */
	EXCEEDS = 2,  /* ... if its number is an upper limit */
	MENDS = 4,    /* what follows can make the claim hold */
	REACHES = 8,  /* ... if its number is a lower limit */
	ANSWERS = 16, /* ... if it is about the answer */
};

static const unsigned char traits[RULE_FORMS] = {
	[RULE_BEFORE] = BREAKS,
	[RULE_ONLY] = BREAKS,
	[RULE_FIRST] = BREAKS,
	[RULE_EVERY] = MENDS,
	[RULE_LAST] = MENDS,
	[RULE_COUNT] = EXCEEDS | REACHES,
	[RULE_SUM] = EXCEEDS | REACHES,
	[RULE_DISTINCT] = EXCEEDS | REACHES,
	[RULE_ROW] = EXCEEDS,
	[RULE_CALLS] = REACHES,
	[RULE_TURNS] = REACHES,
	[RULE_HAS] = ANSWERS,
	[RULE_LACKS] = ANSWERS,
	[RULE_MATCHES] = ANSWERS,
	[RULE_IS] = ANSWERS,
	[RULE_PATH] = ANSWERS,
	[RULE_GROUNDED] = ANSWERS,
};

/* Returns whether a call can break the claim for good. */
static bool
is_breakable(const struct rule_claim *c)
{
	bool upper = c->op == RULE_LE || c->op == RULE_LT ||
	    (c->op == RULE_EQ && c->form != RULE_SUM && !c->timed);

	if (c->form == RULE_CHAIN)
		return c->absent;
	if (c->form == RULE_EVERY) /* by what the response must be before */
		return c->end.n > 0 && !c->adjoins;
	return (traits[c->form] & BREAKS) != 0 ||
	    (upper && (traits[c->form] & EXCEEDS) != 0);
}

/* Returns whether events or texts that follow can make the claim hold. */
static bool
may_be_mended(const struct rule_claim *c)
{
	bool lower = c->op == RULE_GE || c->op == RULE_GT;

	if (c->form == RULE_CHAIN)
		return !c->absent;
	return (traits[c->form] & MENDS) != 0 ||
	    (lower && (traits[c->form] & REACHES) != 0) ||
	    (!c->of_prompt && (traits[c->form] & ANSWERS) != 0);
}

/* Returns the number in the whole run of the last input of the user. */
static size_t
last_input(const struct rule_run *run)
{
	size_t i = run->nsaid;

	while (i-- > 0)
		if (run->said[i].user)
			return run->calls.n + i;
	return SIZE_MAX;
}

void
rule_guard_begin(struct rule_run *run)
{
	const struct guard *g = run->view->guard;

	if (g == NULL || g->event == GUARD_STOPS)
		return;
	run->guard = g;
	run->asked = g->event == GUARD_PROMPT ? last_input(run) : g->call;
}

/* Returns whether the current event may be one of the calls, with one of the values that
 * variables are bound to. */
static bool
has(struct rule_run *run, struct rule_calls calls)
{
	const struct rule_name *name = rule_event_name(run);
	enum rule_fit best = RULE_NO;

	for (size_t i = 0; i < calls.n && best == RULE_NO; i++) {
		if (rule_name_fits(name, &calls.list[i]) == RULE_NO)
			continue;
		run->choice = run->choices = 0;
		do
			best = rule_match_call(run, name, &calls.list[i]).fit;
		while (++run->choice < run->choices && best == RULE_NO);
	}
	run->choice = 0;
	return best != RULE_NO;
}

/* Returns whether the current event may break the claim. */
static bool
concerns(struct rule_run *run, const struct rule_claim *c)
{
	if (c->form == RULE_ROW || c->form == RULE_ONLY ||
	    c->form == RULE_FIRST)
		return true;
	return has(run,
	    c->form == RULE_EVERY       ? c->end
		: c->form == RULE_CHAIN ? c->stages[c->nstages - 1]
					: c->stages[0]);
}

bool
rule_guard_aim(struct rule_run *run)
{
	const struct rule_group *g = run->group;
	bool stops = run->guard == NULL;
	size_t n = stops ? 0 : rule_events(run), busy = 0;

	/* At the end of a turn, `reached` and `at` mean nothing. */
	for (run->at = 0; run->at < n && !rule_guard_asks(run);)
		run->at++;
	run->reached = run->at < n;
	run->place = run->reached && run->moments != NULL
	    ? run->moments[run->at].start
	    : run->at;
	for (size_t i = 0; i < g->n; i++) {
		const struct rule_claim *c = g->machines[i];

		run->states[i].idle = c->alone &&
		    (stops ? !may_be_mended(c)
			   : !run->reached || !is_breakable(c) ||
				!concerns(run, c));
		busy += !run->states[i].idle;
	}
	return busy != 0;
}

void
rule_guard_step(struct rule_run *run)
{
	for (size_t i = 0; i < run->group->n; i++) {
		struct rule_state *s = &run->states[i];

		if (s->idle)
			continue;
		s->ever |= s->decided;
		s->doubted |= s->maybe;
		s->decided = s->limit;
		s->maybe = false;
		s->lacking = NULL;
	}
}

bool
rule_guard_asks(const struct rule_run *run)
{
	return run->guard != NULL &&
	    (run->numbers == NULL ? run->at : run->numbers[run->at]) ==
	    run->asked;
}

bool
rule_guard_skips(const struct rule_run *run, const struct rule_claim *c)
{
	return run->guard != NULL && c->alone && !rule_guard_asks(run) &&
	    (c->form == RULE_ONLY || c->form == RULE_BEFORE ||
		(c->form == RULE_CHAIN && c->nstages == 1));
}

bool
rule_guard_goes_on(const struct rule_run *run, struct rule_state *s)
{
	bool decided = s->decided;

	s->decided &= run->guard == NULL || s->limit;
	return decided;
}

/* ---- claims ---- */

/* The verdict on a claim after the event: TRUE and FALSE stay so whatever follows, PENDING
 * is open. */
struct verdict {
	enum rule_truth truth;
	bool by;         /* the event made it so, or may have */
	const char *why; /* UNKNOWN */
};

static const struct verdict open_yet = { .truth = RULE_PENDING };

static struct verdict
unsure(bool by, const char *why)
{
	return (struct verdict){ RULE_UNKNOWN, by, why };
}

/* Returns whether the event breaks the claim, which a machine knows. */
static enum rule_fit
breaks(struct rule_run *run, const struct rule_claim *c, struct rule_state *s)
{
	if (c->form == RULE_FIRST)
		return s->ever ? RULE_NO : rule_opposite(s->fit);
	if (c->form == RULE_SUM || c->form == RULE_DISTINCT ||
	    (c->form == RULE_COUNT && c->timed))
		return rule_guard_total(run, c, s);
	return s->decided ? RULE_YES : s->maybe ? RULE_MAYBE : RULE_NO;
}

/* Returns the verdict on a claim that wants events to happen. */
static struct verdict
of_demand(const struct rule_claim *c, const struct rule_state *s)
{
	bool enough = c->form == RULE_COUNT && c->op == RULE_GE &&
	    c->stages[0].list->binds == 0 && (double)s->sure >= c->n;

	if ((c->form == RULE_CHAIN && (s->ever || s->decided)) || enough)
		return (struct verdict){ RULE_TRUE, s->decided, NULL };
	return open_yet;
}

/* Returns whether events that the log lacks could undo what the event broke. */
static bool
depends(const struct rule_run *run, const struct rule_claim *c)
{
	return rule_is_open(run, c) && c->form != RULE_ONLY &&
	    !(c->form == RULE_CHAIN && c->end.n == 0 && !c->adjoins) &&
	    !(c->form == RULE_COUNT || c->form == RULE_DISTINCT);
}

/* Returns whether the event is one of those that must not be too many, and the log may
 * lack others of them. */
static bool
may_exceed(struct rule_run *run, const struct rule_claim *c)
{
	return run->reached && c->form == RULE_COUNT && c->op != RULE_GE &&
	    c->op != RULE_GT && rule_is_open(run, c) && has(run, c->stages[0]);
}

static struct verdict
of_calls(struct rule_run *run, const struct rule_claim *c)
{
	struct rule_state *s = &run->states[c->machine];
	enum rule_fit fit;

	if (c->calls && !run->recorded)
		return unsure(false, "not recorded: tool_sequence");
	if (s->limit)
		return unsure(true, "no verdict within the step limit");
	if (!is_breakable(c))
		return of_demand(c, s);
	fit = run->reached ? breaks(run, c, s) : RULE_NO;
	if (fit == RULE_MAYBE)
		return unsure(true, s->lacking);
	if (fit == RULE_YES && depends(run, c))
		return unsure(true, rule_events_lack(run, c).why.s);
	if (fit == RULE_YES || (s->ever && c->form != RULE_FIRST))
		return (struct verdict){ RULE_FALSE, fit == RULE_YES, NULL };
	if (may_exceed(run, c))
		return unsure(true, rule_events_lack(run, c).why.s);
	return open_yet;
}

/* Returns the verdict on an amount: the event itself only counts among the calls. */
static struct verdict
of_amount(struct rule_run *run, const struct rule_claim *c)
{
	bool upper = c->op == RULE_LE || c->op == RULE_LT;
	struct rule_outcome o;
	double n;

	if (c->form == RULE_CALLS && upper && run->reached &&
	    run->guard->call != SIZE_MAX) {
		n = (double)run->at + 1;
		if (c->op == RULE_LE ? n > c->n : n >= c->n)
			return (struct verdict){ RULE_FALSE, true, NULL };
		return open_yet;
	}
	o = rule_decide(run, c);
	return o.truth == RULE_FALSE && upper
	    ? (struct verdict){ RULE_FALSE, false, NULL }
	    : open_yet;
}

static struct verdict judge(struct rule_run *, const struct rule_claim *);

static struct verdict
of_known(struct rule_run *run, const struct rule_claim *c, bool by)
{
	struct rule_outcome o = rule_decide(run, c);

	if (o.truth > RULE_TRUE)
		return unsure(false, o.why.s);
	return (struct verdict){ o.truth, by, NULL };
}

/* Returns how much a verdict counts among those that `and` or `or` joins. */
static int
weight(const struct rule_claim *c, struct verdict v)
{
	static const int either[] = { [RULE_FALSE] = 0,
		[RULE_UNKNOWN] = 1,
		[RULE_PENDING] = 2,
		[RULE_TRUE] = 3 };
	static const int both[] = { [RULE_TRUE] = 0,
		[RULE_PENDING] = 1,
		[RULE_UNKNOWN] = 2,
		[RULE_FALSE] = 3 };

	return c->form == RULE_OR ? either[v.truth]
				  : both[v.truth] +
		(v.by && v.truth != RULE_TRUE && v.truth != RULE_PENDING) * 2;
}

/* Returns the verdict on claims that `and` or `or` joins. */
static struct verdict
of_joined(struct rule_run *run, const struct rule_claim *c)
{
	struct verdict all = judge(run, c->parts[0]);
	bool by = all.by;

	for (size_t i = 1; i < c->nparts; i++) {
		struct verdict one = judge(run, c->parts[i]);

		by |= one.by;
		if (weight(c, one) > weight(c, all))
			all = one;
	}
	all.by |= by && c->form == RULE_OR;
	return all;
}

static struct verdict
judge(struct rule_run *run, const struct rule_claim *c)
{
	struct verdict v;

	switch (rule_about(c->form)) {
	case RULE_ABOUT_CALLS:
		return of_calls(run, c);
	case RULE_ABOUT_TEXTS:
		return c->of_prompt
		    ? of_known(run, c, run->guard->event == GUARD_PROMPT)
		    : open_yet;
	case RULE_ABOUT_AMOUNTS:
		return of_amount(run, c);
	case RULE_ABOUT_RECORD:
		return of_known(run, c, false);
	case RULE_ABOUT_JUDGE:
		return open_yet;
	case RULE_ABOUT_CLAIMS:
		break;
	}
	if (c->form != RULE_NOT)
		return of_joined(run, c);
	v = judge(run, c->parts[0]);
	if (v.truth <= RULE_TRUE)
		v.truth = v.truth == RULE_TRUE ? RULE_FALSE : RULE_TRUE;
	return v;
}

/* Returns the verdict on a rule: that on its claim, as far as its condition holds. */
static struct verdict
of_rule(struct rule_run *run, const struct rule_want *w)
{
	struct verdict claim = judge(run, w->claim), condition;

	if (w->condition == NULL || claim.truth == RULE_TRUE)
		return claim;
	condition = judge(run, w->condition);
	if (condition.truth == RULE_UNKNOWN && claim.truth != RULE_PENDING)
		return unsure(condition.by || claim.by, condition.why);
	if (condition.truth != RULE_TRUE)
		return open_yet;
	claim.by |= condition.by;
	return claim;
}

/* ---- when the agent ends its turn ---- */

/* Returns whether a claim that does not hold can still be made good. */
static bool
is_mendable(struct rule_run *run, const struct rule_claim *c)
{
	bool part = false;

	for (size_t i = 0; i < c->nparts && c->form != RULE_NOT; i++)
		part |= is_mendable(run, c->parts[i]);
	return (part || may_be_mended(c)) &&
	    rule_decide(run, c).truth == RULE_FALSE;
}

static struct guard_finding
at_end(struct rule_run *run, const struct rule_want *w)
{
	if ((w->condition != NULL &&
		rule_decide(run, w->condition).truth != RULE_TRUE) ||
	    !is_mendable(run, w->claim))
		return (struct guard_finding){ .found = GUARD_FINE };
	return (struct guard_finding){ GUARD_BROKEN,
		rule_got(run, w->claim, false) };
}

/* ---- findings ---- */

/* Returns what the event did. A rule of several claims does not say which of them the
 * event breaks. */
static struct str
got(struct rule_run *run, const struct rule_want *w)
{
	if (rule_about(w->claim->form) == RULE_ABOUT_TEXTS)
		return rule_got(run, w->claim, false);
	if (rule_about(w->claim->form) == RULE_ABOUT_CALLS &&
	    run->states[w->claim->machine].decided)
		return rule_got(run, w->claim, false);
	return run->reached ? rule_got_call(run, run->at) : STR("");
}

static struct guard_finding
before_event(struct rule_run *run, const struct rule_want *w)
{
	struct verdict v = of_rule(run, w);

	if (v.truth == RULE_FALSE && v.by)
		return (struct guard_finding){ GUARD_BROKEN, got(run, w) };
	if (v.truth == RULE_UNKNOWN && v.by)
		return (struct guard_finding){ GUARD_UNDECIDED, str_of(v.why) };
	return (struct guard_finding){ .found = GUARD_FINE };
}

struct guard_finding
rule_guard(const void *want, struct view *v)
{
	const struct rule_want *w = want;
	struct rule_run *run = rule_run_of(w->group, v);
	bool stops = v->guard->event == GUARD_STOPS;
	struct guard_finding all = { .found = GUARD_FINE };

	if (w->group->per == RULE_PER_RUN)
		return (stops ? at_end : before_event)(run, w);
	for (size_t i = 0; i < run->nparts; i++) {
		struct rule_run *part = &run->parts[i];
		bool last =
		    w->group->per == RULE_PER_AGENT || i + 1 == run->nparts;
		struct guard_finding one = all;

		if (stops ? last : part->reached)
			one = (stops ? at_end : before_event)(part, w);
		if (one.found > all.found)
			all = one;
	}
	return all;
}
