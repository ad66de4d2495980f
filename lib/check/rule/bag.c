/*
 * The calls of a run that may still become part of what a claim describes, by
 * the values of its variables. Entries whose variables are bound by the next
 * call as well are found by a hash of the values, all others one by one.
 */
#include "check/rule/run.h"

#include <math.h>

struct str
rule_values_key(const struct rule_match *m, unsigned bits, struct arena *a)
{
	struct str keys[RULE_VARIABLES];
	size_t n = 0;

	for (size_t i = 0; i < RULE_VARIABLES; i++)
		if (bits & 1U << i)
			keys[n++] = m->values[i].key;
	if (n == 1)
		return keys[0];
	return n == 0 ? STR("") : hash_key(a, keys, n);
}

/* ---- joining ---- */

/* Returns how the values of the variables that both have agree. */
static enum rule_fit
agree(const struct rule_match *entry, const struct rule_match *m)
{
	unsigned both = entry->known & m->known;

	for (size_t i = 0; both >> i != 0; i++)
		if (both & 1U << i &&
		    !str_eq(entry->values[i].key, m->values[i].key))
			return RULE_NO;
	if ((entry->wild & (m->known | m->wild)) | (m->wild & entry->known))
		return RULE_MAYBE;
	return RULE_YES;
}

/* Returns whether the condition holds although the log lacks the value of its
 * variable. */
static enum rule_fit
without_value(struct rule_run *run, const struct rule_cond *c, size_t call)
{
	bool holds;

	if (!rule_cond_ignores_value(run, c, call, &holds))
		return RULE_MAYBE;
	return holds ? RULE_YES : RULE_NO;
}

/* Tests the conditions of the current call that read what the entry bound. */
static enum rule_fit
test_new(struct rule_scan *s, const struct rule_match *entry)
{
	const struct rule_call *call = s->call;
	enum rule_fit fit = RULE_YES;

	for (size_t i = 0; i < call->nconds && fit != RULE_NO; i++) {
		const struct rule_cond *c = &call->conds[i];
		unsigned bit = c->variable < 0 ? 0 : 1U << c->variable;

		if (bit & call->uses & ~s->match->known & entry->known &&
		    !(c->test == RULE_COMPARE && c->op == RULE_EQ))
			fit = rule_least(fit,
			    rule_cond_holds(s->run, c, s->run->at,
				&entry->values[c->variable], &s->lacking));
		else if (bit & call->uses & ~s->match->known & entry->wild)
			fit = rule_least(
			    fit, without_value(s->run, c, s->run->at));
	}
	return fit;
}

/* Tests the conditions of earlier calls that read what the current call
 * binds. */
static enum rule_fit
test_waiting(struct rule_scan *s, const struct rule_waiting *w)
{
	enum rule_fit fit = RULE_YES;

	for (; w != NULL && fit != RULE_NO; w = w->next) {
		unsigned bit = 1U << w->cond->variable;

		if (bit & s->match->known)
			fit = rule_least(fit,
			    rule_cond_holds(s->run, w->cond, w->call,
				&s->match->values[w->cond->variable],
				&s->lacking));
		else if (bit & s->match->wild)
			fit = rule_least(
			    fit, without_value(s->run, w->cond, w->call));
	}
	return fit;
}

enum rule_fit
rule_scan_fit(struct rule_scan *s, const struct rule_entry *e)
{
	enum rule_fit fit = agree(&e->bound, s->match);

	s->lacking = e->bound.fit == RULE_MAYBE ? e->bound.lacking
	    : fit == RULE_MAYBE && s->match->lacking == NULL
	    ? e->bound.lacking
	    : s->match->lacking;
	if (fit != RULE_NO)
		fit = rule_least(fit, test_new(s, &e->bound));
	if (fit != RULE_NO)
		fit = rule_least(fit, test_waiting(s, e->waiting));
	return fit;
}

/* ---- searching ---- */

/* Returns whether the entries of the part are found by the match's values. */
static bool
is_keyed(const struct rule_part *part, const struct rule_match *m)
{
	return !part->waiting && part->wild == 0 &&
	    (part->known & ~m->known) == 0;
}

static struct rule_entry *
next_found(struct rule_scan *s)
{
	return s->nfound == 0 ? NULL : s->found[--s->nfound];
}

/* Returns the first entry of the next part that may go with the match. */
static struct rule_entry *
first_of(struct rule_scan *s, struct rule_part *part)
{
	s->found = NULL;
	if (!is_keyed(part, s->match))
		return rule_index_find(s, part) ? next_found(s) : part->list;
	return hash_get(&part->by_key,
	    rule_values_key(s->match, part->known, s->run->arena));
}

