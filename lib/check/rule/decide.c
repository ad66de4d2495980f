/* Kind rule: claims about calls, answers and amounts, and what joins them. */
#include "check/rule/guard.h"

struct rule_outcome
rule_unknown(const char *why)
{
	return (
	    struct rule_outcome){ .truth = RULE_UNKNOWN, .why = str_of(why) };
}

struct rule_outcome
rule_interval(
    enum rule_op op, double n, double least, double most, const char *lacking)
{
	enum rule_truth low = RULE_UNKNOWN;

	switch (op) {
	case RULE_LT:
		low = most < n ? RULE_TRUE : least >= n ? RULE_FALSE : low;
		break;
	case RULE_LE:
		low = most <= n ? RULE_TRUE : least > n ? RULE_FALSE : low;
		break;
	case RULE_GT:
		low = least > n ? RULE_TRUE : most <= n ? RULE_FALSE : low;
		break;
	case RULE_GE:
		low = least >= n ? RULE_TRUE : most < n ? RULE_FALSE : low;
		break;
	case RULE_EQ:
	case RULE_NE:
		if (n < least || n > most)
			low = op == RULE_EQ ? RULE_FALSE : RULE_TRUE;
		else if (least == most)
			low = op == RULE_EQ ? RULE_TRUE : RULE_FALSE;
	}
	return low == RULE_UNKNOWN ? rule_unknown(lacking)
				   : (struct rule_outcome){ .truth = low };
}

/* ---- deciding ---- */

/* Returns the value that decides the whole if a part has it. */
static enum rule_truth
deciding(const struct rule_claim *c)
{
	return c->form == RULE_OR ? RULE_TRUE : RULE_FALSE;
}

/* Returns whether the outcome of a part counts more than another's. */
static bool
weighs_more(const struct rule_claim *c, enum rule_truth a, enum rule_truth b)
{
	static const int weights[] = {
		[RULE_PENDING] = 1, [RULE_UNKNOWN] = 2, [RULE_LIMIT] = 3
	};

	if (b == deciding(c))
		return false;
	return a == deciding(c) || weights[a] > weights[b];
}

/* Not inlined, so that most claims, which have no parts, take few instructions. */
static __attribute__((noinline)) struct rule_outcome
joined(struct rule_run *run, const struct rule_claim *c)
{
	struct rule_outcome all = { .truth = c->form == RULE_OR ? RULE_FALSE
								: RULE_TRUE };

	if (c->form == RULE_NOT)
		return rule_negated(rule_decide(run, c->parts[0]));
	for (size_t i = 0; i < c->nparts && all.truth != deciding(c); i++) {
		struct rule_outcome one = rule_decide(run, c->parts[i]);

		if (weighs_more(c, one.truth, all.truth))
			all = one;
	}
	return all;
}

static struct rule_outcome
asked(struct rule_run *run, const struct rule_claim *c)
{
	struct check_result r = check_run(c->judge, run->view);

	if (r.status != STATUS_PENDING)
		return (struct rule_outcome){ .truth = RULE_UNKNOWN,
			.why = r.reason };
	return (
	    struct rule_outcome){ .truth = RULE_PENDING, .folder = r.folder };
}

static struct rule_outcome
decide_trace(struct rule_run *run, const struct rule_claim *c)
{
	const char *lacking = NULL;
	enum rule_fit fit = rule_trace_holds(run, c->cond, &lacking);

	return fit == RULE_MAYBE ? rule_unknown(lacking)
				 : rule_known(fit == RULE_YES);
}

enum rule_about
rule_about(enum rule_form form)
{
	if (form <= RULE_LAST_OF_CALLS)
		return RULE_ABOUT_CALLS;
	if (form <= RULE_LAST_OF_TEXTS)
		return RULE_ABOUT_TEXTS;
	if (form <= RULE_LAST_OF_AMOUNTS)
		return RULE_ABOUT_AMOUNTS;
	return form == RULE_TRACE ? RULE_ABOUT_RECORD
	    : form == RULE_JUDGE  ? RULE_ABOUT_JUDGE
				  : RULE_ABOUT_CLAIMS;
}

