#include "report/tally/change_point.h"

#include <math.h>
#include <stdlib.h>

enum {
	LEAST_AMOUNTS = 5, /* on each side, for a test of amounts */
	MOST_SPREAD = 9,   /* of a pair */
	DEVIATIONS = 2,
};

struct change_sample
change_between(const struct change_sample *before, size_t from, size_t to)
{
	const struct change_sample *a = &before[from], *b = &before[to];

	return (struct change_sample){ b->hits - a->hits, b->n - a->n,
		b->sum - a->sum, b->squares - a->squares, b->logs - a->logs,
		b->log_squares - a->log_squares };
}

/* Returns the variance of the mean of n numbers, by their sum and the sum of their
 * squares; NAN if there are fewer than two. */
static double
variance(double sum, double squares, double n)
{
	double all = squares - sum * sum / n;

	/* The rest that equal numbers leave is only rounded. */
	return n < 2 ? NAN : all < squares * 1e-12 ? 0 : all / (n - 1) / n;
}

double
change_mean(const struct change_sample *s)
{
	return s->sum / (double)s->n;
}

struct stats_interval
change_interval(const struct change_sample *s)
{
	double n = (double)s->n, mean = change_mean(s);
	double half =
	    stats_student(n - 1) * sqrt(variance(s->sum, s->squares, n));

	if (s->n < 2)
		return (struct stats_interval){ NAN, NAN };
	return (struct stats_interval){ fmax(mean - half, 0), mean + half };
}

/* ---- one place ---- */

/* Returns twice the logarithm of the likelihood of the sample's rate. */
static double
likelihood(const struct change_sample *s)
{
	double hits = (double)s->hits, n = (double)s->n;

	return 2 *
	    ((s->hits == 0 ? 0 : hits * log(hits / n)) +
		(s->hits == s->n ? 0 : (n - hits) * log1p(-hits / n)));
}

/* Returns Welch's t of the logarithms of the amounts, and sets its degrees of
 * freedom; 0 if a side has too few. The variance of a side with hardly any spread
 * is at least a hundredth of the other's. */
static double
welch(const struct change_sample side[2], double *freedom)
{
	double v[2], mean[2], n[2], sum;

	for (int i = 0; i < 2; i++) {
		n[i] = (double)side[i].n;
		mean[i] = side[i].logs / n[i];
		v[i] = variance(side[i].logs, side[i].log_squares, n[i]);
	}
	if (n[0] < LEAST_AMOUNTS || n[1] < LEAST_AMOUNTS)
		return 0;
	sum = v[0] + v[1];
	*freedom = sum == 0
	    ? n[0] + n[1] - 2
	    : sum * sum / (v[0] * v[0] / (n[0] - 1) + v[1] * v[1] / (n[1] - 1));
	if (sum == 0)
		return mean[0] == mean[1] ? 0 : INFINITY;
	return fabs(mean[1] - mean[0]) / sqrt(sum);
}

/* Returns how different the sides are: a number that only serves to find the
 * place where it is greatest. */
static double
difference(const struct change_family *f, const struct change_sample side[2])
{
	struct change_sample all = side[0];
	double freedom;

	if (side[0].n == 0 || side[1].n == 0)
		return 0;
	if (!f->rates)
		return welch(side, &freedom);
	all.hits += side[1].hits;
	all.n += side[1].n;
	return likelihood(&side[0]) + likelihood(&side[1]) - likelihood(&all);
}

/* Returns whether the means of the amounts differ by more than the margin, in the
 * direction of the logarithms. */
static bool
is_beyond_margin(
    const struct change_family *f, const struct change_sample side[2])
{
	double was = change_mean(&side[0]), now = change_mean(&side[1]);
	double logs =
	    side[1].logs / (double)side[1].n - side[0].logs / (double)side[0].n;

	return logs > 0 ? now > was * (1 + f->margin)
			: now * (1 + f->margin) < was;
}

static double
p_of(const struct change_family *f, const struct change_sample side[2])
{
	const size_t hits[2] = { side[0].hits, side[1].hits };
	const size_t n[2] = { side[0].n, side[1].n };
	double freedom, t, p;

	if (f->rates) {
		p = stats_fisher(hits, n);
		if (f->dispersion == 1 && !isnan(p))
			return p;
		/* fmax() returns the number of a number and a NAN. */
		t = fmax(difference(f, side), 0) / f->dispersion;
		return fmax(p, erfc(sqrt(t / 2)));
	}
	t = welch(side, &freedom);
	if (t == 0 || !is_beyond_margin(f, side))
		return 1;
	return isinf(t) ? 0 : stats_student_p(t, freedom);
}

/* ---- a family ---- */

