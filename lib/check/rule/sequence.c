/*
 * Claims about the order of events: chains, and what must be before or after. What was
 * found so far is kept in bags: the events that may still become part of a chain or,
 * for EVERY, those that wait. What ends a wait (`since`, `until`, `before`) is noted
 * in the entries that are there when it happens.
 */
#include "check/rule/guard.h"

#include <math.h>

/* The current event, at one machine. */
struct here {
	struct rule_run *run;
	const struct rule_name *name;
	const struct rule_claim *claim;
	struct rule_state *state;
};

/* Counts the current event, once for all values of variables, as one that the claim is
 * about. */
static void
count_applied(struct here *h)
{
	h->state->applied += h->run->choice == 0;
}

/* ---- variables ---- */

static unsigned
named_by(struct rule_calls calls)
{
	unsigned bits = 0;

	for (size_t i = 0; i < calls.n; i++)
		for (const struct rule_call *c = &calls.list[i]; c != NULL;
		     c = c->after)
			bits |= c->binds | c->uses;
	return bits;
}

/* Returns the variables that stages from this one on name. */
static unsigned
needed_from(const struct rule_claim *c, size_t stage)
{
	unsigned bits = named_by(c->end);

	for (size_t i = stage; i < c->nstages; i++)
		bits |= named_by(c->stages[i]);
	return bits;
}

/* Returns the variables that matter to what follows a call in a bag. */
static unsigned
needed_behind(const struct rule_claim *c, const struct rule_call *call)
{
	bool is_stage = c->form == RULE_CHAIN && (!c->absent || call->bag == 0);

	return needed_from(c, is_stage ? call->bag + 1 : 0);
}

/* ---- what is between two events ---- */

/* Returns whether a call of the agent of this event (the entry's or the current one)
 * starts between the two. */
static bool
is_parted(struct rule_run *run, const struct rule_entry *e, size_t event)
{
	size_t agent = rule_moment_of(run, event).agent;

	return run->lasts[agent] > rule_moment_of(run, e->call).start + 1;
}

/* Returns whether the current event is near enough to the other one. */
static enum rule_fit
in_time(struct rule_run *run, const struct rule_claim *c, size_t other)
{
	double from = rule_moment_of(run, other).seconds,
	       to = rule_moment_of(run, run->at).seconds;

	if (isnan(from) || isnan(to))
		return RULE_MAYBE;
	return to - from <= c->within + 1e-9 ? RULE_YES : RULE_NO;
}

/* Returns the event that waits for the chain of the entry. */
static struct rule_entry *
first_of(struct rule_entry *e)
{
	while (e->before != NULL)
		e = e->before;
	return e;
}

/* Returns whether an event ended the entry's wait for the current one, whose scan this
 * is. */
static enum rule_fit
was_ended(struct rule_scan *scan, const struct rule_entry *e)
{
	const char *lacking = scan->lacking;
	enum rule_fit worst = e->ended;

	for (const struct rule_entry *end = e->ends;
	     end != NULL && worst != RULE_YES; end = end->next) {
		enum rule_fit fit =
		    rule_least(end->bound.fit, rule_scan_fit(scan, end));

		scan->run->work++;
		worst = rule_most(worst, fit);
		if (fit == RULE_MAYBE && lacking == NULL)
			lacking = scan->lacking;
	}
	scan->lacking = lacking;
	return worst;
}

/* Notes that no response to the entry, which waits, can come any more. */
static void
lose(struct here *h, struct rule_entry *e)
{
	struct rule_state *s = h->state;

	if (e->bound.fit == RULE_YES) {
		s->decided = true;
		s->call = e->call;
		return;
	}
	rule_doubt(s, e->bound.lacking);
	rule_bag_drop(s->bags, e, h->run->arena);
}

/* Returns how the claim's limits let the current event, a `call`, follow the entry of
 * the scan. `is_last`: the event is the other end of the wait. */
static enum rule_fit
limited(struct here *h, const struct rule_call *call, struct rule_scan *scan,
    struct rule_entry *e, bool is_last)
{
	const struct rule_claim *c = h->claim;
	bool every = c->form == RULE_EVERY;
	enum rule_fit fit = RULE_YES;
	const char *lacking = e->bound.lacking;

	if (!c->windowed)
		return fit;
	if (call->just && is_parted(h->run, e, e->call)) {
		if (every && h->claim->nbags == 1)
			lose(h, e);
		return RULE_NO;
	}
	if (call->just && is_parted(h->run, e, h->run->at))
		return RULE_NO;
	if (!is_last)
		return fit;
	if (c->timed)
		fit = in_time(h->run, c, every ? first_of(e)->call : e->call);
	if (fit == RULE_MAYBE)
		lacking = "not recorded: the time of a call or text";
	fit = rule_least(fit, rule_opposite(was_ended(scan, e)));
	if (fit == RULE_MAYBE && scan->lacking == NULL)
		scan->lacking = lacking;
	return fit;
}

