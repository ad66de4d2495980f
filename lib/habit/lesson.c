/* Which rules are learned of a scenario. */
#include "habit/lesson.h"

#include <stdlib.h>

#include "base/stats.h"

/* The number of runs with the habit, in a group that may be absent. */
static size_t
count(const struct contrast_habit *h, size_t group)
{
	return (size_t)h->count[0][group] + h->count[1][group];
}

static size_t
runs(const struct learn_scenario *s, size_t group)
{
	return (size_t)s->runs.runs[0][group] + s->runs.runs[1][group];
}

/* Returns the number of runs of which it is known whether they have such a habit. */
static size_t
known(const struct learn_scenario *s, enum habit_form form, size_t group)
{
	size_t n = runs(s, group);

	if (habit_is_of_value(form))
		n -= (size_t)s->runs.valueless[0][group] +
		    s->runs.valueless[1][group];
	return n;
}

static size_t
group_of(const struct learn_scenario *s, const char *name)
{
	for (size_t i = 0; i < s->runs.n_groups; i++)
		if (str_is(s->runs.groups[i], name))
			return i;
	return CONTRAST_GROUPS; /* which has no run */
}

/* All that is known while a scenario's rules are chosen. */
struct learning {
	const struct learn_scenario *scenario;
	struct arena *arena;
	size_t good, bad; /* groups */
	struct lessons caught, habits;
	struct lessons all; /* all that bad runs break */
};

/* Sets how many runs keep and break the rule. Returns whether all good runs keep it,
 * and it is about any. */
static bool
holds(const struct learning *l, struct lesson *lesson)
{
	const struct contrast_habit *h = lesson->counted;
	size_t good = count(h, l->good), bad = count(h, l->bad);

	lesson->applied = known(l->scenario, h->habit.form, l->good);
	if (habit_is_of_each(h->habit.form)) {
		const struct contrast_habit *base =
		    l->scenario->runs.habits[h->base];

		lesson->applied = count(base, l->good);
		lesson->broken = count(base, l->bad) - bad;
	} else {
		lesson->broken = lesson->has
		    ? known(l->scenario, h->habit.form, l->bad) - bad
		    : bad;
	}
	return lesson->applied != 0 &&
	    good == (lesson->has ? lesson->applied : 0);
}

/* Returns whether a habit of this form is worth a rule if no bad run breaks it. */
static bool
is_telling(enum habit_form form)
{
	switch (form) {
	case HABIT_CALLED:
	case HABIT_BEFORE:
	case HABIT_AFTER:
	case HABIT_THEN:
	case HABIT_FIRST:
	case HABIT_LAST:
		return true;
	default:
		return false;
	}
}

/* Returns whether bad runs break the rule, and not by chance: a run has many values
 * and amounts that no other run has. */
static bool
is_broken(const struct learning *l, const struct lesson *lesson)
{
	size_t broken[] = { lesson->broken, 0 };
	size_t of[] = { known(l->scenario, lesson->habit.form, l->bad),
		lesson->applied };

	switch (lesson->habit.form) {
	case HABIT_ARGUMENT:
	case HABIT_AMOUNT:
	case HABIT_RESULT:
	case HABIT_WORD:
		return lesson->broken != 0 && stats_fisher(broken, of) <= 0.05;
	default:
		return lesson->broken != 0;
	}
}

static void
weigh(struct learning *l, const struct contrast_habit *h)
{
	for (int has = 0; has < 2; has++) {
		struct lesson lesson = { .habit = h->habit,
			.has = has,
			.rule = habit_rule(&h->habit, has, l->arena),
			.counted = h };

		if (lesson.rule.s == NULL || !holds(l, &lesson))
			continue;
		if (is_broken(l, &lesson))
			*arena_push(l->arena, l->all.list, l->all.n) = lesson;
		if (has && is_telling(h->habit.form) &&
		    lesson.applied >= LEARN_HABIT)
			*arena_push(l->arena, l->habits.list, l->habits.n) =
			    lesson;
	}
}