struct rule_outcome
rule_decide(struct rule_run *run, const struct rule_claim *c)
{
	switch (rule_about(c->form)) {
	case RULE_ABOUT_CALLS:
		return rule_decide_calls(run, c);
	case RULE_ABOUT_TEXTS:
		return rule_decide_text(run, c);
	case RULE_ABOUT_AMOUNTS:
		return rule_decide_amount(run, c);
	case RULE_ABOUT_RECORD:
		return decide_trace(run, c);
	case RULE_ABOUT_JUDGE:
		return asked(run, c);
	case RULE_ABOUT_CLAIMS:
		break;
	}
	return joined(run, c);
}

/* ---- how much was judged ---- */

static inline size_t
calls_judged(const struct rule_run *run, const struct rule_claim *c)
{
	bool demands = (c->form == RULE_CHAIN && !c->absent) ||
	    (c->form == RULE_COUNT && c->op != RULE_LE && c->n > 0);
	size_t n;

	if (c->form == RULE_BEFORE || c->form == RULE_EVERY ||
	    c->form == RULE_SUM || c->form == RULE_DISTINCT ||
	    (c->form == RULE_CHAIN && c->absent && c->nstages > 1))
		return run->states[c->machine].applied;
	n = c->calls ? run->calls.n : 0;
	for (size_t i = 0; c->texts && i < run->nsaid; i++)
		n += run->said[i].user ? c->hears : c->says;
	return n == 0 && demands ? 1 : n;
}

static size_t judged_by(const struct rule_run *, const struct rule_claim *);

static __attribute__((noinline)) size_t
judged_by_parts(const struct rule_run *run, const struct rule_claim *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->nparts; i++)
		n += judged_by(run, c->parts[i]);
	return n;
}

/* Returns how many events a claim, which is decided, judged: the calls that it is
 * about, or looks at; of any other claim the text or the amount. */
static size_t
judged_by(const struct rule_run *run, const struct rule_claim *c)
{

	switch (rule_about(c->form)) {
	case RULE_ABOUT_CALLS:
		return calls_judged(run, c);
	case RULE_ABOUT_TEXTS:
	case RULE_ABOUT_AMOUNTS:
	case RULE_ABOUT_RECORD:
	case RULE_ABOUT_JUDGE:
		return 1;
	case RULE_ABOUT_CLAIMS:
		break;
	}
	return judged_by_parts(run, c);
}

/* ---- the kind ---- */

static struct finding
undecided(
    const struct rule_outcome *o, const struct rule_want *w, struct arena *a)
{
	if (o->truth == RULE_PENDING)
		return (struct finding){ .found = FOUND_PENDING,
			.folder = o->folder };
	if (o->truth == RULE_LIMIT)
		return finding_why(FOUND_ERROR,
		    str_cat(a, STR("no verdict within the step limit: "),
			w->written));
	return finding_skip(o->why);
}

/* Returns the finding of a condition that does not surely hold. */
static struct finding
unmet(const struct rule_want *w, const struct rule_outcome *o, struct arena *a)
{
	if (o->truth != RULE_FALSE)
		return undecided(o, w, a);
	return (struct finding){
		.found = FOUND_SKIP, .skipped_by = "if", .why = w->unmet
	};
}

/* Decides the rule in a run, or in a part of a run. */
static struct finding
find_in(struct rule_run *run, const struct rule_want *w)
{
	struct finding f = { 0 };
	struct rule_outcome o;

	if (w->condition != NULL) {
		o = rule_decide(run, w->condition);
		if (o.truth != RULE_TRUE)
			return unmet(w, &o, run->arena);
	}
	o = rule_decide(run, w->claim);
	if (o.truth > RULE_TRUE)
		f = undecided(&o, w, run->arena);
	else
		f.found = o.truth == RULE_TRUE ? FOUND_YES : FOUND_NO;
	if (f.found != FOUND_SKIP && f.found != FOUND_ERROR)
		f.seen = judged_by(run, w->claim);
	return f;
}

