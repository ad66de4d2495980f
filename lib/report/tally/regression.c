#include "report/tally/regression.h"

#include <math.h>
#include <stdlib.h>

#include "base/stats.h"

const char *
compare_change_name(enum compare_change change)
{
	static const char *const names[CHANGE_COUNT] = {
		[CHANGE_WORSE] = "worse",
		[CHANGE_GONE] = "gone",
		[CHANGE_BETTER] = "better",
		[CHANGE_NEW] = "new",
		[CHANGE_SAME] = "same",
	};

	return names[change];
}

const char *
compare_test_name(enum compare_test test)
{
	static const char *const names[] = {
		[COMPARE_FISHER] = "Fisher",
		[COMPARE_MCNEMAR] = "McNemar",
		[COMPARE_MANTEL_HAENSZEL] = "Mantel-Haenszel",
	};

	return names[test];
}

/* ---- one row ---- */

/* Returns the change where `was` and `now` are rates over a common
 * denominator. */
static enum compare_change
change_of(const struct compare_row *row, double was, double now)
{
	if (row->n[COMPARE_WAS] == 0)
		return CHANGE_NEW;
	if (row->n[COMPARE_NOW] == 0)
		return CHANGE_GONE;
	return now < was ? CHANGE_WORSE
	    : now > was  ? CHANGE_BETTER
			 : CHANGE_SAME;
}

static bool
both_sides(const struct compare_row *row)
{
	return row->n[COMPARE_WAS] != 0 && row->n[COMPARE_NOW] != 0;
}

static bool
all_paired(const struct compare_row *row)
{
	return row->pairs == row->n[COMPARE_WAS] &&
	    row->pairs == row->n[COMPARE_NOW];
}

static void
set_interval(struct compare_row *row)
{
	double phi = 0;

	if (all_paired(row))
		phi = stats_pairs_phi(
		    row->passed, row->pairs, row->lost, row->gained);
	row->difference = stats_newcombe(row->passed, row->n, phi);
}

static void
test_by_strata(struct compare_row *row, const struct stats_strata *strata)
{
	row->test = COMPARE_MANTEL_HAENSZEL;
	row->p = stats_strata_p(strata);
}

/* Fisher's test does not use the pairs, which are then not complete. Where the
 * tables are too many to add up, one stratum is tested. */
static void
test_unpaired(struct compare_row *row)
{
	struct stats_strata one = { 0 };

	row->pairs = row->lost = row->gained = 0;
	row->test = COMPARE_FISHER;
	row->p = stats_fisher(row->passed, row->n);
	if (!isnan(row->p))
		return;
	stats_strata_add(&one, row->passed, row->n);
	test_by_strata(row, &one);
}

void
regression_test(struct compare_row *row)
{
	row->change = change_of(row,
	    (double)row->passed[COMPARE_WAS] * (double)row->n[COMPARE_NOW],
	    (double)row->passed[COMPARE_NOW] * (double)row->n[COMPARE_WAS]);
	row->p = NAN;
	if (!both_sides(row))
		return;
	set_interval(row);
	if (all_paired(row)) {
		row->test = COMPARE_MCNEMAR;
		row->p = stats_mcnemar(row->lost, row->gained);
	} else {
		test_unpaired(row);
	}
}

/* Adds the row to all runs. Returns whether both sides have the row, so that it
 * can be compared. */
static bool
add_row(struct compare_row *all, const struct compare_row *row,
    struct stats_strata *strata)
{
	for (int side = 0; side < 2; side++) {
		all->passed[side] += row->passed[side];
		all->n[side] += row->n[side];
	}
	if (!both_sides(row))
		return false;
	all->pairs += row->pairs;
	all->lost += row->lost;
	all->gained += row->gained;
	stats_strata_add(strata, row->passed, row->n);
	return true;
}

void
regression_test_all(struct compare_row *all, const struct compare_rows *rows)
{
	struct stats_strata strata = { 0 };
	const struct compare_row *last = NULL;
	bool paired = true;

	all->p = NAN;
	all->change = CHANGE_SAME;
	for (size_t i = 0; i < rows->n; i++)
		if (add_row(all, &rows->list[i], &strata)) {
			last = &rows->list[i];
			paired &= last->test == COMPARE_MCNEMAR;
			all->rows++;
		}
	if (both_sides(all))
		set_interval(all);
	else
		all->change = change_of(all, 0, 0);
	if (last == NULL)
		return;
	all->change = change_of(all, 0, strata.gained);
	if (all->rows == 1) {
		all->test = last->test;
		all->p = last->p;
	} else if (paired) {
		all->test = COMPARE_MCNEMAR;
		all->p = stats_mcnemar(all->lost, all->gained);
	} else {
		all->pairs = all->lost = all->gained = 0;
		test_by_strata(all, &strata);
	}
}