/* ---- entries ---- */

/* Adds the entry to the call's bag when the event has happened; where other events may
 * end its wait, at once, since these are those that start later. */
static void
add(struct here *h, const struct rule_call *call, struct rule_entry *e)
{
	struct rule_run *run = h->run;
	struct rule_bag *bag = &h->state->bags[call->bag];
	struct rule_moment m = rule_moment_of(run, e->call);
	struct rule_later *later, **link;

	e->done = call->late ? m.done : m.start;
	if (e->done <= run->place || h->claim->end.n > 0) {
		rule_bag_add(run, h->claim, bag, e);
		return;
	}
	later = arena_new(run->arena, struct rule_later);
	for (link = &run->later;
	     *link != NULL && (*link)->entry->done < e->done;)
		link = &(*link)->next;
	*later = (struct rule_later){ *link, h->claim, bag, e };
	*link = later;
}

void
rule_add_later(struct rule_run *run)
{
	for (struct rule_later *l = run->later;
	     l != NULL && l->entry->done < run->place; l = l->next) {
		rule_bag_add(run, l->claim, l->bag, l->entry);
		run->later = l->next;
	}
}

/* Keeps the current event, behind what the entry (NULL: none) has. */
static void
keep(struct here *h, const struct rule_call *call, const struct rule_match *m,
    struct rule_entry *before)
{
	unsigned needed = needed_behind(h->claim, call);
	struct rule_entry *e;

	if (needed == 0 && !h->claim->windowed &&
	    h->claim->form != RULE_EVERY &&
	    rule_bag_is_settled(&h->state->bags[call->bag]))
		return;
	e = rule_entry_join(h->run, call, m, before, needed);
	add(h, call, e);
}

typedef void follower(struct here *, const struct rule_call *,
    const struct rule_match *, struct rule_entry *);

/* Returns whether no later event of the call adds to what the current one does: the
 * call has no variables, and what follows may be at any time. */
static bool
is_enough(const struct here *h, const struct rule_call *call)
{
	return call->binds == 0 && call->uses == 0 && !h->claim->adjoins &&
	    !(call->late && rule_moments(h->run) != NULL) &&
	    (h->claim->form == RULE_EVERY || !h->claim->windowed);
}

/* Returns whether the current event may be one that ends waits. */
static bool
is_end(const struct here *h)
{
	struct rule_calls ends = h->claim->end;
	bool is = false;

	for (size_t i = 0; i < ends.n && !is; i++)
		is = rule_match_call(h->run, h->name, &ends.list[i]).fit !=
		    RULE_NO;
	return is;
}

/* Uses the current event with the entry of the scan, if the event goes with it. An event
 * that is also an end does not end its own wait, so that it may be enough where an
 * earlier one is not. */
static void
follow_entry(struct here *h, struct rule_scan *scan, struct rule_entry *e,
    bool is_last, follower *use)
{
	const struct rule_call *call = scan->call;
	bool every = h->claim->form == RULE_EVERY;
	struct rule_match joined = *scan->match;

	if (every && first_of(e)->gone)
		rule_bag_drop(scan->bag, e, h->run->arena);
	if (e->gone || (e->advanced && !is_end(h)))
		return;
	joined.fit = rule_least(limited(h, call, scan, e, is_last),
	    rule_least(joined.fit, scan->fit));
	if (!every || e->before != NULL)
		joined.fit = rule_least(joined.fit, e->bound.fit);
	if (joined.fit == RULE_NO)
		return;
	if (joined.lacking == NULL)
		joined.lacking = scan->lacking;
	use(h, call, &joined, e);
	if (joined.fit != RULE_YES || !is_enough(h, call) ||
	    (is_last && h->run->guard != NULL))
		return;
	if (!every || (!is_last && e->before != NULL && h->claim->end.n == 0))
		rule_bag_drop(scan->bag, e, h->run->arena);
	else if (!is_last)
		e->advanced = true;
}

/* Uses the current event with each entry of the bag `from` that it goes with; NULL: by
 * itself. */
static void
follow(struct here *h, const struct rule_call *call, struct rule_bag *from,
    bool is_last, follower *use)
{
	struct rule_match m;
	struct rule_scan scan;
	struct rule_entry *e;

	if (rule_name_fits(h->name, call) == RULE_NO)
		return;
	m = rule_match_call(h->run, h->name, call);
	if (m.fit == RULE_NO)
		return;
	if (from == NULL) {
		if (h->claim->form == RULE_CHAIN)
			count_applied(h);
		use(h, call, &m, NULL);
		return;
	}
	scan = (struct rule_scan){
		.run = h->run, .bag = from, .match = &m, .call = call
	};
	while (!h->state->decided && (e = rule_scan_next(&scan)) != NULL)
		follow_entry(h, &scan, e, is_last, use);
}

