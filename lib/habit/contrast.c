/* Which habits tell two groups of runs apart. */
#include "habit/contrast.h"

#include <math.h>
#include <stdlib.h>

#include "base/stats.h"

enum { CANDIDATES_MAX = 2000 };

/* A rule of a habit, and the runs that break the rule. */
struct candidate {
	const struct contrast_habit *habit;
	bool has; /* the rule says that runs have the habit */
	struct str rule;
	size_t broken[2][2], of[2][2]; /* as in struct contrast_line */
	double p;                      /* in the first half */
	uint8_t *breaks; /* of each run of the sample, whether it does */
};

/* All that is known while one contrast is made. */
struct making {
	const struct contrasts *all;
	size_t group;
	struct contrast *result;
	struct arena *arena;
	struct candidate *list;
	size_t n;
	bool *alive; /* the runs of the sample that break no line so far */
};

/* Sums up the runs of the group, and of the others, in one half. */
static void
split(const uint32_t count[CONTRAST_GROUPS + 1], size_t group, size_t sums[2])
{
	sums[0] = sums[1] = 0;
	for (size_t i = 0; i <= CONTRAST_GROUPS; i++)
		sums[i != group] += count[i];
}

/* Counts the runs that break the rule, and those of which that is known, in one
 * half. */
static void
count_broken(const struct making *m, struct candidate *c, size_t half)
{
	const struct contrast_habit *h = c->habit;
	size_t has[2], base[2], valueless[2];

	split(h->count[half], m->group, has);
	split(m->all->valueless[half], m->group, valueless);
	for (size_t side = 0; side < 2; side++) {
		c->of[half][side] = m->result->runs[half][side];
		if (habit_is_of_value(h->habit.form))
			c->of[half][side] -= valueless[side];
	}
	if (habit_is_of_each(h->habit.form))
		split(m->all->habits[h->base]->count[half], m->group, base);
	else
		memcpy(base, c->of[half], sizeof base);
	for (size_t side = 0; side < 2; side++)
		c->broken[half][side] =
		    c->has ? base[side] - has[side] : has[side];
}

/* Returns whether the runs of the group break the rule more often. */
static bool
is_worse(const size_t broken[2], const size_t runs[2])
{
	return (double)broken[0] * (double)runs[1] >
	    (double)broken[1] * (double)runs[0];
}

/* Tests both rules of a habit; one at most is broken more often by the group. */
static void
test_habit(struct making *m, const struct contrast_habit *h)
{
	bool counts = false;

	for (int has = 0; has < 2; has++) {
		struct candidate c = { .habit = h, .has = has };
		const size_t *of = c.of[CONTRAST_FIND];

		if (habit_is_of_each(h->habit.form) && !has)
			continue;
		if (h->habit.form == HABIT_TURN_COUNT && has)
			continue;
		count_broken(m, &c, CONTRAST_FIND);
		if (stats_fisher_least(c.broken[CONTRAST_FIND], of) >
		    CONTRAST_ALPHA)
			continue;
		counts = true;
		if (!is_worse(c.broken[CONTRAST_FIND], of))
			continue;
		c.p = stats_fisher(c.broken[CONTRAST_FIND], of);
		if (c.p <= CONTRAST_ALPHA)
			*arena_push(m->arena, m->list, m->n) = c;
	}
	m->result->tested += counts;
}

static int
by_p(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->p != y->p)
		return x->p < y->p ? -1 : 1;
	if (x->habit->habit.form != y->habit->habit.form)
		return x->habit->habit.form < y->habit->habit.form ? -1 : 1;
	return str_cmp(x->rule, y->rule);
}

/* Keeps the candidates below the false discovery rate, the best first. */
static void
choose_candidates(struct making *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++)
		m->list[i].rule = habit_rule(
		    &m->list[i].habit->habit, m->list[i].has, m->arena);
	if (m->n != 0)
		qsort(m->list, m->n, sizeof m->list[0], by_p);
	for (size_t i = 0; i < m->n; i++)
		if (m->list[i].p <= CONTRAST_ALPHA * (double)(i + 1) /
			(double)m->result->tested)
			n = i + 1;
	m->n = n < CANDIDATES_MAX ? n : CANDIDATES_MAX;
}