/* ---- all rows ---- */

/* A row while the family is decided. */
struct tested {
	struct compare_row *row;
	double least; /* no p of as many runs and hits is below */
};

struct family {
	struct tested *list;
	size_t n;
	double alpha;
};

/* Returns a lower bound of the p-values that the row can have. */
static double
least_p(const struct compare_row *row)
{
	switch (row->test) {
	case COMPARE_MCNEMAR:
		return exp2(1 - (double)(row->lost + row->gained));
	case COMPARE_FISHER:
		return stats_fisher_least(row->passed, row->n);
	default:
		return 0;
	}
}

/* Returns the p-value if all runs passed and none does now. */
static double
loss_p(const struct compare_row *row)
{
	switch (row->test) {
	case COMPARE_MCNEMAR:
		return stats_mcnemar(row->pairs, 0);
	case COMPARE_FISHER:
		return stats_fisher_loss(row->n);
	default:
		return 0;
	}
}

static bool
reaches(double p, double alpha)
{
	return p <= alpha * (1 + 1e-9); /* the last digits are not exact */
}

static void
add(struct family *f, struct compare_row *row, struct arena *a)
{
	if (!isnan(row->p))
		*arena_push(a, f->list, f->n) =
		    (struct tested){ row, least_p(row) };
}

static int
compare_least(const void *a, const void *b)
{
	const struct tested *t = a, *u = b;

	return (t->least > u->least) - (t->least < u->least);
}

static int
compare_p(const void *a, const void *b)
{
	const struct tested *t = a, *u = b;

	return (t->row->p > u->row->p) - (t->row->p < u->row->p);
}

/* Returns the level that each tested row can reach: alpha divided by the least
 * number that is not smaller than the number of the rows that can reach that
 * level. These rows come first, and *n becomes their number. */
static double
tarone_level(struct family *f, size_t *n)
{
	size_t divisor = 1;

	qsort(f->list, f->n, sizeof f->list[0], compare_least);
	for (*n = f->n;; divisor++) {
		double level = f->alpha / (double)divisor;

		while (*n > 0 && !reaches(f->list[*n - 1].least, level))
			--*n;
		if (*n <= divisor)
			return level;
	}
}

static bool
changed(const struct compare_row *row)
{
	return row->change == CHANGE_WORSE || row->change == CHANGE_BETTER;
}

static void
set_evidence(struct family *f)
{
	size_t n, i = 0;
	double level;

	if (f->n == 0)
		return;
	level = tarone_level(f, &n);
	for (size_t j = 0; j < f->n; j++) {
		struct compare_row *row = f->list[j].row;

		if (changed(row))
			row->evidence = reaches(loss_p(row), level)
			    ? EVIDENCE_NOISE
			    : EVIDENCE_FEW;
	}
	qsort(f->list, n, sizeof f->list[0], compare_p);
	for (; i < n && reaches(f->list[i].row->p, f->alpha / (double)(n - i));
	     i++)
		if (changed(f->list[i].row))
			f->list[i].row->evidence = EVIDENCE_SIGNIFICANT;
}

static void
decide_rows(struct compare_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++) {
		struct compare_row *row = &rows->list[i];

		row->regression = row->change == CHANGE_GONE ||
		    (row->change == CHANGE_WORSE &&
			row->evidence != EVIDENCE_NOISE);
		rows->regressions += row->regression;
		rows->noise += row->change == CHANGE_WORSE && !row->regression;
	}
}

void
regression_decide(struct compare_rows *scenarios,
    struct compare_rows *assertions, struct compare_row *all, double alpha)
{
	struct family f = { .alpha = alpha };
	struct arena a = { 0 };
	struct compare_rows *const both[] = { scenarios, assertions };

	for (int i = 0; alpha < 1 && i < 2; i++)
		for (size_t j = 0; j < both[i]->n; j++)
			add(&f, &both[i]->list[j], &a);
	if (alpha < 1 && all->rows > 1)
		add(&f, all, &a);
	set_evidence(&f);
	arena_free(&a);
	decide_rows(scenarios);
	decide_rows(assertions);
	for (size_t i = 0; all->rows == 1 && i < scenarios->n; i++)
		if (both_sides(&scenarios->list[i]))
			all->evidence = scenarios->list[i].evidence;
	all->regression =
	    all->change == CHANGE_WORSE && all->evidence != EVIDENCE_NOISE;
}