/* Returns the least p-value that a place with as many runs on both sides has. */
static double
least_of(const struct change_family *f, const struct change_sample side[2])
{
	const size_t hits[2] = { side[0].hits, side[1].hits };
	const size_t n[2] = { side[0].n, side[1].n };

	if (side[0].n == 0 || side[1].n == 0)
		return 1;
	if (f->rates)
		return stats_fisher_least(hits, n);
	return side[0].n < LEAST_AMOUNTS || side[1].n < LEAST_AMOUNTS ? 1 : 0;
}

/* Adds the squared differences of the series' neighbouring rates. A difference that is
 * a change counts for no more than chance may make it. */
static void
add_spread(
    struct change_family *f, const struct change_sample *before, size_t n)
{
	double rate = (double)before[n].hits / (double)before[n].n;
	struct change_sample last = { 0 };

	if (before[n].hits == 0 || before[n].hits == before[n].n)
		return;
	for (size_t i = 0; i < n; i++) {
		struct change_sample s = change_between(before, i, i + 1);
		double off;

		if (s.n == 0)
			continue;
		if (last.n != 0) {
			off = (double)s.hits / (double)s.n -
			    (double)last.hits / (double)last.n;
			f->pairs++;
			f->spread += fmin(off * off / (rate * (1 - rate)) /
				(1 / (double)s.n + 1 / (double)last.n),
			    MOST_SPREAD);
		}
		last = s;
	}
}

void
change_family_add(struct change_family *f, const struct change_sample *before,
    size_t n, struct arena *a)
{
	if (f->rates && before[n].n != 0)
		add_spread(f, before, n);
	for (size_t i = 1; i < n; i++) {
		const struct change_sample side[] = { change_between(
							  before, 0, i),
			change_between(before, i, n) };

		/* A sample without runs makes no other place. */
		if (before[i].n != before[i - 1].n)
			*arena_push(a, f->least, f->n) = least_of(f, side);
	}
}

static int
compare_numbers(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Returns how many places could be significant at `most`. */
static size_t
testable(const struct change_family *f, double most)
{
	size_t low = 0, high = f->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (f->least[middle] <= most)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void
change_family_close(struct change_family *f)
{
	size_t low = 1, high = f->n;

	if (f->n != 0)
		qsort(f->least, f->n, sizeof *f->least, compare_numbers);
	/* Finds the least number that is as great as the number of places that
	 * could be significant if it is the divisor of alpha. */
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (testable(f, f->alpha / (double)middle) <= middle)
			high = middle;
		else
			low = middle + 1;
	}
	f->most = f->alpha / (double)low;
	f->dispersion = 1;
	/* The spread of n pairs has a variance of about 3 n. */
	if (f->spread >
	    (double)f->pairs + DEVIATIONS * sqrt(3 * (double)f->pairs))
		f->dispersion = f->spread / (double)f->pairs;
}

/* ---- the changes of a series ---- */

/* Sets the change to the place from `from` to before `to` where the difference is
 * greatest. Returns whether it is significant. */
static bool
find(const struct change_family *f, const struct change_sample *before,
    const size_t ends[2], struct change_point *found)
{
	double greatest = 0;

	*found = (struct change_point){ .at = ends[0], .p = 1 };
	for (size_t i = ends[0] + 1; i < ends[1]; i++) {
		const struct change_sample side[] = { change_between(
							  before, ends[0], i),
			change_between(before, i, ends[1]) };
		double d = difference(f, side);

		if (d <= greatest)
			continue;
		greatest = d;
		found->at = i;
		found->side[0] = side[0];
		found->side[1] = side[1];
	}
	if (found->at != ends[0])
		found->p = p_of(f, found->side);
	return found->p <= f->most;
}

/* The changes while they are found. */
struct search {
	const struct change_family *family;
	const struct change_sample *before;
	struct arena *arena;
	struct change_point *list;
	size_t n;
};

static void
divide(struct search *s, size_t from, size_t to)
{
	struct change_point found;

	if (!find(s->family, s->before, (size_t[]){ from, to }, &found))
		return;
	divide(s, from, found.at);
	*arena_push(s->arena, s->list, s->n) = found;
	divide(s, found.at, to);
}

struct change_point *
change_points(const struct change_family *f, const struct change_sample *before,
    size_t n, struct arena *a, size_t *found)
{
	struct search s = { f, before, a, NULL, 0 };
	size_t kept = 0;

	divide(&s, 0, n);
	/* A change that was found among more samples is looked for once more between
	 * its neighbours. */
	for (size_t i = 0; i < s.n; i++) {
		const size_t ends[] = { kept == 0 ? 0 : s.list[kept - 1].at,
			i + 1 < s.n ? s.list[i + 1].at : n };
		struct change_point again;

		if (find(f, before, ends, &again))
			s.list[kept++] = again;
	}
	*found = kept;
	return s.list;
}