/* ---- lines that a better line explains ---- */

/* Marks the runs of the sample that break each candidate's rule. */
static void
mark_runs(struct making *m)
{
	const struct contrasts *all = m->all;
	bool *has = arena_new_n(m->arena, bool, all->n);

	for (size_t k = 0; k < m->n; k++)
		m->list[k].breaks =
		    arena_new_n(m->arena, uint8_t, all->n_sample);
	for (size_t i = 0; i < all->n_sample; i++) {
		const struct contrast_run *run = &all->sample[i];

		for (size_t k = 0; k < run->n; k++)
			has[run->habits[k]] = true;
		for (size_t k = 0; k < m->n; k++) {
			struct candidate *c = &m->list[k];
			bool based = !habit_is_of_each(c->habit->habit.form) ||
			    has[c->habit->base];

			c->breaks[i] = c->has ? based && !has[c->habit->id]
					      : has[c->habit->id];
		}
		for (size_t k = 0; k < run->n; k++)
			has[run->habits[k]] = false;
	}
}

/* Returns whether the rule still tells the groups apart among the runs of the first
 * half that break none of the lines so far. */
static bool
tells_more(const struct making *m, const struct candidate *c)
{
	size_t broken[2] = { 0 }, runs[2] = { 0 };

	for (size_t i = 0; i < m->all->n_sample; i++) {
		const struct contrast_run *run = &m->all->sample[i];

		if (!m->alive[i] || run->half != CONTRAST_FIND)
			continue;
		runs[run->group != m->group]++;
		broken[run->group != m->group] += c->breaks[i];
	}
	return is_worse(broken, runs) &&
	    stats_fisher(broken, runs) <= CONTRAST_ALPHA;
}

/* Takes the candidate as a line if the second half confirms it. */
static void
take(struct making *m, struct candidate *c)
{
	struct contrast *r = m->result;
	const size_t *of = c->of[CONTRAST_CONFIRM];
	struct contrast_line *line;
	double p;

	count_broken(m, c, CONTRAST_CONFIRM);
	p = stats_fisher(c->broken[CONTRAST_CONFIRM], of);
	if (!is_worse(c->broken[CONTRAST_CONFIRM], of) ||
	    !(p <= CONTRAST_ALPHA)) {
		r->unconfirmed++;
		return;
	}
	line = arena_push(m->arena, r->lines, r->n);
	line->rule = c->rule;
	memcpy(line->broken, c->broken, sizeof line->broken);
	memcpy(line->of, c->of, sizeof line->of);
	line->p[CONTRAST_FIND] = c->p;
	line->p[CONTRAST_CONFIRM] = p;
}

static void
choose_lines(struct making *m)
{
	m->alive = arena_new_n(m->arena, bool, m->all->n_sample);
	for (size_t i = 0; i < m->all->n_sample; i++)
		m->alive[i] = true;
	for (size_t k = 0; k < m->n && m->result->n < CONTRAST_LINES; k++) {
		if (!tells_more(m, &m->list[k]))
			continue;
		take(m, &m->list[k]);
		for (size_t i = 0; i < m->all->n_sample; i++)
			m->alive[i] = m->alive[i] && !m->list[k].breaks[i];
	}
}

struct contrast
contrasts_of(const struct contrasts *all, size_t group, struct arena *a)
{
	struct contrast result = { .group = all->groups[group] };
	struct making m = {
		.all = all, .group = group, .result = &result, .arena = a
	};

	for (size_t half = 0; half < 2; half++)
		split(all->runs[half], group, result.runs[half]);
	for (size_t i = 0; i < all->n; i++)
		test_habit(&m, all->habits[i]);
	choose_candidates(&m);
	mark_runs(&m);
	choose_lines(&m);
	return result;
}