struct rule_entry *
rule_scan_next(struct rule_scan *s)
{
	for (;;) {
		struct rule_entry *e = s->next;
		struct rule_part *part;

		if (e == NULL && s->part == s->bag->n)
			return NULL;
		if (e == NULL) {
			part = &s->bag->parts[s->part++];
			e = first_of(s, part);
			if (e == NULL)
				continue;
		} else {
			part = &s->bag->parts[s->part - 1];
		}
		s->next = is_keyed(part, s->match) ? e->twin
		    : s->found != NULL             ? next_found(s)
						   : e->next;
		s->run->work++;
		if (e->gone || e->call == s->run->at ||
		    (e->done >= s->run->place && !s->early))
			continue;
		s->fit = rule_scan_fit(s, e);
		if (s->fit != RULE_NO)
			return e;
	}
}

/* ---- entries ---- */

static void
merge_values(struct rule_match *to, const struct rule_match *from,
    struct rule_value *values)
{
	for (size_t i = 0; values != NULL && i < RULE_VARIABLES; i++)
		if (from->known & ~to->known & 1U << i)
			values[i] = from->values[i];
	to->known |= from->known;
	to->wild |= from->wild;
}

/* Adds the conditions of the current call that no variable is known for. */
static void
add_waiting(
    struct rule_run *run, const struct rule_call *call, struct rule_entry *e)
{
	for (size_t i = 0; i < call->nconds; i++) {
		const struct rule_cond *c = &call->conds[i];
		unsigned bit = c->variable < 0 ? 0 : 1U << c->variable;
		struct rule_waiting *w;

		if (!(bit & call->uses & ~(e->bound.known | e->bound.wild)) ||
		    (c->test == RULE_COMPARE && c->op == RULE_EQ))
			continue;
		w = arena_new(run->arena, struct rule_waiting);
		*w = (struct rule_waiting){ e->waiting, c, run->at };
		e->waiting = w;
	}
}

/* Keeps the conditions of earlier calls that still wait. */
static void
keep_waiting(
    struct rule_run *run, const struct rule_entry *before, struct rule_entry *e)
{
	const struct rule_waiting *w = before->waiting;

	for (; w != NULL; w = w->next) {
		struct rule_waiting *kept;

		if ((e->bound.known | e->bound.wild) & 1U << w->cond->variable)
			continue;
		kept = arena_new(run->arena, struct rule_waiting);
		*kept = (struct rule_waiting){ e->waiting, w->cond, w->call };
		e->waiting = kept;
	}
}

struct rule_entry *
rule_entry_join(struct rule_run *run, const struct rule_call *call,
    const struct rule_match *m, struct rule_entry *before, unsigned needed)
{
	struct rule_entry *e = arena_new(run->arena, struct rule_entry);
	struct rule_value *values = NULL;

	e->call = run->at;
	e->before = before;
	if (before != NULL) {
		e->ended = before->ended;
		e->ends = before->ends;
		run->work += 8;
	}
	e->bound.fit = m->fit;
	e->bound.lacking = m->lacking;
	if (m->known != 0 || (before != NULL && before->bound.known != 0))
		values = rule_values(
		    run, m->known | (before == NULL ? 0 : before->bound.known));
	merge_values(&e->bound, m, values);
	if (before != NULL)
		merge_values(&e->bound, &before->bound, values);
	e->bound.values = values;
	e->bound.wild &= ~e->bound.known;
	if (before != NULL)
		keep_waiting(run, before, e);
	add_waiting(run, call, e);
	e->bound.known &= needed;
	e->bound.wild &= needed;
	return e;
}

/* ---- bags ---- */

static struct rule_part *
part_of(struct rule_bag *bag, const struct rule_entry *e, struct arena *a)
{
	bool waiting = e->waiting != NULL;
	struct rule_part *part;

	for (size_t i = 0; i < bag->n; i++) {
		part = &bag->parts[i];
		if (part->known == e->bound.known &&
		    part->wild == e->bound.wild && part->waiting == waiting)
			return part;
	}
	part = arena_push(a, bag->parts, bag->n);
	part->known = e->bound.known;
	part->wild = e->bound.wild;
	part->waiting = waiting;
	part->by_key.arena = a;
	return part;
}

/* Takes the entries that are gone out of those with the values of one. */
static void
sweep_twins(
    struct rule_part *part, const struct rule_entry *one, struct arena *a)
{
	void **slot = hash_put(
	    &part->by_key, rule_values_key(&one->bound, part->known, a));
	struct rule_entry *first = *slot, **link = &first;