/* Keeps the current event as a part of the chain that ends with the call. The last
 * event comes first, so that an event is not used twice. */
static void
keep_chain(struct here *h, const struct rule_call *last)
{
	for (const struct rule_call *c = last; c != NULL; c = c->after)
		follow(h, c,
		    c->after == NULL ? NULL : &h->state->bags[c->after->bag],
		    false, keep);
}

static bool
is_windowless_and_settled(const struct here *h)
{
	return !h->claim->windowed && rule_bag_is_settled(h->state->bags);
}

static void
keep_chains(struct here *h, struct rule_calls calls)
{
	for (size_t i = 0;
	     i < calls.n && !h->state->decided && h->run->phases & RULE_KEEPS;
	     i++)
		keep_chain(h, &calls.list[i]);
}

/* ---- ends ---- */

/* Ends the wait of the entry of the scan by an event with the match. Where the event
 * names values that the entry has not, the event that is waited for decides. */
static void
end_wait(struct here *h, const struct rule_scan *scan,
    const struct rule_match *m, struct rule_entry *e)
{
	unsigned open = (scan->call->binds | scan->call->uses) &
	    ~(e->bound.known | e->bound.wild);
	struct rule_entry *end;

	if (open != 0) {
		end = rule_entry_join(h->run, scan->call, m, e, ~0U);
		end->next = e->ends;
		e->ends = end;
	} else if (m->fit > e->ended) {
		e->ended = m->fit;
		if (e->bound.lacking == NULL)
			e->bound.lacking = m->lacking;
	}
	if (e->ended != RULE_YES)
		return;
	if (h->claim->form != RULE_EVERY)
		rule_bag_drop(scan->bag, e, h->run->arena);
	else if (h->claim->nbags == 1)
		lose(h, e);
}

static void
end_in(struct here *h, const struct rule_call *end, const struct rule_match *m,
    struct rule_bag *bag)
{
	struct rule_scan scan = { .run = h->run,
		.bag = bag,
		.match = m,
		.call = end,
		.early = true };
	struct rule_entry *e;

	while (!h->state->decided && (e = rule_scan_next(&scan)) != NULL) {
		struct rule_match joined = *m;

		joined.fit = rule_least(m->fit, scan.fit);
		if (joined.lacking == NULL)
			joined.lacking = scan.lacking;
		end_wait(h, &scan, &joined, e);
	}
}

/* Lets the current event end waits, if it is one that does. An event of the calls that
 * are compared is none for itself: its entries are added later, or skipped. */
static void
end_waits(struct here *h)
{
	size_t nbags = h->claim->form == RULE_EVERY ? h->claim->nbags : 1;

	for (size_t i = 0; i < h->claim->end.n && h->run->phases & RULE_ENDS;
	     i++) {
		const struct rule_call *end = &h->claim->end.list[i];
		struct rule_match m;

		if (rule_name_fits(h->name, end) == RULE_NO)
			continue;
		m = rule_match_call(h->run, h->name, end);
		for (size_t k = 0; m.fit != RULE_NO && k < nbags; k++)
			end_in(h, end, &m, &h->state->bags[k]);
	}
}

static void
need_bags(struct here *h)
{
	if (h->state->bags == NULL)
		h->state->bags = arena_new_n(
		    h->run->arena, struct rule_bag, h->claim->nbags);
}

/* ---- chains ---- */

static void
complete(struct here *h, const struct rule_call *call,
    const struct rule_match *m, struct rule_entry *before)
{
	(void)call;
	rule_note(h->run, h->state, m->fit, m->lacking,
	    before == NULL ? SIZE_MAX : before->call);
}

/* A chain of one stage is complete with its first event. */
static void
step_single(struct rule_run *run, const struct rule_name *name,
    struct rule_calls calls, struct rule_state *s)
{
	for (size_t i = 0; i < calls.n && !s->decided; i++) {
		struct rule_match m =
		    rule_match_call(run, name, &calls.list[i]);

		if (m.fit != RULE_NO)
			rule_note(run, s, m.fit, m.lacking, SIZE_MAX);
	}
}