/* Returns whether the claim is decided quickly, since others may be decided once more. */
static bool
is_quick(const struct rule_want *w)
{
	enum rule_form form = w->claim->form;
	enum rule_about about = rule_about(form);

	return w->condition == NULL && w->group->per == RULE_PER_RUN &&
	    (about == RULE_ABOUT_CALLS || about == RULE_ABOUT_AMOUNTS ||
		form == RULE_HAS || form == RULE_LACKS);
}

static bool
holds(const void *want, struct view *v, size_t *seen)
{
	const struct rule_want *w = want;
	const struct rule_claim *c = w->claim;
	struct rule_run *run;

	if (!w->quick)
		return false;
	run = rule_run_of(w->group, v);
	if (c->form > RULE_LAST_OF_CALLS) {
		*seen = 1;
		return rule_decide(run, c).truth == RULE_TRUE;
	}
	*seen = calls_judged(run, c);
	return rule_holds_surely(run, c) ||
	    rule_decide_calls(run, c).truth == RULE_TRUE;
}

/* Returns how much the finding of a part counts: a failure most, and a part in which
 * the condition does not hold least. */
static int
weight(const struct finding *f)
{
	if (f->found == FOUND_NO)
		return 4;
	if (f->found == FOUND_ERROR)
		return 3;
	if (f->found == FOUND_YES)
		return 1;
	return f->skipped_by != NULL ? 0 : 2;
}

/* Decides the rule in each part of the run. Sets *where to the part that decides. */
static struct finding
find_in_parts(
    struct rule_run *run, const struct rule_want *w, struct rule_run **where)
{
	struct finding all = { .found = FOUND_SKIP,
		.skipped_by = "if",
		.why = STR("the run has no such part") };
	size_t seen = 0;

	if (run->unparted != NULL)
		return finding_skip(str_of(run->unparted));
	for (size_t i = 0; i < run->nparts; i++) {
		struct finding f = find_in(&run->parts[i], w);

		seen += f.seen;
		if (i == 0 || weight(&f) > weight(&all)) {
			all = f;
			*where = &run->parts[i];
		}
	}
	if (all.found == FOUND_YES && rule_may_lack(run) &&
	    w->group->per != RULE_PER_TURN) /* others may be missing */
		all = finding_skip(rule_calls_lack(run).why);
	all.seen = all.found == FOUND_SKIP ? 0 : seen;
	return all;
}

static struct finding
decide_find(const void *want, struct view *v)
{
	const struct rule_want *w = want;
	struct rule_run *run = rule_run_of(w->group, v);

	return w->group->per == RULE_PER_RUN ? find_in(run, w)
					     : find_in_parts(run, w, &run);
}

static void
patterns(const void *want, check_pattern *each, void *arg)
{
	const struct rule_want *w = want;

	for (size_t i = 0; i < w->nregexes; i++)
		each(w->regexes[i], arg);
}

static void
release(const void *want)
{
	const struct rule_want *w = want;

	for (size_t i = 0; i < w->npaths; i++)
		jsonpath_free(w->paths[i]);
}

const struct rule_claim *
rule_judged(const struct rule_claim *c)
{
	const struct rule_claim *found = NULL;

	if (c->form == RULE_JUDGE)
		return c;
	for (size_t i = 0; i < c->nparts && found == NULL; i++)
		found = rule_judged(c->parts[i]);
	return found;
}

static void
ask(const void *want, bool folder, struct out *o)
{
	const struct rule_want *w = want;
	const struct rule_claim *c = rule_judged(w->claim);

	if (c != NULL)
		c->judge->kind->ask(c->judge->want, folder, o);
}