	for (struct rule_entry *e; (e = *link) != NULL;)
		if (e->gone) {
			e->swept = true;
			*link = e->twin;
		} else {
			link = &e->twin;
		}
	*slot = first;
}

/* Takes the entries that are gone out of the part. A scan may still be at one of
 * them, so each keeps its `next` and its `twin`. */
static void
sweep(struct rule_part *part, struct arena *a)
{
	struct rule_entry **link = &part->list;

	for (struct rule_entry *e; (e = *link) != NULL;) {
		if (!e->gone) {
			link = &e->next;
			continue;
		}
		*link = e->next;
		if (!part->waiting && !e->swept)
			sweep_twins(part, e, a);
	}
	part->n -= part->gone;
	part->gone = 0;
	part->index = NULL; /* its entries are in no list any more */
}

/* Returns whether the new entry is as good as the old one, which has the same values,
 * for every event that may follow. */
static bool
is_as_good(struct rule_run *run, const struct rule_claim *c,
    const struct rule_entry *old, const struct rule_entry *e)
{
	struct rule_moment a, b;

	if (e->bound.fit < old->bound.fit)
		return false;
	if (c->form == RULE_EVERY)
		return true;
	if (!c->windowed)
		return e->bound.fit > old->bound.fit;
	a = rule_moment_of(run, old->call);
	b = rule_moment_of(run, e->call);
	if (b.start < a.start)
		return false;
	if (c->adjoins && a.agent != b.agent)
		return false;
	if (e->done > run->place && e->done > old->done)
		return false;
	if (c->timed && !(b.seconds >= a.seconds) &&
	    !(isnan(a.seconds) && isnan(b.seconds)))
		return false;
	return e->ended <= old->ended &&
	    (e->ends == NULL || e->ends == old->ends);
}

static void
link_first(struct rule_part *part, struct rule_entry *e)
{
	part->n++;
	e->next = part->list;
	part->list = e;
}

void
rule_bag_add(struct rule_run *run, const struct rule_claim *c,
    struct rule_bag *bag, struct rule_entry *e)
{
	struct rule_part *part = part_of(bag, e, run->arena);
	bool all = c->form == RULE_EVERY && (c->windowed || c->nbags > 1);
	struct rule_entry *old;
	void **slot;

	run->work++;
	if (part->waiting) {
		link_first(part, e);
		return;
	}
	slot = hash_put(
	    &part->by_key, rule_values_key(&e->bound, part->known, run->arena));
	for (old = all && !c->windowed && e->before == NULL ? *slot : NULL;
	     old != NULL; old = old->twin)
		if (!old->gone && old->bound.fit <= e->bound.fit) {
			old->gone =
			    true; /* a response to this one is another */
			part->gone++;
		}
	for (old = all ? NULL : *slot; old != NULL; old = old->twin)
		if (old->gone || is_as_good(run, c, old, e)) {
			struct rule_entry *next = old->next, *twin = old->twin;

			part->gone -= old->gone;
			*old = *e;
			old->next = next;
			old->twin = twin;
			return;
		}
	if (*slot != NULL && !all && !c->windowed)
		return;
	e->twin = *slot;
	*slot = e;
	link_first(part, e);
	if (part->gone * 2 > part->n)
		sweep(part, run->arena);
}

void
rule_bag_drop(struct rule_bag *bag, struct rule_entry *e, struct arena *a)
{
	struct rule_part *part = part_of(bag, e, a);

	e->gone = true;
	part->gone++;
	if (part->gone * 2 > part->n)
		sweep(part, a);
}

const struct rule_entry *
rule_bag_best(const struct rule_bag *bag)
{
	const struct rule_entry *best = NULL;

	for (size_t i = 0; i < bag->n; i++)
		for (const struct rule_entry *e = bag->parts[i].list; e != NULL;
		     e = e->next)
			if (!e->gone &&
			    (best == NULL || e->bound.fit > best->bound.fit ||
				(e->bound.fit == best->bound.fit &&
				    e->done > best->done)))
				best = e;
	return best;
}

bool
rule_bag_is_settled(const struct rule_bag *bag)
{
	for (size_t i = 0; bag != NULL && i < bag->n; i++) {
		const struct rule_part *part = &bag->parts[i];

		if (part->known == 0 && part->wild == 0 && !part->waiting &&
		    part->list != NULL && !part->list->gone &&
		    part->list->bound.fit == RULE_YES)
			return true;
	}
	return false;
}