/* The last stage comes first, so that an event is not used twice. */
static __attribute__((noinline)) void
step_stages(struct rule_run *run, const struct rule_name *name,
    const struct rule_claim *c, struct rule_state *s)
{
	struct here h = { run, name, c, s };
	size_t last = c->nstages - 1;
	bool decided;

	need_bags(&h);
	if (run->phases & RULE_TESTS && s->bags[last - 1].n > 0)
		follow(&h, c->stages[last].list, &s->bags[last - 1], true,
		    complete);
	decided = rule_guard_goes_on(run, s);
	end_waits(&h);
	for (size_t i = last; i-- > 1 && !s->decided;)
		if (run->phases & RULE_KEEPS && s->bags[i - 1].n > 0)
			follow(&h, c->stages[i].list, &s->bags[i - 1], false,
			    keep);
	keep_chains(&h, c->stages[0]);
	s->decided |= decided;
}

void
rule_step_chain(struct rule_run *run, const struct rule_name *name,
    const struct rule_claim *c, struct rule_state *s)
{
	if (c->nstages == 1)
		step_single(run, name, c->stages[0], s);
	else
		step_stages(run, name, c, s);
}

/* ---- precedence ---- */

/* Notes an event that has no earlier one of the kind it needs. */
static void
require_earlier(struct here *h)
{
	struct rule_run *run = h->run;
	const struct rule_call *call = h->claim->stages[0].list;
	struct rule_match m = rule_match_call(run, h->name, call);
	struct rule_scan scan = {
		.run = run, .bag = h->state->bags, .match = &m, .call = call
	};
	enum rule_fit best = RULE_NO;
	const char *lacking = m.lacking;
	struct rule_entry *e;

	if (m.fit == RULE_NO)
		return;
	count_applied(h);
	while (best != RULE_YES && (e = rule_scan_next(&scan)) != NULL) {
		enum rule_fit fit = rule_least(limited(h, call, &scan, e, true),
		    rule_least(scan.fit, e->bound.fit));

		best = rule_most(best, fit);
		if (fit == RULE_MAYBE && lacking == NULL)
			lacking = scan.lacking;
	}
	rule_note(run, h->state, rule_least(m.fit, rule_opposite(best)),
	    lacking, SIZE_MAX);
}

void
rule_step_before(struct rule_run *run, const struct rule_name *name,
    const struct rule_claim *c, struct rule_state *s)
{
	struct here h = { run, name, c, s };
	bool decided;

	need_bags(&h);
	if (run->phases & RULE_TESTS && !rule_guard_skips(run, c) &&
	    rule_name_fits(name, c->stages[0].list) != RULE_NO)
		require_earlier(&h);
	decided = rule_guard_goes_on(run, s);
	if (!s->decided && !is_windowless_and_settled(&h)) {
		end_waits(&h);
		keep_chains(&h, c->stages[1]);
	}
	s->decided |= decided;
}

/* ---- response ---- */

/* Lets the current event be the end of the response to an event that waits for it; the
 * match is that of the response. */
static void
respond(struct here *h, const struct rule_call *call,
    const struct rule_match *m, struct rule_entry *e)
{
	struct rule_entry *waits = first_of(e);

	(void)call;
	if (m->fit == RULE_YES) {
		rule_bag_drop(h->state->bags, waits, h->run->arena);
		return;
	}
	waits->bound.fit = RULE_MAYBE;
	if (waits->bound.lacking == NULL)
		waits->bound.lacking = m->lacking;
}

void
rule_step_every(struct rule_run *run, const struct rule_name *name,
    const struct rule_claim *c, struct rule_state *s)
{
	struct here h = { run, name, c, s };
	struct rule_match m;

	need_bags(&h);
	for (size_t i = c->nstages - 1; i > 0 && !s->decided; i--)
		if (run->phases & RULE_TESTS && s->bags[i - 1].n != 0)
			follow(&h, c->stages[i].list, &s->bags[i - 1],
			    i + 1 == c->nstages,
			    i + 1 == c->nstages ? respond : keep);
	end_waits(&h);
	if (s->decided || !(run->phases & RULE_KEEPS) ||
	    rule_name_fits(name, c->stages[0].list) == RULE_NO)
		return;
	m = rule_match_call(run, name, c->stages[0].list);
	if (m.fit == RULE_NO)
		return;
	count_applied(&h);
	keep(&h, c->stages[0].list, &m, NULL);
}

struct rule_outcome
rule_decide_every(struct rule_run *run, const struct rule_claim *c)
{
	struct rule_state *s = &run->states[c->machine];
	const struct rule_entry *e =
	    s->bags == NULL ? NULL : rule_bag_best(s->bags);

	if (s->decided)
		return rule_known(false);
	if (e != NULL)
		s->call = e->call;
	if (e != NULL && e->bound.fit == RULE_YES)
		return rule_known(false);
	if (s->maybe)
		return rule_unknown(s->lacking);
	return e == NULL ? rule_known(true) : rule_unknown(e->bound.lacking);
}