/* Adds that a tool is called at most once, where that is a habit. */
static void
weigh_once(struct learning *l, const struct contrast_habit *h)
{
	struct habit twice = {
		.form = HABIT_COUNT, .tool = h->habit.tool, .n = 2
	};
	const struct contrast_habit *seen =
	    hash_get(&l->scenario->runs.table, habit_key(&twice, l->arena));
	struct lesson lesson = { .habit = twice,
		.rule = habit_rule(&twice, false, l->arena),
		.applied = count(h, l->good),
		.broken = seen == NULL ? 0 : count(seen, l->bad) };

	if (h->habit.form == HABIT_CALLED && lesson.applied >= LEARN_HABIT &&
	    (seen == NULL || count(seen, l->good) == 0))
		*arena_push(l->arena, l->habits.list, l->habits.n) = lesson;
}

static int
by_broken(const void *a, const void *b)
{
	const struct lesson *x = a, *y = b;

	if (x->broken != y->broken)
		return x->broken > y->broken ? -1 : 1;
	if (x->habit.form != y->habit.form)
		return x->habit.form < y->habit.form ? -1 : 1;
	return str_cmp(x->rule, y->rule);
}

static bool
has_habit(const struct contrast_run *run, uint32_t id)
{
	for (size_t i = 0; i < run->n; i++)
		if (run->habits[i] == id)
			return true;
	return false;
}

static bool
breaks(const struct contrast_run *run, const struct lesson *lesson)
{
	const struct contrast_habit *h = lesson->counted;
	bool has = has_habit(run, h->id);

	if (!lesson->has)
		return has;
	return !has &&
	    (habit_is_of_each(h->habit.form)
		    ? has_habit(run, h->base)
		    : !(run->valueless && habit_is_of_value(h->habit.form)));
}

/* Chooses rules until each bad run that breaks any breaks one of them. */
static void
catch_bad_runs(struct learning *l)
{
	const struct contrasts *c = &l->scenario->runs;
	bool *caught = arena_new_n(l->arena, bool, c->n_sample);

	if (l->all.n != 0)
		qsort(l->all.list, l->all.n, sizeof l->all.list[0], by_broken);
	for (size_t i = 0; i < l->all.n && l->caught.n < LEARN_RULES; i++) {
		bool more = false;

		for (size_t k = 0; k < c->n_sample; k++) {
			bool now = !caught[k] && c->sample[k].group == l->bad &&
			    breaks(&c->sample[k], &l->all.list[i]);

			more = more || now;
			caught[k] = caught[k] || now;
		}
		if (more)
			*arena_push(l->arena, l->caught.list, l->caught.n) =
			    l->all.list[i];
	}
}

static bool
is_among(const struct lessons *l, struct str rule)
{
	for (size_t i = 0; i < l->n; i++)
		if (str_eq(l->list[i].rule, rule))
			return true;
	return false;
}

struct lessons
lessons_of(const struct learn_scenario *s, struct arena *a)
{
	struct learning l = { .scenario = s,
		.arena = a,
		.good = group_of(s, "good"),
		.bad = group_of(s, "bad") };

	for (size_t i = 0; i < s->runs.n; i++) {
		weigh(&l, s->runs.habits[i]);
		weigh_once(&l, s->runs.habits[i]);
	}
	catch_bad_runs(&l);
	lessons_reduce(&l.habits);
	for (size_t i = 0, most = l.caught.n + LEARN_RULES;
	     i < l.habits.n && l.caught.n < most; i++)
		if (!is_among(&l.caught, l.habits.list[i].rule))
			*arena_push(a, l.caught.list, l.caught.n) =
			    l.habits.list[i];
	l.caught.good = runs(s, l.good);
	l.caught.bad = runs(s, l.bad);
	return l.caught;
}