static void
explain(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	const struct rule_want *w = c->want;
	struct rule_run *run;

	(void)f;
	if (r->status != STATUS_FAILED)
		return;
	run = rule_run_of(w->group, v);
	if (w->group->per != RULE_PER_RUN)
		(void)find_in_parts(run, w, &run);
	r->got = rule_got(run, w->claim, false);
}

struct rule_group *
rule_group_new(struct rule_program *p)
{
	struct rule_group *g = arena_new(p->arena, struct rule_group);

	g->program = p;
	g->number = p->ngroups++;
	return g;
}

struct rule_group *
rule_group_per(struct rule_group *section, enum rule_per per)
{
	struct rule_group *g = section->others[per];

	if (per == RULE_PER_RUN)
		return section;
	if (g == NULL) {
		section->others[per] = g = rule_group_new(section->program);
		g->per = per;
		g->asks = RULE_ASKS_TEXTS | RULE_ASKS_RESULTS |
		    (per == RULE_PER_AGENT ? RULE_ASKS_AGENTS : 0U);
	}
	return g;
}

const char *
rule_per_name(enum rule_per per)
{
	static const char *const names[RULE_PERS] = {
		[RULE_PER_RUN] = "run",
		[RULE_PER_TURN] = "turn",
		[RULE_PER_AGENT] = "agent",
		[RULE_PER_MESSAGE] = "message",
	};

	return names[per];
}

/* Notes what kinds of events the claim is about, and what it asks of them. */
static void
describe(struct rule_group *g, struct rule_claim *c, struct rule_calls calls)
{
	for (size_t i = 0; i < calls.n; i++)
		for (const struct rule_call *call = &calls.list[i];
		     call != NULL; call = call->after) {
			bool text = call->kind != RULE_IS_CALL;

			c->calls |= !text;
			c->texts |= text;
			c->says |= call->kind == RULE_IS_SAID;
			c->hears |= call->kind == RULE_IS_USER;
			c->adjoins |= call->just;
			c->chooses |= call->chooses;
			g->texts |= text;
			if (text)
				g->asks |= RULE_ASKS_TEXTS;
			if (call->late && c->nstages > 1)
				g->asks |= RULE_ASKS_RESULTS;
			for (size_t k = 0; k < call->nconds; k++)
				if (call->conds[k].test == RULE_UNSEEN)
					g->asks |= RULE_ASKS_RESULTS;
		}
}

void
rule_group_add(struct rule_group *g, struct rule_claim *c)
{
	struct arena *a = g->program->arena;
	size_t n = g->n;

	for (size_t i = 0; i < c->nstages; i++)
		describe(g, c, c->stages[i]);
	describe(g, c, c->end);
	c->windowed = c->adjoins || c->timed || c->end.n > 0;
	g->asks |= (c->adjoins ? RULE_ASKS_AGENTS : 0U) |
	    (c->timed ? RULE_ASKS_TIMES : 0U);
	arena_push(a, g->fresh, n)->call = SIZE_MAX;
	g->fresh[g->n].other = SIZE_MAX;
	c->machine = g->n;
	*arena_push(a, g->machines, g->n) = c;
}

struct check
rule_check(struct arena *a, struct rule_want want)
{
	static const struct check_kind kind = {
		.name = "rule",
		.find = decide_find,
		.holds = holds,
		.show = rule_show,
		.patterns = patterns,
		.release = release,
		.ask = ask,
		.guard = rule_guard,
		.counts = true,
	};
	struct check c;

	want.quick = is_quick(&want);
	if (want.condition != NULL)
		want.unmet =
		    str_cat(a, STR("not met: if "), want.condition->written);
	else if (rule_about(want.claim->form) == RULE_ABOUT_CALLS)
		want.group->machines[want.claim->machine]->alone = true;
	c = check_new(a, &kind, &want, sizeof want, 0);
	c.explain = explain;
	c.after_error = AFTER_ERROR_MAY_FAIL;
	return c;
}
